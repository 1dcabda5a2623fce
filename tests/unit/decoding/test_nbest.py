"""N-best lists: lazily, for any n, each label sequence once."""

from __future__ import annotations

from itertools import islice, pairwise

import numpy as np
import pytest

import lawful
from lawful import Decoder, GraphLattice, Lattice, LimitError
from lawful.decoding import Scored
from lawful.decoding.answers import ranking
from lawful.errors import GraphError, InputError, InternalError, ProductTooLargeError

AB = ["A", "B"]
SMALL = Lattice([[2.0, 0.0], [0.0, 1.0], [3.0, 0.0]], labels=AB)


def many_paths(length: int, hidden: int = 4) -> GraphLattice:
    """Several hidden states a label, as in a hidden Markov model: hidden**length paths for every label sequence."""
    rng = np.random.default_rng(0)
    arcs = []
    for t in range(length):
        before = range(1 + (t - 1) * hidden, 1 + t * hidden) if t else range(1)
        for source in before:
            for target in range(1 + t * hidden, 1 + (t + 1) * hidden):
                arcs += [(source, target, label, float(rng.normal())) for label in AB]
    last = 1 + (length - 1) * hidden
    return GraphLattice.from_arcs(arcs, labels=AB, finals=range(last, last + hidden))


def test_the_first_is_what_decoding_finds() -> None:
    rng = np.random.default_rng(1)
    lattice = Lattice(rng.normal(size=(30, 6)), rng.normal(size=(6, 6)), labels=list("ABCDEF"))
    rules = [
        *(lawful.at_most_segments(1, name) for name in "ABC"),
        lawful.at_least(2, "D").soft(1.5, per="violation"),
    ]
    best = lawful.decode(lattice, rules)
    first, second = lawful.nbest(lattice, rules, n=2)
    assert first.labels == best.labels
    assert first.score == pytest.approx(best.score)
    assert second.score < first.score


def test_a_long_list_of_a_large_lattice_is_sorted_and_all_different() -> None:
    rng = np.random.default_rng(2)
    labels = list("ABCDEFGH")
    lattice = Lattice(rng.normal(size=(50, 8)), rng.normal(size=(8, 8)), labels=labels)
    rules = lawful.Rules(lawful.at_most_segments(1, "A"), lawful.exactly(3, "B"))
    found = list(islice(lawful.decoding.iterate_best(lattice, rules), 3000))
    assert len({one.labels for one in found}) == 3000
    assert all(worse.score <= better.score + 1e-9 for better, worse in pairwise(found))
    assert not any(any(rules.violations(one.labels, None, {}).values()) for one in found[::100])


def test_fewer_are_given_if_fewer_are_legal() -> None:
    assert len(lawful.nbest(SMALL, n=100)) == 8
    assert lawful.nbest(
        SMALL, lawful.label_at(0, "A") & lawful.label_at(1, "A") & lawful.label_at(2, "B")
    ) == [Scored(("A", "A", "B"), 2.0)]
    assert lawful.nbest(SMALL, n=0) == []


def test_nothing_legal_gives_an_empty_list() -> None:
    assert lawful.nbest(SMALL, [lawful.forbid("A"), lawful.forbid("B")]) == []
    assert list(lawful.decoding.iterate_best(Lattice([[-np.inf, -np.inf]]))) == []


def test_a_negative_n_is_refused() -> None:
    with pytest.raises(InputError, match="-1"):
        lawful.nbest(SMALL, n=-1)


def test_soft_rules_lower_scores_by_their_prices() -> None:
    rule = lawful.forbid("A").soft(1.25, per="violation")
    assert lawful.nbest(SMALL, rule, n=2) == [Scored(("A", "B", "A"), 3.5), Scored(("B", "B", "A"), 2.75)]


def test_a_prepared_lattice_is_welcome() -> None:
    decoder = Decoder(lawful.at_most(1, "A"), labels=AB)
    [prepared] = decoder.prepare([SMALL])
    assert decoder.nbest(prepared, 3) == decoder.nbest(SMALL, 3)


def test_of_many_paths_for_one_sequence_the_best_counts_and_no_sequence_comes_twice() -> None:
    graph = many_paths(25)  # 4**25 paths spell each sequence: looking at paths would never end
    found = lawful.nbest(graph, lawful.at_most_segments(2, "A"), n=50)
    assert len({one.labels for one in found}) == 50
    assert [one.score for one in found] == sorted((one.score for one in found), reverse=True)
    assert found[0].score == pytest.approx(lawful.decode(graph, lawful.at_most_segments(2, "A")).score)


LOOP = GraphLattice.from_arcs([(0, 0, "A", -1.0), (0, 1, "B", 0.0)], labels=AB, finals=[1])


class TestCycles:
    def test_an_open_cycle_is_an_error(self) -> None:
        with pytest.raises(GraphError, match="cycle"):
            lawful.nbest(LOOP)

    def test_a_rule_may_close_it(self) -> None:
        found = lawful.nbest(LOOP, lawful.at_most(2, "A"))
        assert found == [Scored(("B",), 0.0), Scored(("A", "B"), -1.0), Scored(("A", "A", "B"), -2.0)]


LARGE = Lattice(np.zeros((40, 6)), labels=list("ABCDEF"))
FIVES = lawful.Rules(lawful.exactly(5, name).named(f"five {name}") for name in "ABCD")


class TestLimits:
    def test_the_error_names_the_size_and_the_rule(self) -> None:
        with pytest.raises(
            ProductTooLargeError, match=r"10,\d{3} states, past max_states=10000, with rule 'five"
        ) as caught:
            lawful.nbest(LARGE, FIVES, max_states=10_000)
        assert isinstance(caught.value, LimitError)
        assert caught.value.limit == "max_states"
        assert caught.value.states > 10_000

    def test_memory_and_time_are_limits_too(self) -> None:
        with pytest.raises(ProductTooLargeError, match="max_memory=1e"):
            lawful.nbest(LARGE, FIVES, max_memory=1_000_000)
        with pytest.raises(ProductTooLargeError, match="timeout=1e-06"):
            lawful.nbest(LARGE, FIVES, timeout=1e-6)

    def test_a_lattice_can_be_too_large_by_itself(self) -> None:
        with pytest.raises(ProductTooLargeError, match="lattice alone") as caught:
            lawful.nbest(LARGE, max_states=240)
        assert caught.value.states == 241
        with pytest.raises(ProductTooLargeError, match="max_memory"):
            lawful.nbest(LARGE, max_memory=20_000)


def test_a_wrong_score_is_an_internal_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ranking, "path_terms", lambda *_: [0.125])
    with pytest.raises(InternalError, match="please report"):
        lawful.nbest(SMALL)
