"""What a Sentence refuses, and what cannot be written."""

from __future__ import annotations

import pytest

from lawful import Sentence, write_corpus
from lawful.errors import InputError


@pytest.mark.parametrize("made", [tuple, list])
@pytest.mark.parametrize(
    ("parts", "told"),
    [
        (([1, 2],), "tokens must be strings, but at position 0 is 1"),
        ((["a"], [None]), "labels must be strings, but at position 0 is None"),
        ((["a"], ["X"], [b"DT"]), "column 'pos' must be strings, but at position 0 is b'DT'"),
    ],
)
def test_tokens_labels_and_columns_are_strings(made, parts, told: str) -> None:
    tokens, labels, pos = (*map(made, parts), None, None)[:3]
    with pytest.raises(InputError, match=told):
        Sentence(tokens, labels, {} if pos is None else {"pos": pos})


@pytest.mark.parametrize("name", ["x.conll", "x.jsonl", "x.csv", "x.parquet"])
def test_only_sentences_can_be_written(name: str, tmp_path) -> None:
    with pytest.raises(InputError, match=r"only Sentences can be written, got \['a'\]"):
        write_corpus([Sentence(("a",)), ["a"]], tmp_path / name)
    assert list(tmp_path.iterdir()) == []
