"""A decoder: what it accepts, what it refuses, and that nothing changes it afterwards."""

from __future__ import annotations

import gc

import numpy as np
import pytest

import lawful
from lawful import Decoder, LabelSet, Lattice, decode
from lawful.decoding import Prepared
from lawful.errors import InputError, LabelSetError, RuleError, UnpricedRuleError
from lawful.testing import enumerate_best, random_lattice, random_rules, same_score

AB = LabelSet(["A", "B"])
LATTICE = Lattice([[2.0, 0.0], [0.0, 1.0], [3.0, 0.0]], labels=AB)
ONE_SEGMENT = lawful.at_most_segments(1, "A")


# --- what it accepts ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "rules",
    [ONE_SEGMENT, [ONE_SEGMENT], (ONE_SEGMENT,), iter([ONE_SEGMENT]), lawful.Rules(ONE_SEGMENT)],
    ids=["rule", "list", "tuple", "iterator", "Rules"],
)
def test_rules_come_in_any_form(rules) -> None:
    assert Decoder(rules, labels=AB).decode(LATTICE).labels == ("A", "A", "A")


@pytest.mark.parametrize("labels", [AB, ["A", "B"], ("A", "B"), iter("AB")])
def test_labels_come_in_any_form(labels) -> None:
    assert Decoder(labels=labels).labels == AB


def test_without_rules_it_is_viterbi() -> None:
    found = Decoder(labels=AB).decode(LATTICE)
    assert (found.labels, found.score, found.status) == (("A", "B", "A"), 6.0, "optimal")
    assert (found.loss, found.changed, found.broken) == (0.0, (), ())


def test_the_function_is_the_object() -> None:
    assert decode(LATTICE, ONE_SEGMENT).labels == Decoder(ONE_SEGMENT, labels=AB).decode(LATTICE).labels
    assert decode(LATTICE, ONE_SEGMENT, solver="brute_force").solver == "brute_force"


def test_the_function_tells_options_apart() -> None:
    plain = decode(LATTICE, lawful.forbid("A"), max_loss=1.0)
    ruled = decode(LATTICE, lawful.forbid("A"), max_loss=100.0)
    assert (plain.labels, ruled.labels) == (("A", "B", "A"), ("B", "B", "B"))


def test_equal_label_sets_need_not_be_the_same_object() -> None:
    other = Lattice([[0.0, 1.0]], labels=["A", "B"])
    assert Decoder(labels=["A", "B"]).decode(other).labels == ("B",)


# --- what it refuses ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("solver", ["auto", "viterbi", "relaxation", "brute_force", "branch_and_bound"])
@pytest.mark.parametrize("labels", [["B", "A"], ["A"], ["A", "B", "C"]])
def test_other_labels_are_refused(solver: str, labels: list[str]) -> None:
    with pytest.raises(LabelSetError) as caught:
        Decoder(labels=labels, solver=solver).decode(LATTICE)
    assert (caught.value.expected, caught.value.got) == (tuple(labels), ("A", "B"))


def test_a_batch_says_which_sequence_has_other_labels() -> None:
    with pytest.raises(LabelSetError) as caught:
        Decoder(labels=AB).decode_batch([LATTICE, Lattice([[0.0]], labels=["A"])])
    assert caught.value.__notes__ == ["in sequence 2 of the batch"]


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"solver": "magic"}, "unknown solver 'magic'"),
        ({"on_limit": "stop"}, "on_limit must be 'raise' or 'bounded', got 'stop'"),
        ({"on_infeasible": "shrug"}, "on_infeasible must be 'raise' or 'least_bad'"),
        ({"on_exceed": "ruled"}, "on_exceed must be 'plain' or 'raise'"),
        ({"max_states": 0}, "max_states must be a whole number of 1 or more, got 0"),
        ({"timeout": -1.0}, "timeout must be a number above 0"),
        ({"timeout": float("nan")}, "timeout must be a number above 0"),
        ({"max_memory": 0}, "max_memory must be a whole number of 1 or more"),
        ({"max_loss": -0.5}, "max_loss must be a number of 0 or more"),
        ({"max_loss": float("nan")}, "max_loss must be a number of 0 or more"),
    ],
)
def test_bad_options_are_refused_at_once(options: dict[str, object], says: str) -> None:
    with pytest.raises(InputError, match=says):
        Decoder(labels=AB, **options)


def test_an_unpriced_rule_is_refused_at_once() -> None:
    with pytest.raises(UnpricedRuleError):
        Decoder(lawful.forbid("A").soft("learn"), labels=AB)


def test_viterbi_refuses_rules_with_memory() -> None:
    decoder = Decoder([lawful.forbid("B"), ONE_SEGMENT.named("once")], labels=AB, solver="viterbi")
    with pytest.raises(RuleError, match=r"rule 'once' .* solver='auto'"):
        decoder.decode(LATTICE)


def test_viterbi_takes_local_rules() -> None:
    rules = [
        lawful.allowed_transitions([("A", "A"), ("A", "B"), ("B", "B")]),
        lawful.label_at(0, "B").soft(0.5, per="violation"),
    ]
    found = decode(LATTICE, rules, solver="viterbi")
    best = enumerate_best(LATTICE, rules)
    assert best is not None
    assert (found.labels, found.status) == (best.labels, "optimal")


# --- prepared lattices --------------------------------------------------------------------------------------


def test_a_prepared_lattice_decodes_like_the_lattice() -> None:
    decoder = Decoder(ONE_SEGMENT, labels=AB)
    [prepared] = decoder.prepare([LATTICE])
    assert isinstance(prepared, Prepared)
    assert decoder.decode(prepared).labels == decoder.decode(LATTICE).labels
    assert decoder.decode_batch([prepared, LATTICE, prepared]).scores.tolist() == [5.0] * 3


