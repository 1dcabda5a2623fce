"""CoNLL-U that is cut at once is read as it is line by line: sentences, errors, and what comes before them."""

from __future__ import annotations

import io
import random

import pytest

from lawful.corpus.formats import conllu
from lawful.corpus.formats.columns.reading import ColumnTable
from lawful.corpus.sentence import Sentence
from lawful.errors import CorpusError

PIECES = [
    "# text = a b", "# newdoc", "#", "1\ta", "2\tb", "1-2\tab", "1.1\tc", "", "", "", " ", "3\té\u00a0x", "1", "x\ty", "-\tz", "1\t",
]  # fmt: skip


class LineByLine(ColumnTable):
    """Without the core's cutter."""

    def __init__(self, *arguments: object) -> None:
        super().__init__(*arguments)  # type: ignore[arg-type]
        self.cutter = None


def text(rng: random.Random) -> str:
    lines = []
    for _ in range(rng.randint(0, 30)):
        line = rng.choice(PIECES[:12] if rng.random() < 0.98 else PIECES)
        filled = line and line.strip() and not line.startswith("#")
        missing = 9 - line.count("\t") - (rng.random() < 0.01)
        lines.append(line + "\t_" * missing if filled else line)
    return "\n".join(lines)


def read(source: str, label: str | None) -> tuple[list[tuple[Sentence, list[int]]], str]:
    found = []
    try:
        for sentence in conllu.read_conllu(io.StringIO(source), label=label):
            found.append((sentence, list(sentence.lines)))
    except CorpusError as error:
        return found, str(error)
    return found, ""


def test_cut_at_once_and_line_by_line_are_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = random.Random(4)  # noqa: S311
    texts = [text(rng) for _ in range(400)]
    at_once = [read(each, label) for each in texts for label in ("upos", None)]
    monkeypatch.setattr(conllu, "ColumnTable", LineByLine)
    assert at_once == [read(each, label) for each in texts for label in ("upos", None)]
    assert sum(bool(error) for _, error in at_once) > 20
    assert sum(len(found) for found, _ in at_once) > 500
