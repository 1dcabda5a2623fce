"""Generated references with 13 fields, in several styles, with gold labels: for the tutorial and the demo."""

from __future__ import annotations

from itertools import pairwise

from lawful.corpus import Sentence
from lawful.tasks.grammar import Grammar, read_texts

__all__ = ["generate_citations"]

# Each kind of reference: its weight, and its fields in order. A field is `name:text` and the punctuation that ends it,
# with `?` before it if it is often left out and `??` if it is mostly left out. `:text` names the texts to choose from
# where they are not called like the field: `author:inverted_authors`.
_KINDS: list[tuple[float, str]] = [
    (3.0, "author:authors . | title . | journal , | volume , | ?pages , | date ."),
    (2.5, "author:inverted_authors | date:bracketed_year . | title . | journal , | volume , | pages ."),
    (1.0, 'author:authors , | title " , " | journal , | volume , | pages , | date .'),
    (3.0, "author:authors . | title . | booktitle , | ?pages , | ?location:city , | ?publisher , | date ."),
    (2.0, "author:inverted_authors | date:bracketed_year . | title . | booktitle , | ?pages . | ?location:city . | ??publisher ."),
    (1.0, 'author:authors , | title " , " | booktitle , | ?location:city , | date , | pages .'),
    (1.0, "author:authors . | title . | booktitle , | volume:series , | ?pages , | publisher , | date ."),
    (1.6, "author:authors . | title . | tech , | institution , | ?location:city , | date ."),
    (0.8, "author:inverted_authors | date:bracketed_year . | title . | tech , | institution , | ?location:city ."),
    (1.0, "author:authors . | title . | publisher , | ?location:city , | date ."),
    (0.8, "author:inverted_authors | date:bracketed_year . | title . | ?location:city : | publisher ."),
    (0.3, "editor:authors , editors . | title . | publisher , | ?location:city , | date ."),
    (1.2, "author:authors . | title . | editor:in_editors | booktitle:collection , | ?pages . | publisher , | ?location:city , | date ."),
    (0.6, "author:authors . | title . | booktitle , | note ."),
    (0.5, "author:authors . | title . | note , | date ."),
    (0.3, "author:authors . | title . | journal , | note ."),
]  # fmt: skip


def generate_citations(count: int, *, seed: int = 0) -> list[Sentence]:
    """Generate references, with the field of each token as its label.

    They look like those of the citations corpus of paper C: 13 fields, a dozen styles, titles that contain years,
    commas and words of other fields, names that rarely repeat. As in real references, plausible rules are sometimes
    broken: some fields end without punctuation, and some references have a field twice.

    Parameters
    ----------
    count : int
    seed : int
        The same seed gives the same references.

    Examples
    --------
    >>> [sentence] = generate_citations(1, seed=3)
    >>> len(sentence) == len(sentence.labels)
    True
    >>> sentence.labels[0]
    'author'
    """
    grammar = Grammar(read_texts("citations"), seed)
    weights = [weight for weight, _ in _KINDS]
    kinds = [[entry.strip() for entry in entries.split("|")] for _, entries in _KINDS]
    return [_citation(grammar, kinds[grammar.weigh(weights)], number) for number in range(count)]


def _citation(grammar: Grammar, entries: list[str], number: int) -> Sentence:
    tokens: list[str] = []
    labels: list[str] = []

    def add(field: str, words: list[str]) -> None:
        tokens.extend(words)
        labels.extend([field] * len(words))

    for entry in entries:
        if entry.startswith("?") and grammar.chance(0.75 if entry.startswith("??") else 0.45):
            continue
        field, words = _field(grammar, entry.lstrip("?"))
        if field == "tech" and grammar.chance(0.08):  # the institution is on both sides, as in real reports
            add("institution", [*grammar.make("institution"), ","])
        add(field, words)
        if field == "booktitle" and grammar.chance(0.04):
            add("location", [*grammar.make("city"), ","])
    if grammar.chance(0.05) and labels[-1] != "note":
        add("note", [*grammar.make("note"), "."])
    if grammar.chance(0.03) and labels[-1] != "date":
        add("date", [*grammar.make("date"), "."])
    if tokens[-1] in (",", ":"):
        tokens[-1] = "."
    return Sentence(tuple(tokens), tuple(labels), context={"number": number})


def _field(grammar: Grammar, entry: str) -> tuple[str, list[str]]:
    name, *ends = entry.split()
    field, _, text = name.partition(":")
    words = grammar.make(text or field)
    if field == "title":
        words = _spelled(words)
    elif field == "pages":
        words = [_in_order(word) for word in words]
    if ends and ends[0] == '"':
        return field, ['"', *words, *ends[1:]]
    if ends == ["."] and words[-1] == ".":
        ends = []
    if ends in ([","], ["."]) and field not in ("author", "title") and grammar.chance(0.02):
        ends = []  # as if somebody forgot it
    return field, words + ends


def _spelled(title: list[str]) -> list[str]:
    words = [title[0][0].upper() + title[0][1:], *title[1:]]
    for index, (word, following) in enumerate(pairwise(words)):
        if word in ("A", "a") and following[0].lower() in "aeio":
            words[index] = word + "n"
    return words


def _in_order(word: str) -> str:
    first, mark, last = word.partition("-")
    return word if not mark or int(first) < int(last) else f"{last}-{int(first) + 1}"
