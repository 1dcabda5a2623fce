"""The trellis of a log-linear vote: how large it may be, and what it leaves out."""

from __future__ import annotations

import numpy as np
import pytest

import lawful
from lawful.encodings import ComposedLattices, scheme_encoding
from lawful.errors import MachineError
from lawful.lattice import AnyLattice, TagLattice
from lawful.voting import LogLinear, merged_columns
from lawful.voting.merged_columns import MergedColumns


def said(rng: np.random.Generator) -> list[AnyLattice]:
    """Three taggers in different schemes about four tokens."""
    lattices: list[AnyLattice] = []
    for scheme in ("IOB1", "IOE2", "IOBES"):
        encoding = scheme_encoding("IOB1", scheme)
        tags = lawful.Lattice(rng.normal(size=(4, len(encoding.tags))), labels=encoding.tags)
        lattices.append(ComposedLattices(encoding, encoding.tags)(tags))
    return lattices


def test_columns_that_lead_nowhere_are_left_out() -> None:
    lattices = said(np.random.default_rng(0))
    vote = LogLinear([0.2, 0.3, 0.5], lawful.LabelSet(["I", "O", "B"]))(lattices)
    assert isinstance(vote, TagLattice)
    # A token of a chunk is its last one or not, and its first one or not, in which two schemes agree; or outside.
    assert len(vote.columns) < 12


def test_a_vote_that_is_too_large_is_a_graph_with_the_same_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    lattices, labels = said(np.random.default_rng(1)), lawful.LabelSet(["I", "O", "B"])
    weights = [0.5, 0.25, 0.25]
    best = lawful.decode(LogLinear(weights, labels)(lattices))
    monkeypatch.setattr(merged_columns, "MOST_COLUMNS", 3)
    large = LogLinear(weights, labels)(lattices)
    assert isinstance(large, lawful.GraphLattice)
    assert lawful.decode(large).labels == best.labels
    assert lawful.decode(large).score == pytest.approx(best.score)


def test_taggers_that_have_nothing_in_common() -> None:
    labels = lawful.LabelSet(["A", "B"])
    first, second = (lawful.Lattice([[0.0]], labels=[label]) for label in labels)
    with pytest.raises(MachineError, match="no label in common"):
        MergedColumns([first, second], [0.5, 0.5], labels)
