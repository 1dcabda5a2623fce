"""The chunking corpus that models are measured on, and about 20 templates: ours, and the same written by hand for CRFsuite."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:  # CRFsuite's process should not have to hold what it does not use
    from lawful.models.features import Features

__all__ = ["Chunking", "load_chunking", "span_scores", "templates", "written_by_hand"]

Row = tuple[str, str]
TRAIN, TEST = 8936, 2012  # sentences of CoNLL-2000


@dataclass(frozen=True)
class Chunking:
    """Sentences of (word, part of speech), with chunk labels."""

    name: str
    X: list[list[Row]]
    y: list[list[str]]
    X_test: list[list[Row]]
    y_test: list[list[str]]


def load_chunking(sentences: int | None = None, corpora: Path | None = None) -> Chunking:
    """CoNLL-2000 from a folder of corpora, or a generated corpus of the same size; all of it, or its first sentences."""
    folder = None if corpora is None else corpora / "conll2000"
    if folder is not None and (folder / "train.txt").exists():
        name, train, test = "CoNLL-2000", _read(folder / "train.txt"), _read(folder / "test.txt")
    else:
        sizes = (TRAIN, TEST) if sentences is None else (sentences, max(1, sentences // 4))
        name, train, test = "a made corpus", _made(sizes[0], seed=0), _made(sizes[1], seed=1)
    if sentences is not None:
        train, test = train[:sentences], test[: max(1, sentences // 4)]
    halves = [
        ([sentence[0] for sentence in part], [sentence[1] for sentence in part]) for part in (train, test)
    ]
    return Chunking(name, *halves[0], *halves[1])


def templates() -> Features:
    """The feature set of Sha & Pereira (2003), as in Figure 4.3 of Loper (2008): 20 templates."""
    from lawful.models.features import Features, at, bias, column, join, window, word

    pos = column(1)
    return Features(
        bias(),
        window(word(), -2, 2),
        join(at(-1, word()), word()),
        join(word(), at(1, word())),
        window(pos, -2, 2),
        *(join(at(i, pos), at(i + 1, pos)) for i in range(-2, 2)),
        *(join(at(i - 1, pos), at(i, pos), at(i + 1, pos)) for i in range(-1, 2)),
    )


def written_by_hand(tokens: list[Row]) -> list[list[str]]:
    """The attributes of `templates`, as a user of CRFsuite would write them."""
    items = []
    last = len(tokens) - 1
    for t, (here, pos) in enumerate(tokens):
        item = ["bias=yes", f"word={here}", f"column1={pos}"]
        if t > 0:
            before, pos1 = tokens[t - 1]
            item += [f"word[-1]={before}", f"word[-1]|word={before}|{here}"]
            item += [f"column1[-1]={pos1}", f"column1[-1]|column1={pos1}|{pos}"]
        if t > 1:
            before, pos2 = tokens[t - 2]
            item += [f"word[-2]={before}", f"column1[-2]={pos2}", f"column1[-2]|column1[-1]={pos2}|{pos1}"]
            item.append(f"column1[-2]|column1[-1]|column1={pos2}|{pos1}|{pos}")
        if t < last:
            after, next1 = tokens[t + 1]
            item += [f"word[+1]={after}", f"word|word[+1]={here}|{after}"]
            item += [f"column1[+1]={next1}", f"column1|column1[+1]={pos}|{next1}"]
            if t > 0:
                item.append(f"column1[-1]|column1|column1[+1]={pos1}|{pos}|{next1}")
        if t + 1 < last:
            after, next2 = tokens[t + 2]
            item += [f"word[+2]={after}", f"column1[+2]={next2}", f"column1[+1]|column1[+2]={next1}|{next2}"]
            item.append(f"column1|column1[+1]|column1[+2]={pos}|{next1}|{next2}")
        items.append(item)
    return items


def span_scores(gold: list[list[str]], predicted: list[list[str]], kind: str | None = None) -> float:
    """F1 of chunks (IOB2), of one kind or of all, in percent."""
    right = ours = theirs = 0
    for labels, answers in zip(gold, predicted, strict=True):
        gold_spans, found_spans = _spans(labels, kind), _spans(answers, kind)
        right += len(gold_spans & found_spans)
        ours, theirs = ours + len(found_spans), theirs + len(gold_spans)
    return 200 * right / max(1, ours + theirs)  # the generated corpus has no noun phrases


def _spans(labels: list[str], kind: str | None) -> set[tuple[str, int, int]]:
    """(kind, start, end) of every chunk; an I- that follows no chunk of its kind starts one, as in conlleval."""
    spans, start = set(), 0
    open_kind = ""
    for t, label in enumerate([*labels, "O"]):
        tag, _, of = label.partition("-")
        if open_kind and (tag != "I" or of != open_kind):
            spans.add((open_kind, start, t))
            open_kind = ""
        if of and not open_kind:
            open_kind, start = of, t
    return {span for span in spans if kind is None or span[0] == kind}


def _read(path: Path) -> list[tuple[list[Row], list[str]]]:
    sentences = []
    for block in path.read_text().split("\n\n"):
        rows = [line.split() for line in block.splitlines() if line.strip()]
        if rows:
            sentences.append(([(row[0], row[1]) for row in rows], [row[2] for row in rows]))
    return sentences


def _made(count: int, seed: int) -> list[tuple[list[Row], list[str]]]:
    """Parts of speech by a Markov chain, words by part of speech with Zipf's frequencies, chunks by part of speech."""
    import numpy as np

    shape = np.random.default_rng(99)  # the language; the sentences have a seed of their own
    tags, kinds = 44, 11
    chain = shape.dirichlet(np.full(tags, 0.1), size=tags).cumsum(axis=1)
    kind_of = shape.integers(kinds, size=tags)
    rng = np.random.default_rng(seed)
    sentences = []
    for _ in range(count):
        length = int(rng.integers(5, 43))
        tag, rows, labels = int(rng.integers(tags)), [], []
        before = ""
        for _ in range(length):
            tag = min(tags - 1, int(np.searchsorted(chain[tag], rng.random())))
            rows.append(
                (f"w{tag if rng.random() < 0.9 else rng.integers(tags)}.{rng.zipf(1.3) % 2000}", f"P{tag}")
            )
            kind = f"C{kind_of[tag] if rng.random() < 0.95 else rng.integers(kinds)}"
            labels.append(f"{'I' if kind == before and rng.random() < 0.8 else 'B'}-{kind}")
            before = kind
        sentences.append((rows, labels))
    return sentences
