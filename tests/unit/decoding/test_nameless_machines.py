"""A machine that reads labels by their index in the label set counts wherever the label set is known."""

from __future__ import annotations

import pytest

import lawful
from lawful.automata import Dfa
from lawful.errors import RuleError

EVEN = lawful.automaton(Dfa([[0, 1], [1, 0]], [True, False]))  # an even number of the second label
LATTICE = lawful.Lattice([[0.0, 1.0], [0.0, 1.5], [0.0, 2.0]], labels=["O", "A"])


@pytest.mark.parametrize(
    "rule", [EVEN, EVEN & lawful.ends_with("A"), EVEN.soft(9.0)], ids=["hard", "and", "soft"]
)
def test_answers_count_it(rule: lawful.Rule) -> None:
    best = lawful.decode(LATTICE, rule)
    assert best.labels.count("A") == 2
    assert list(best.violations.values()) == [0]


def test_explanations_count_it() -> None:
    told = lawful.explain(LATTICE, EVEN)
    assert [change.because for change in told.changes] == [((EVEN.name,),)]
    assert lawful.why_not(LATTICE, EVEN, ["A", "A", "A"]).verdict == "illegal"


def test_without_a_label_set_it_asks_for_one() -> None:
    assert EVEN.violations(["A", "O"], label_set=LATTICE.labels) == 1
    with pytest.raises(RuleError, match="label_set="):
        EVEN.violations(["A", "O"])
