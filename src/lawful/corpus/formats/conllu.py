"""CoNLL-U: ten columns, comments, multiword tokens, empty nodes."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from lawful.corpus.formats.columns.reading import ColumnTable, Rows, set_aside
from lawful.corpus.formats.columns.writing import write_columns
from lawful.corpus.layout import LAYOUTS, Layout
from lawful.corpus.paragraphs import cut_paragraphs, read_stretches_of_text
from lawful.corpus.sentence import Sentence
from lawful.corpus.sources import MAX_LINE, MAX_TOKENS, Block, Source, name_of, text_start
from lawful.corpus.targets import Target

__all__ = ["looks_like_conllu", "read_conllu", "write_conllu"]


def looks_like_conllu(start: bytes) -> bool:
    r"""Whether the first bytes of a file are CoNLL-U: after comments, token 1 with ten columns.

    Examples
    --------
    >>> looks_like_conllu(b"# text = a\n1\ta" + b"\t_" * 8), looks_like_conllu(b"1 a")
    (True, False)
    """
    lines = (line for line in text_start(start).splitlines() if line and not line.startswith(b"# "))
    first = next(lines, b"")
    return first.count(b"\t") == 9 and re.match(rb"1(-\d+)?\t", first) is not None


def read_conllu(
    source: Source,
    *,
    token: str | int = "form",  # noqa: S107 - a column, not a secret
    label: str | int | None = "upos",
    encoding: str = "utf-8",
    max_line: int = MAX_LINE,
    max_tokens: int = MAX_TOKENS,
) -> Iterator[Sentence]:
    r"""Read sentences from CoNLL-U, one at a time.

    The tokens are the syntactic words. Lines of multiword tokens (`1-2`) and empty nodes (`1.1`) are not tokens;
    they are kept in `between`, and written again. Comments `# key = value` are also in `context`.

    Parameters
    ----------
    source, encoding, max_line, max_tokens
        As in `read_columns`.
    token, label : str or int
        By name: id, form, lemma, upos, xpos, feats, head, deprel, deps, misc. `label=None`: no labels.

    Examples
    --------
    >>> import io
    >>> words = ["1-2\tdu", "1\tde\tde\tADP", "2\tle\tle\tDET"]
    >>> text = "# text = du\n" + "\n".join(line + "\t_" * (9 - line.count("\t")) for line in words)
    >>> [sentence] = read_conllu(io.StringIO(text))
    >>> sentence.tokens, sentence.labels, sentence.context, list(sentence.lines)
    (('de', 'le'), ('ADP', 'DET'), {'text': 'du'}, [3, 4])
    """
    name = name_of(source)
    table = ColumnTable(name, "conllu", token, label, "\t")
    waiting: list[tuple[int, str]] = []
    for first, text in read_stretches_of_text(
        source, encoding=encoding, max_line=max_line, max_lines=max_tokens
    ):
        at_once = None if waiting else table.sentences_of_conllu(text, first, max_tokens)
        if at_once is not None:
            yield from at_once
            continue
        found: list[Rows] = []
        stretch = Block(first, text.removesuffix("\n").split("\n"))
        for start, paragraph in cut_paragraphs(stretch, name, max_tokens):
            lines, numbers, comments = _without_comments(paragraph, start)
            between = waiting + comments
            if not lines:  # comments of a document, followed by a blank line
                waiting = [*between, (0, "")]
                continue
            waiting = []
            context = dict(_key_and_value(line) for _, line in comments if " = " in line)
            if not "".join([line[: line.find("\t")] for line in lines]).isdecimal():
                lines, numbers, between = _words_only(lines, numbers, between)
            if lines:
                found.append(Rows(lines, numbers, tuple(between), context))
            else:
                waiting = between
        yield from table.sentences_of(found)


def _without_comments(
    paragraph: list[str], first: int
) -> tuple[list[str], Sequence[int], list[tuple[int, str]]]:
    """The other lines, their numbers, and the comments; nearly always these stand at the beginning."""
    start = 0
    while start < len(paragraph) and paragraph[start][0] == "#":
        start += 1
    numbers = range(first, first + len(paragraph))
    if "#" in [line[0] for line in paragraph[start:]]:
        return set_aside(paragraph, numbers, "#")
    return paragraph[start:], numbers[start:], [(0, line) for line in paragraph[:start]]


def _key_and_value(comment: str) -> tuple[str, str]:
    key, _, value = comment.lstrip("# ").partition(" = ")
    return key.strip(), value.strip()


def _words_only(
    lines: list[str], numbers: Sequence[int], between: list[tuple[int, str]]
) -> tuple[list[str], Sequence[int], list[tuple[int, str]]]:
    words: list[str] = []
    word_numbers: list[int] = []
    between = list(between)
    for number, line in zip(numbers, lines, strict=True):
        identifier = line.partition("\t")[0]
        left, mark, right = identifier.partition("-" if "-" in identifier else ".")
        if mark and left.isdecimal() and right.isdecimal():
            between.append((len(words), line))
        else:  # a word, or a row that the table will refuse
            words.append(line)
            word_numbers.append(number)
    return words, tuple(word_numbers), between


def write_conllu(
    sentences: Iterable[Sentence],
    target: Target,
    *,
    columns: Sequence[str] | str | None = None,
    separator: str | None = None,
) -> int:
    r"""Write sentences as CoNLL-U, as they arrive, and return their number.

    What was read from CoNLL-U is written as it was. Other sentences get its ten columns: numbers, tokens, their columns of the same
    names, labels as `upos`, and `_` elsewhere; a text becomes a comment.

    Parameters
    ----------
    sentences, target, columns, separator
        As in `write_columns`.

    Examples
    --------
    >>> import io
    >>> file = io.StringIO()
    >>> write_conllu([Sentence(("to", "Bonn"), ("ADP", "PROPN"))], file), file.getvalue().splitlines()[0]
    (1, '1\tto\t_\tADP\t_\t_\t_\t_\t_\t_')
    """
    return write_columns(map(_in_ten_columns, sentences), target, columns=columns, separator=separator)


_TEN = Layout(LAYOUTS["conllu"], "form", "upos")


def _in_ten_columns(sentence: Sentence) -> Sentence:
    names = () if sentence.layout is None else sentence.layout.names
    if names[: len(_TEN.names)] == _TEN.names:
        return sentence
    columns = {name: sentence.columns.get(name, ("_",) * len(sentence)) for name in _TEN.others}
    columns["id"] = tuple(map(str, range(1, len(sentence) + 1)))
    text = str(sentence.context.get("text", "")).split()
    between = ((0, f"# text = {' '.join(text)}"),) if text else ()
    return Sentence(
        sentence.tokens, sentence.labels or ("_",) * len(sentence), columns, layout=_TEN, between=between
    )
