"""A small corpus, a model and rules, made once for all tests of commands."""

from __future__ import annotations

import io
import sys
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest

import lawful
from lawful.cli.main import run
from lawful.tasks import generate_citations

RULES = """\
labels = [
  "author", "booktitle", "date", "editor", "institution", "journal", "location", "note", "pages", "publisher", "tech",
  "title", "volume",
]

[[rule]]
name = "one title"
kind = "at_most_segments"
n = 1
labels = "title"

[[rule]]
name = "author first"
kind = "starts_with"
labels = ["author", "editor"]

[[rule]]
name = "years are dates"
kind = "when"
test = { matches = '(19|20)\\d\\d' }
then = "date"
price = 2.0
per = "violation"

[[rule]]
name = "short authors"
kind = "at_most"
n = 6
labels = "author"
price = 4.0
"""


class Made(NamedTuple):
    """Paths, as the command line takes them."""

    gold: str
    test: str
    jsonl: str
    model: str
    rules: str
    folder: Path


@pytest.fixture(scope="session")
def made(tmp_path_factory: pytest.TempPathFactory) -> Made:
    folder = tmp_path_factory.mktemp("cli")
    sentences = generate_citations(160, seed=5)
    paths = Made(
        *(str(folder / name) for name in ("gold.conll", "test.conll", "test.jsonl", "m.lawful", "r.toml")),
        folder,
    )
    lawful.write_corpus(sentences[:120], paths.gold)
    lawful.write_corpus(sentences[120:], paths.test)
    lawful.write_corpus(sentences[120:], paths.jsonl)
    Path(paths.rules).write_text(RULES)
    assert run(["train", paths.gold, "-o", paths.model, "--max-iterations", "8", "--jobs", "1"]) == 0
    return paths


@pytest.fixture
def give_stdin(monkeypatch: pytest.MonkeyPatch) -> Callable[[bytes], None]:
    """Puts bytes on stdin."""

    def give(data: bytes) -> None:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BufferedReader(io.BytesIO(data))))  # type: ignore[arg-type]

    return give
