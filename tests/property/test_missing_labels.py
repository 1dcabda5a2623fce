"""Labels that a model lacks mean the same as labels that it never gives: a lattice without them, or with -inf in their columns."""

from __future__ import annotations

import warnings
from collections.abc import Iterator

import numpy as np
import pytest

from lawful.decoding import Decoder
from lawful.errors import InfeasibleError, MissingLabelWarning, RuleError
from lawful.explanation import explain
from lawful.labels import LabelSet
from lawful.lattice import Lattice
from lawful.rules import Rules
from lawful.testing import random_problems

SOLVERS = ["auto", "brute_force", "relaxation", "branch_and_bound", "a_star", "dual", "ilp"]


def without_columns(lattice: Lattice, kept: list[int]) -> tuple[Lattice, Lattice]:
    """The lattice with only some labels, and with all of them, where the others are forbidden."""
    mask = np.zeros(len(lattice.labels), dtype=bool)
    mask[kept] = True
    labels = LabelSet([lattice.labels[k] for k in kept])
    steps = lattice.transitions
    start, end = lattice.start, lattice.end
    small = Lattice(
        lattice.emissions[:, kept],
        None if steps is None else steps[..., kept, :][..., kept],
        labels=labels,
        start=None if start is None else start[kept],
        end=None if end is None else end[kept],
        tokens=lattice.tokens,
        context=lattice.context,
    )
    masked = Lattice(
        lattice.emissions,
        steps,
        labels=lattice.labels,
        start=start,
        end=end,
        mask=np.tile(mask, (lattice.length, 1)),
        tokens=lattice.tokens,
        context=lattice.context,
    )
    return small, masked


def cases(seed: int) -> Iterator[tuple[Rules, Lattice, Lattice]]:
    rng = np.random.default_rng(seed)
    for _ in range(8):
        rules, lattices = random_problems(rng, count=2)
        labels = lattices[0].labels
        if len(labels) < 2:
            continue
        kept = sorted(rng.choice(len(labels), size=int(rng.integers(1, len(labels))), replace=False).tolist())
        for lattice in lattices:
            assert isinstance(lattice, Lattice)
            yield (Rules(rules, labels=labels), *without_columns(lattice, kept))


def answer(rules: Rules, lattice: Lattice, solver: str) -> tuple[tuple[str, ...], float] | None:
    try:
        decoding = Decoder(rules, labels=lattice.labels, solver=solver).decode(lattice)
    except InfeasibleError:
        return None
    return decoding.labels, decoding.score


@pytest.mark.parametrize("seed", range(6))
def test_a_label_that_the_model_lacks_is_one_that_it_never_gives(seed: int) -> None:
    compared = warned = 0
    for rules, small, masked in cases(seed):
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            try:
                Decoder(rules, labels=small.labels)
            except RuleError:  # a machine over the indices of all labels does not fit fewer
                continue
            warned += any(issubclass(warning.category, MissingLabelWarning) for warning in caught)
            for solver in SOLVERS:
                expected, found = answer(rules, masked, solver), answer(rules, small, solver)
                if expected is None or found is None:
                    assert expected == found, (solver, rules)
                    continue
                if solver == "auto":  # the others may choose another of several best ones
                    assert found[0] == expected[0], rules
                assert found[1] == pytest.approx(expected[1], abs=1e-9)
            compared += 1
    assert compared > 4
    assert warned > 2


@pytest.mark.filterwarnings("ignore::lawful.errors.MissingLabelWarning")
def test_explanations_and_sums_agree_too() -> None:
    compared = 0
    for rules, small, masked in cases(99):
        try:
            ours = Decoder(rules, labels=small.labels)
        except RuleError:
            continue
        theirs = Decoder(rules, labels=masked.labels)
        assert ours.log_partition(small) == pytest.approx(theirs.log_partition(masked), abs=1e-9)
        assert ours.count_legal(small) == theirs.count_legal(masked)
        assert [list(labels) for labels, _ in ours.nbest(small, 3)] == [
            list(labels) for labels, _ in theirs.nbest(masked, 3)
        ]
        if answer(rules, small, "auto") is not None:
            mine, other = explain(small, rules), explain(masked, rules)
            assert [change.because for change in mine.changes] == [change.because for change in other.changes]
            compared += 1
    assert compared > 4