@pytest.mark.parametrize("solver", ["relaxation", "brute_force", "branch_and_bound"])
def test_other_solvers_take_prepared_lattices(solver: str) -> None:
    decoder = Decoder(ONE_SEGMENT, labels=AB, solver=solver)
    assert decoder.decode(decoder.prepare([LATTICE])[0]).score == 5.0


def test_preparing_looks_at_tokens_once() -> None:
    looked_at = []
    test = lawful.token.test(lambda one: bool(looked_at.append(one)) or one == "x")
    decoder = Decoder(lawful.when(test).then("B"), labels=AB)
    lattice = Lattice([[1.0, 0.0], [1.0, 0.0]], labels=AB, tokens=["x", "y"])
    [prepared] = decoder.prepare([lattice])
    seen = len(looked_at)
    assert decoder.decode(prepared).labels == ("B", "A")
    assert (seen, len(looked_at)) == (2, 2)


# --- nothing shared changes ---------------------------------------------------------------------------------


def test_arrays_that_the_caller_changes_later_do_not_matter() -> None:
    rng = np.random.default_rng(5)
    arrays = {
        "emissions": rng.normal(size=(6, 3)),
        "transitions": rng.normal(size=(3, 3)),
        "start": rng.normal(size=3),
        "end": rng.normal(size=3),
        "mask": np.array([[True, True, True]] * 5 + [[True, False, True]]),
    }
    tokens, spans = list("abcabc"), [(0, 2)]
    kept = {name: array.copy() for name, array in arrays.items()}
    rules = [lawful.at_most(2, "A"), lawful.uniform(spans), lawful.when(lawful.token.is_in(["a"])).never("C")]
    labels = ["A", "B", "C"]
    decoder = Decoder(rules, labels=labels)
    lattice = Lattice(**arrays, labels=labels, tokens=tokens)
    [prepared] = decoder.prepare([lattice])
    for array in arrays.values():
        array[...] = array[::-1].copy() if array.dtype == bool else 99.0
    tokens[:] = ["z"] * 6
    spans[:] = [(0, 6)]
    labels[:] = ["Z"]
    expected = decode(Lattice(**kept, labels=["A", "B", "C"], tokens=list("abcabc")), rules)
    for given in (lattice, prepared):
        found = decoder.decode(given)
        assert (found.labels, found.score) == (expected.labels, expected.score)


def test_what_a_lattice_shows_cannot_be_written() -> None:
    lattice = Lattice([[1.0, 2.0]], [[0.0, 0.0], [0.0, 0.0]], start=[0.0, 0.0], end=[0.0, 0.0])
    for array in (lattice.emissions, lattice.transitions, lattice.start, lattice.end):
        with pytest.raises(ValueError, match="read-only"):
            array[...] = 0.0
    with pytest.raises(ValueError, match="read-only"):
        Decoder(labels=lattice.labels).decode_batch([lattice]).scores[:] = 0.0


def test_results_outlive_what_they_came_from() -> None:
    rng = np.random.default_rng(6)
    labels = LabelSet(list("ABC"))
    decoder = Decoder(lawful.Rules(lawful.at_most(2, "A"), lawful.before("B", "C")), labels=labels)
    emissions = [rng.normal(size=(5, 3)) for _ in range(40)]
    results = decoder.decode_batch([Lattice(one, labels=labels) for one in emissions])
    expected = [decoder.decode(Lattice(one, labels=labels)).labels for one in emissions]
    views = [Lattice(one, labels=labels).emissions for one in emissions]
    del decoder
    gc.collect()
    assert [one.labels for one in results] == expected
    assert all(np.array_equal(view, one) for view, one in zip(views, emissions, strict=True))
    assert results[3].plain.score >= results[3].score


def test_every_call_gives_the_same_answer() -> None:
    """Ties included: alone, again, with a fresh decoder, in a batch."""
    for seed in range(60):
        rng = np.random.default_rng([11, seed])
        labels = LabelSet(list("ABC"))
        rules = random_rules(rng, labels, 3, hard=0.0, length=5)
        lattices = [random_lattice(rng, labels=labels, length=5, ties=True, forbid=0.0) for _ in range(3)]
        decoder = Decoder(rules, labels=labels)
        alone = [decoder.decode(one).solution for one in lattices]
        assert [decoder.decode(one).solution for one in reversed(lattices)] == alone[::-1]
        assert [Decoder(rules, labels=labels).decode(one).solution for one in lattices] == alone
        for jobs in (1, 2):
            assert [one.solution for one in decoder.decode_batch(lattices * 20, jobs=jobs)] == alone * 20


def test_plain_ties_break_by_label_order() -> None:
    assert decode(Lattice(np.zeros((4, 3)), labels=list("ABC"))).labels == ("A",) * 4
    switch = [[0.0, 1.0], [1.0, 0.0]]
    assert decode(Lattice(np.zeros((4, 2)), switch, labels=AB)).labels == ("A", "B", "A", "B")


def test_scores_of_all_sizes_are_kept_apart() -> None:
    for scale in (1e-12, 1.0, 1e12, 1e100):
        rng = np.random.default_rng(3)
        lattice = Lattice(rng.normal(size=(5, 3)) * scale, labels=list("ABC"))
        rules = [lawful.exactly(2, "A"), lawful.before("B", "C")]
        best = enumerate_best(lattice, rules)
        assert best is not None
        found = decode(lattice, rules)
        assert found.labels == best.labels
        assert same_score(found.score / scale, best.score / scale)
