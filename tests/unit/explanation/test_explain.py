"""Explanations of answers whose reasons are known by construction."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest

import lawful
from lawful.errors import InfeasibleError, InputError, LimitError, UnboundedError


def lattice(rows, labels="ABO", **more):
    return lawful.Lattice(rows, labels=list(labels), **more)


def test_two_segments_of_one_label() -> None:
    # A B A: joining by A at 1 loses 2; O at 2 instead of A loses 1; B at 0 loses 4.
    problem = lattice([[5, 1, 0], [1, 3, 0], [2, 0, 1]])
    why = lawful.explain(problem, lawful.at_most_segments(1, "A").named("one A"))
    assert why.decoding.labels == ("A", "B", "O")
    (change,) = why.changes
    assert (change.start, change.end, change.before, change.after) == (2, 3, ("A",), ("O",))
    assert change.because == (("one A",),) and change.rules == ("one A",) and change.smallest
    (price,) = why.prices
    assert (price.rule, price.price, price.changes, price.active) == ("one A", 1.0, (2,), True)
    assert why.broken == ()


def test_a_required_label_is_added() -> None:
    problem = lattice([[5, 0, 1], [0, 2, 3], [0, 1, 4]])
    rules = lawful.Rules(
        lawful.requires("A", "B").named("A needs B"), lawful.at_most(1, "A"), lawful.before("A", "B")
    )
    why = lawful.explain(problem, rules)
    assert why.decoding.labels == ("A", "B", "O")
    assert [(one.positions, one.because) for one in why.changes] == [((1,), (("A needs B",),))]
    assert [one.price for one in why.prices] == [1.0, 0.0, 0.0]
    assert [one.rule for one in why.active] == ["A needs B"]


def test_a_change_that_takes_two_rules() -> None:
    # Without rules A A A. Token 2 becomes B only if neither of the cheaper tokens 0 and 1 can.
    problem = lattice([[3.0, 2.8], [3.0, 2.5], [3.0, 0.0]], "AB")
    rules = lawful.Rules(
        lawful.at_least(1, "B").named("a B"),
        lawful.label_at(0, "A").named("first is A"),
        lawful.label_at(1, "A").named("second is A"),
    )
    why = lawful.explain(problem, rules)
    assert why.decoding.labels == ("A", "A", "B")
    (change,) = why.changes
    assert change.because == (("a B", "first is A", "second is A"),)
    # Each of the rules moves the B to the next best place if it is dropped.
    assert [one.price for one in why.prices] == pytest.approx([3.0, 2.8, 2.5])
    assert [one.changes for one in why.prices] == [(2,), (0, 2), (1, 2)]

    pair = lawful.explain(problem, rules.without("second is A"))
    assert pair.changes[0].positions == (1,)
    assert pair.changes[0].because == (("a B", "first is A"),)


def test_alternatives_are_all_told_and_cost_nothing_alone() -> None:
    problem = lattice([[2.0, 0.5], [1.0, 0.0]], "AB")
    rules = lawful.Rules(
        lawful.starts_with("B").named("starts B"), lawful.label_at(0, "B").named("zero is B")
    )
    why = lawful.explain(problem, rules)
    assert why.changes[0].because == (("starts B",), ("zero is B",))
    assert [one.price for one in why.prices] == [0.0, 0.0] and why.active == ()
    assert "any of the 2 rules; the others demand the same" in str(why)


def test_neighbours_with_the_same_reasons_are_one_change() -> None:
    problem = lattice([[2, 1, 0], [2, 1, 0], [2, 1, 0], [2, 1, 0]])
    rules = lawful.Rules(
        lawful.label_at(0, "B").named("p"),
        lawful.uniform([(0, 2)]).named("u"),
        lawful.label_at(3, "B").named("q"),
    )
    why = lawful.explain(problem, rules)
    assert why.decoding.labels == ("B", "B", "A", "B")
    assert [(one.positions, one.because) for one in why.changes] == [
        ((0,), (("p",),)),
        ((1,), (("p", "u"),)),
        ((3,), (("q",),)),
    ]
    together = lawful.explain(problem, lawful.forbid("A").named("no A"))
    assert [(one.positions, one.before, one.because) for one in together.changes] == [
        ((0, 1, 2, 3), ("A",) * 4, (("no A",),))
    ]


def test_soft_rules_that_contradict_each_other() -> None:
    problem = lattice([[1.0, 0.0], [0.0, 0.5]], "AB")
    rules = lawful.Rules(
        lawful.forbid("A").soft(0.4, per="violation", name="no A"),
        lawful.forbid("B").soft(2.0, per="violation", name="no B"),
    )
    why = lawful.explain(problem, rules)
    assert why.decoding.labels == ("A", "A") and why.decoding.score == pytest.approx(0.2)
    assert [(one.rule, one.violations, one.cost) for one in why.broken] == [("no A", 2, pytest.approx(0.8))]
    assert [(one.positions, one.because) for one in why.changes] == [((1,), (("no B",),))]
    # Without "no A" the same labels score 1.0; without "no B" A B pays 0.4 once.
    assert [one.price for one in why.prices] == pytest.approx([0.8, 1.1 - 0.2])
    assert "paid for rules that stay broken" in str(why) and "broken twice" in str(why)


def test_nothing_changes() -> None:
    why = lawful.explain(lattice([[1.0, 0.0]], "AB"), lawful.at_most(1, "A"), runners_up=0)
    assert why.changes == () and why.runners_up == ()
    assert str(why) == "the rules change nothing; the score is 1; proved best"


def test_no_rules_at_all() -> None:
    why = lawful.explain(lattice([[1.0, 0.0]], "AB"))
    assert why.prices == () and [one.labels for one in why.runners_up] == [("B",)]


def test_a_change_that_nothing_forces_is_called_chance() -> None:
    # All that "one A" wants is one B less; which token gives way is the solver's choice.
    problem = lattice([[1.0, 0.0], [1.0, 0.0]], "AB")
    rules = lawful.Rules(lawful.at_most(1, "A"), lawful.at_most(5, "B"))
    chosen = lawful.decode(problem, rules.without("at_most(5, 'B')"))
    mirrored = lawful.decode(problem, rules)
    labels = tuple(1 - label for label in chosen.solution.labels)
    mirrored.__dict__["solution"] = replace(mirrored.solution, labels=labels)
    why = lawful.explain(mirrored)
    (change,) = why.changes
    assert change.because == () and change.rules == ()
    assert "a tie: an equally good answer leaves this unchanged" in str(why)
    assert why.runners_up[0].labels == chosen.labels and why.runners_up[0].behind == 0.0
    assert "as good" in str(why)


def test_few_sets_leave_a_minimal_reason() -> None:
    problem = lattice([[3.0, 2.8], [3.0, 2.5], [3.0, 0.0]], "AB")
    rules = [lawful.at_least(1, "B"), lawful.label_at(0, "A"), lawful.label_at(1, "A")]
    (change,) = lawful.explain(problem, rules, max_sets=1).changes
    assert not change.smallest and len(change.because[0]) == 3


def test_a_decoding_is_explained_as_it_is() -> None:
    problem = lattice([[2.0, 0.0], [2.0, 1.0]], "AB")
    decoding = lawful.decode(problem, lawful.at_most(1, "A"), solver="brute_force")
    why = lawful.explain(decoding, timeout=10.0)
    assert why.decoding is decoding
    with pytest.raises(InputError, match="brings its own rules"):
        lawful.explain(decoding, lawful.forbid("A"))
    with pytest.raises(InputError, match="brings its own options"):
        lawful.explain(decoding, solver="relaxation")


def test_a_batch_can_be_explained() -> None:
    problems = [lattice([[2.0, 0.0], [2.0, 1.0]], "AB"), lattice([[0.0, 1.0]], "AB")]
    found = lawful.Decoder(lawful.at_most(1, "A"), labels=["A", "B"]).decode_batch(problems)
    assert [len(lawful.explain(one).changes) for one in found] == [1, 0]


def test_answers_that_are_not_proved_are_refused() -> None:
    problem = lattice([[2.0, 0.0], [2.0, 1.0]], "AB")
    clash = [lawful.forbid("A"), lawful.at_least(1, "A")]
    with pytest.raises(InfeasibleError):
        lawful.explain(problem, clash)
    with pytest.raises(InputError, match="'infeasible'; make some of the contradictory rules soft"):
        lawful.explain(problem, clash, on_infeasible="least_bad")
    with pytest.raises(InputError, match="decode without max_loss"):
        lawful.explain(problem, lawful.forbid("A"), max_loss=0.5)
    with pytest.raises(LimitError):
        lawful.explain(problem, lawful.at_most(1, "A"), max_states=1)
    with pytest.raises(InputError, match="runners_up"):
        lawful.explain(problem, runners_up=-1)


def test_graphs_whose_paths_differ_in_length() -> None:
    graph = lawful.GraphLattice.from_nbest(
        [(["A", "B"], 3.0), (["A"], 2.0), (["B", "B", "A"], 1.0)], labels=["A", "B"]
    )
    why = lawful.explain(graph, lawful.ends_with("A").named("ends A"))
    assert why.decoding.labels == ("A",)
    (change,) = why.changes
    assert (change.before, change.after, change.because) == (("B",), (), (("ends A",),))
    assert [(one.labels, one.behind) for one in why.runners_up] == [(("B", "B", "A"), 1.0)]
    assert "B       ->  nothing" in str(why)


def test_a_graph_without_a_plain_answer() -> None:
    graph = lawful.GraphLattice.from_arcs([(0, 0, "A", 1.0), (0, 1, "B", 0.0)], labels=["A", "B"], finals=[1])
    with pytest.raises(UnboundedError):
        lawful.explain(graph, lawful.at_most(2, "A"))


def test_the_dictionary_is_json_and_says_what_the_object_says() -> None:
    problem = lattice([[5, 1, 0], [1, 3, 0], [2, 0, 1]], tokens=["x", {"word": "y"}, ("z", 1)])
    why = lawful.explain(problem, [lawful.at_most_segments(1, "A"), lawful.forbid("B").soft(0.25)])
    told = json.loads(json.dumps(why.to_dict(), allow_nan=False))
    assert told["labels"] == list(why.decoding.labels) and told["score"] == why.decoding.score
    assert told["changes"][0]["because"] == [["at_most_segments(1, 'A')"]]
    assert told["broken"] == [{"rule": "forbid('B')", "violations": 1, "cost": 0.25, "hard": False}]
    assert [one["behind"] for one in told["runners_up"]] == [one.behind for one in why.runners_up]
    assert told["tokens"] == ["x", "y", "z"]


def test_rules_that_look_at_tokens_and_context() -> None:
    problem = lattice(
        np.array([[2.0, 1.0, 0.0]] * 3), tokens=["red", "7", "blue"], context={"spans": [(0, 2)]}
    )
    rules = lawful.Rules(
        lawful.when(lawful.token.matches(r"\d")).then("B").named("digits"),
        lawful.uniform(lawful.context("spans")).named("spans"),
    )
    why = lawful.explain(problem, rules)
    assert [(one.positions, one.because) for one in why.changes] == [
        ((0,), (("digits", "spans"),)),
        ((1,), (("digits",),)),
    ]
