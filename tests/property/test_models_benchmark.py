"""The benchmark of models is fair: both contestants get the same attributes, and chunks are counted as conlleval does."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[2]))

from benchmarks.models.corpus import load_chunking, span_scores, templates, written_by_hand


def test_both_contestants_get_the_same_attributes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("LAWFUL_DATA", raising=False)
    corpus = load_chunking(40)
    features = templates()
    for tokens in [*corpus.X, corpus.X[0][:1], corpus.X[0][:2], corpus.X[0][:3]]:
        for ours, theirs in zip(features.attributes(tokens), written_by_hand(tokens), strict=True):
            assert sorted(ours) == sorted(theirs)
    assert corpus.name == "a made corpus" and len(corpus.X_test) == 10


def test_chunks_are_counted() -> None:
    gold = [["B-NP", "I-NP", "O", "B-VP", "B-NP"]]
    assert span_scores(gold, gold) == 100
    assert span_scores(gold, [["B-NP", "I-NP", "O", "B-VP", "I-NP"]]) == 100  # a stray I- opens a chunk
    assert span_scores(gold, [["B-NP", "B-NP", "O", "B-VP", "O"]]) == pytest.approx(100 * 2 * 1 / 6)
    assert span_scores(gold, [["O", "O", "O", "B-VP", "B-NP"]], "NP") == pytest.approx(100 * 2 * 1 / 3)
