from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pytest

from lawful import Decoder
from lawful.errors import InfeasibleError
from lawful.lattice import GraphLattice, Lattice
from lawful.rules import Rules, at_most, forbid
from lawful.testing import Best, assert_decodes_exactly, assert_finds, same_score

LATTICE = Lattice([[1.0, 0.0], [0.0, 2.0]], labels=["A", "B"], tokens=["x", "y"])
ONCE = Rules(at_most(0, "B").soft(0.5))


@dataclass
class Answer:
    labels: tuple[str, ...]
    score: float
    status: str = "optimal"


class Oracle:
    """Says what it was told to say."""

    rules = ONCE

    def __init__(self, answer: Answer | None) -> None:
        self.answer = answer

    def decode(self, lattice: Any) -> Answer:
        if self.answer is None:
            raise InfeasibleError(["a", "b"], None)
        return self.answer


BEST = Best(("A", "B"), 2.5)


def test_a_right_decoder_passes() -> None:
    assert_decodes_exactly(LATTICE, ONCE)
    assert_decodes_exactly(LATTICE, [forbid("A"), forbid("B")])
    assert_decodes_exactly(GraphLattice.from_lattice(LATTICE), ONCE, solver="relaxation", order="smallest")
    assert_finds(Decoder(ONCE, labels=["A", "B"]), LATTICE, BEST)
    assert_finds(Oracle(Answer(("A", "B"), 2.5)), LATTICE, BEST)  # type: ignore[arg-type]
    assert_finds(Oracle(None), LATTICE, None)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("answer", "best", "message"),
    [
        (Answer(("B", "B"), 1.5), BEST, "but the best is Best"),
        (Answer(("B", "B"), 2.5), BEST, r"but these labels score 1\.5"),
        (Answer(("A", "B"), 2.5, "bounded"), BEST, "is not called optimal"),
        (None, BEST, "infeasible, but Best"),
        (Answer(("A", "B"), 2.5), None, "but nothing is legal"),
    ],
)
def test_a_wrong_decoder_fails_with_the_whole_problem(answer: Answer, best: Best, message: str) -> None:
    with pytest.raises(AssertionError, match=message) as caught:
        assert_finds(Oracle(answer), LATTICE, best)  # type: ignore[arg-type]
    told = str(caught.value)
    assert all(
        part in told for part in ["at_most(0, 'B').soft(0.5)", "('x', 'y')", "[[1., 0.]", "['A', 'B']"]
    )


def test_a_graph_is_told_by_its_arcs() -> None:
    with pytest.raises(AssertionError, match=r"arcs: Arcs\(source="):
        assert_finds(Oracle(None), GraphLattice.from_lattice(LATTICE), BEST)  # type: ignore[arg-type]


def test_scores_are_the_same_up_to_rounding() -> None:
    assert same_score(float("-inf"), float("-inf"))
    assert same_score(1e9, 1e9 + 0.5)
    assert not same_score(0.0, 1e-8)
    assert not same_score(0.0, float("-inf"))
