"""Why proposed labels are not the answer: every verdict, by construction."""

from __future__ import annotations

import json
import math

import numpy as np
import pytest

import lawful
from lawful.errors import InternalError, ShapeError, UnknownLabelError

NEVER = -math.inf
LATTICE = lawful.Lattice([[2.0, 0.0], [0.0, 1.0], [3.0, 0.5]], labels=["A", "B"], tokens=["x", "y", "z"])
ONE_A = lawful.at_most_segments(1, "A").named("one A")


def test_it_breaks_a_hard_rule() -> None:
    other = lawful.why_not(LATTICE, ONE_A, ["A", "B", "A"])
    assert other.verdict == "illegal" and other.lattice_score == 6.0
    assert other.score == NEVER and other.behind == math.inf
    (charge,) = other.broken
    assert (charge.rule, charge.violations, charge.hard) == ("one A", 1, True)
    assert str(other).splitlines()[0] == "these labels break a hard rule"


def test_it_pays_more_than_it_gains() -> None:
    rules = lawful.Rules(
        ONE_A.soft(1.5, name="one A"), lawful.forbid("B").soft(0.25, per="violation", name="no B")
    )
    other = lawful.why_not(LATTICE, rules, ["A", "B", "A"])
    assert other.decoding.labels == ("A", "A", "A") and other.decoding.score == 5.0
    assert other.verdict == "worse"
    assert other.score == 6.0 - 1.5 - 0.25 and other.behind == 0.75
    assert [(one.rule, one.cost) for one in other.broken] == [("one A", 1.5), ("no B", 0.25)]
    text = str(other)
    assert text.startswith("these labels score 0.75 less than the answer\n")
    assert "-1.50  broken once" in text


def test_it_is_worse_without_breaking_anything() -> None:
    other = lawful.why_not(LATTICE, ONE_A, ["B", "B", "A"])
    assert (other.verdict, other.broken, other.behind) == ("worse", (), 1.0)


def test_it_is_the_answer_or_as_good() -> None:
    assert lawful.why_not(LATTICE, ONE_A, ["A", "A", "A"]).verdict == "answer"
    tied = lawful.Lattice([[1.0, 1.0]], labels=["A", "B"])
    answer = lawful.decode(tied).labels[0]
    other = lawful.why_not(tied, (), ["B" if answer == "A" else "A"])
    assert (other.verdict, other.behind) == ("tie", 0.0)
    assert str(other).startswith("these labels are as good as the answer\n")


@pytest.mark.parametrize(
    ("arrays", "labels", "position", "what"),
    [
        ({"mask": [[True, True], [True, False], [True, True]]}, "ABA", 1, "'B' at token 1"),
        ({"transitions": [[0.0, NEVER], [0.0, 0.0]]}, "AAB", 2, "'A' before 'B' at token 2"),
        (
            {"transitions": np.array([np.zeros((2, 2)), [[0.0, NEVER], [0.0, 0.0]]])},
            "ABA",
            None,
            None,
        ),
        ({"transitions": [[[0, 0], [NEVER, 0]], [[0, 0], [0, 0]]]}, "BAA", 1, "'B' before 'A' at token 1"),
        ({"start": [0.0, NEVER]}, "BAA", 0, "'B' as the first label"),
        ({"end": [0.0, NEVER]}, "AAB", 3, "'B' as the last label"),
    ],
)
def test_the_lattice_forbids_it_at_the_first_place_that_does(arrays, labels, position, what) -> None:
    lattice = lawful.Lattice([[2.0, 0.0], [0.5, 0.0], [3.0, 0.5]], labels=["A", "B"], **arrays)
    other = lawful.why_not(lattice, (), list(labels))
    if position is None:
        assert other.block is None and other.verdict == "worse"
        return
    assert other.verdict == "impossible" and other.lattice_score == NEVER
    assert tuple(other.block) == (position, what)
    assert str(other).splitlines()[0] == f"the lattice forbids {what}"


@pytest.mark.parametrize(
    ("labels", "block"),
    [
        ("AB", None),
        ("ABA", (2, "'A' at token 2, after the labels before it")),
        ("A", (1, "an end after these labels")),
        ("B", (0, "'B' at token 0, after the labels before it")),
        ("", (0, "an end after these labels")),
    ],
)
def test_a_graph_forbids_it(labels, block) -> None:
    graph = lawful.GraphLattice.from_arcs(
        [
            (0, 1, None, 0.0),
            (1, 2, "A", 1.0),
            (2, 3, "B", 0.0),
            (3, 4, None, 0.0),
            (2, 5, "A", 2.0),
            (5, 4, "A", 0.0),
        ],
        labels=["A", "B"],
        finals=[4],
    )
    other = lawful.why_not(graph, (), list(labels))
    assert (other.block and tuple(other.block)) == block
    assert other.verdict == ("worse" if block is None else "impossible")


def test_what_an_explanation_is_asked() -> None:
    why = lawful.explain(LATTICE, ONE_A)
    assert why.why_not(["A", "B", "A"]).verdict == "illegal"
    assert why.why_not(["A", "B", "A"]).decoding is why.decoding


def test_labels_that_do_not_fit() -> None:
    with pytest.raises(ShapeError, match="labels must have shape"):
        lawful.why_not(LATTICE, ONE_A, ["A", "B"])
    with pytest.raises(UnknownLabelError, match="'C' in the proposed labels"):
        lawful.why_not(LATTICE, ONE_A, ["A", "B", "C"])


def test_an_answer_that_is_beaten_is_our_bug() -> None:
    why = lawful.explain(LATTICE, ONE_A)
    rule_free = lawful.decode(LATTICE)
    why.decoding.bound_rules = rule_free.bound_rules  # so that nothing stands in the way of A B A
    with pytest.raises(InternalError, match="more than the answer that was proved best"):
        why.why_not(["A", "B", "A"])


def test_the_dictionary_is_json() -> None:
    told = json.loads(json.dumps(lawful.why_not(LATTICE, ONE_A, ["A", "B", "A"]).to_dict(), allow_nan=False))
    assert told["verdict"] == "illegal" and told["score"] is None and told["behind"] is None
    assert told["broken"] == [{"rule": "one A", "violations": 1, "cost": None, "hard": True}]
    assert told["best_labels"] == ["A", "A", "A"] and told["block"] is None
