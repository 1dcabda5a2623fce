"""Log-partition, marginals and counts: their meaning, their errors, and that numbers stay sound."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from itertools import product

import numpy as np
import pytest

import lawful
from lawful import Decoder, GraphLattice, InfeasibleError, Lattice
from lawful.decoding import Marginals
from lawful.errors import GraphError, InputError, ProductTooLargeError, ShapeError, UnknownLabelError

AB = ["A", "B"]
EVEN = Lattice(np.zeros((3, 2)), labels=AB)


def forward_backward(lattice: Lattice) -> tuple[float, np.ndarray]:
    """Log-partition and label marginals without rules, as in any textbook."""
    emissions, steps = (
        lattice.emissions,
        np.broadcast_to(lattice.transitions, (len(lattice) - 1, *lattice.transitions.shape[-2:])),
    )
    alpha, beta = [emissions[0]], [np.zeros(emissions.shape[1])]
    for t in range(1, len(lattice)):
        alpha.append(np.logaddexp.reduce(alpha[-1][:, None] + steps[t - 1], axis=0) + emissions[t])
        beta.append(np.logaddexp.reduce(steps[-t] + (emissions[-t] + beta[-1]), axis=1))
    total = float(np.logaddexp.reduce(alpha[-1]))
    return total, np.exp(np.array(alpha) + np.array(beta[::-1]) - total)


@pytest.mark.parametrize("scale", [0.01, 1.0, 30.0, 1000.0])
def test_long_sequences_and_large_scores_stay_sound(scale: float) -> None:
    rng = np.random.default_rng(5)
    lattice = Lattice(
        scale * rng.normal(size=(50, 7)), scale * rng.normal(size=(7, 7)), labels=list("ABCDEFG")
    )
    total, table = forward_backward(lattice)
    found = lawful.marginals(lattice)
    assert found.log_partition == pytest.approx(total, rel=1e-12)
    np.testing.assert_allclose(found.labels, table, rtol=0, atol=1e-9)
    ruled = lawful.marginals(lattice, [lawful.at_most_segments(1, "A"), lawful.exactly(2, "B").soft(scale)])
    np.testing.assert_allclose(ruled.labels.sum(axis=1), 1.0, rtol=1e-9)


def test_a_sequence_of_thousands_of_tokens_neither_overflows_nor_fades() -> None:
    lattice = Lattice(np.full((4000, 2), -700.0), labels=AB)
    found = lawful.marginals(lattice, lawful.at_most(1, "B"))
    assert found.log_partition == pytest.approx(-700.0 * 4000 + np.log(4001), rel=1e-12)
    assert found.labels[1234] == pytest.approx([4000 / 4001, 1 / 4001])
    assert found.confidence(["A"] * 4000) == pytest.approx(1 / 4001)


def test_rules_that_always_hold_change_nothing() -> None:
    rng = np.random.default_rng(6)
    lattice = Lattice(rng.normal(size=(6, 3)), rng.normal(size=(3, 3)), labels=list("ABC"))
    plain, ruled = lawful.marginals(lattice), lawful.marginals(lattice, lawful.at_most(6, "A"))
    np.testing.assert_allclose(plain.labels, ruled.labels, atol=1e-12)
    assert plain.log_partition == pytest.approx(ruled.log_partition)


def test_a_hard_rule_is_conditioning() -> None:
    """What the tagger thinks of the rule is the difference of two log-partitions."""
    lattice = Lattice([[0.0, 1.0], [0.5, 0.0]], labels=AB)
    share = np.exp(
        lawful.decoding.log_partition(lattice, lawful.at_least(1, "A"))
        - lawful.decoding.log_partition(lattice)
    )
    assert share == pytest.approx(1 - lawful.marginals(lattice).confidence(["B", "B"]))


def test_a_price_is_odds() -> None:
    found = lawful.marginals(EVEN, lawful.forbid("A").soft(np.log(2.0), per="violation"))
    assert found.labels == pytest.approx(np.full((3, 2), [1 / 3, 2 / 3]))


class TestSpansAndSegments:
    @pytest.fixture
    def found(self) -> Marginals:
        return lawful.marginals(EVEN)

    def test_a_span_may_go_on_outside(self, found: Marginals) -> None:
        assert found.span(1, 2, "A") == pytest.approx(1 / 2)
        assert found.span(0, 3, "A") == pytest.approx(1 / 8)

    def test_a_segment_is_exactly_there(self, found: Marginals) -> None:
        assert found.segment(1, 2, "A") == pytest.approx(1 / 8)
        assert found.segment(0, 2, "A") == found.segment(1, 3, "A") == pytest.approx(1 / 8)
        assert found.segment(0, 3, "A") == pytest.approx(1 / 8)

    def test_segments_that_cover_a_token_share_its_probability(self) -> None:
        rng = np.random.default_rng(7)
        found = lawful.marginals(
            Lattice(rng.normal(size=(5, 3)), rng.normal(size=(3, 3)), labels=list("ABC")),
            lawful.at_most(3, "B"),
        )
        covering = [found.segment(start, end, "B") for start in range(3) for end in range(3, 6)]
        assert sum(covering) == pytest.approx(found.labels[2, 1])

    @pytest.mark.parametrize("span", [(-1, 2), (1, 1), (2, 1), (0, 4)])
    def test_a_span_must_fit(self, found: Marginals, span: tuple[int, int]) -> None:
        with pytest.raises(InputError, match="3 tokens"):
            found.span(*span, "A")
        with pytest.raises(InputError, match="3 tokens"):
            found.segment(*span, "A")

    @pytest.mark.parametrize(
        ("start", "count", "or_end"), [(-1, 1, False), (3, 1, False), (3, 2, True), (1, 3, False)]
    )
    def test_a_window_must_fit(self, found: Marginals, start: int, count: int, or_end: bool) -> None:
        with pytest.raises(InputError, match="3 tokens"):
            found.window(start, ["A"] * count, or_end=or_end)

    def test_labels_must_be_known(self, found: Marginals) -> None:
        with pytest.raises(UnknownLabelError):
            found.span(0, 1, "C")
        with pytest.raises(UnknownLabelError):
            found.segment(0, 1, "C")
        with pytest.raises(UnknownLabelError):
            found.confidence(["A", "A", "C"])


def test_confidence_wants_one_label_a_token() -> None:
    with pytest.raises(ShapeError, match="one for each token"):
        lawful.marginals(EVEN).confidence(["A"])


def test_the_table_is_read_only() -> None:
    with pytest.raises(ValueError, match="read-only"):
        lawful.marginals(EVEN).labels[0, 0] = 1.0


def test_infeasible_problems_name_the_contradiction() -> None:
    rules = [
        lawful.forbid("A").named("no A"),
        lawful.label_at(2, "A").named("ends in A"),
        lawful.at_most(3, "B"),
    ]
    assert lawful.decoding.log_partition(EVEN, rules) == -np.inf
    assert lawful.decoding.count_legal(EVEN, rules) == 0
    for ask in (lawful.marginals, lawful.decoding.sample):
        with pytest.raises(InfeasibleError) as caught:
            ask(EVEN, rules)
        assert caught.value.rules == ("no A", "ends in A")


class TestCounts:
    def test_counts_of_any_size_are_exact(self) -> None:
        lattice = Lattice(np.zeros((300, 5)), labels=list("ABCDE"))
        assert lawful.decoding.count_legal(lattice) == 5**300
        assert lawful.decoding.count_legal(lattice, lawful.exactly(1, "A")) == 300 * 4**299

    def test_carries_run_through(self) -> None:
        lattice = Lattice(np.zeros((128, 2)), labels=AB)
        assert lawful.decoding.count_legal(lattice, lawful.at_least(1, "A")) == 2**128 - 1

    def test_soft_rules_forbid_nothing_and_add_no_states(self) -> None:
        soft = lawful.at_most(50, "A").soft(1e6)
        assert (
            lawful.decoding.count_legal(Lattice(np.zeros((100, 2)), labels=AB), soft, max_states=201)
            == 2**100
        )

    def test_scores_of_minus_infinity_forbid(self) -> None:
        assert lawful.decoding.count_legal(Lattice([[0.0, -np.inf], [0.0, 0.0]], labels=AB)) == 2


# Two paths spell A A; the better one scores 2.
AMBIGUOUS = GraphLattice.from_arcs(
    [(0, 1, "A", 1.0), (0, 2, "A", 0.0), (1, 3, "A", 1.0), (2, 3, "A", 0.5), (2, 3, "B", 1.0)],
    labels=AB,
    finals=[3],
)
# A or B, then perhaps another A: the same state is reached after different numbers of labels.
UNEVEN = GraphLattice.from_arcs(
    [(0, 1, "A", 0.0), (0, 1, "B", 0.0), (1, 2, "A", 0.0), (0, 2, None, 0.0)], labels=AB, finals=[1, 2]
)


class TestGraphs:
    def test_a_sequence_counts_once_with_its_best_path(self) -> None:
        assert lawful.decoding.count_legal(AMBIGUOUS) == 2
        assert lawful.decoding.log_partition(AMBIGUOUS) == pytest.approx(np.logaddexp(2.0, 1.0))

    def test_paths_of_different_lengths(self) -> None:
        found = lawful.marginals(UNEVEN)  # nothing, A, B, A A, B A
        assert found.length == 2
        assert found.labels == pytest.approx(np.array([[0.4, 0.4], [0.4, 0.0]]))
        assert found.confidence([]) == pytest.approx(0.2)
        assert found.segment(0, 1, "A") == pytest.approx(0.2)
        assert sorted(set(found.sample(200, seed=1))) == [(), ("A",), ("A", "A"), ("B",), ("B", "A")]

    def test_states_without_a_position_are_told_apart(self) -> None:
        skip = GraphLattice.from_arcs(
            [(0, 1, "A", 0.0), (1, 2, "B", 0.0), (0, 2, "B", 0.0), (2, 3, "A", 0.0)], labels=AB, finals=[3]
        )
        assert lawful.marginals(skip).labels == pytest.approx(np.array([[0.5, 0.5], [0.5, 0.5], [0.5, 0.0]]))

    def test_an_open_cycle_is_an_error(self) -> None:
        loop = GraphLattice.from_arcs([(0, 0, "A", -1.0), (0, 1, "B", 0.0)], labels=AB, finals=[1])
        for ask in (
            lawful.decoding.log_partition,
            lawful.marginals,
            lawful.decoding.sample,
            lawful.decoding.count_legal,
        ):
            with pytest.raises(GraphError, match="cycle"):
                ask(loop)
        assert lawful.decoding.count_legal(loop, lawful.at_most(6, "A")) == 7

    def test_too_many_ways_to_spell_are_a_limit(self) -> None:
        rng = np.random.default_rng(8)
        arcs = [
            (6 * t + i, 6 * t + 6 + j, label, float(rng.normal()))
            for t, i, j, label in product(range(20), range(6), range(6), AB)
        ]
        graph = GraphLattice.from_arcs(arcs, labels=AB, finals=range(120, 126))
        with pytest.raises(ProductTooLargeError, match="spell the same labels"):
            lawful.decoding.log_partition(graph, max_states=1000)
        assert lawful.decoding.count_legal(graph, max_states=1000) == 2**20


def test_the_decoders_own_limits_hold() -> None:
    decoder = Decoder([lawful.at_most(9, "A"), lawful.at_most(8, "B").soft(1.0)], labels=AB, max_states=60)
    with pytest.raises(ProductTooLargeError) as caught:
        decoder.marginals(Lattice(np.zeros((20, 2)), labels=AB))
    assert caught.value.value == 60


def test_many_threads_may_share_one_distribution() -> None:
    rng = np.random.default_rng(9)
    lattice = Lattice(rng.normal(size=(30, 5)), labels=list("ABCDE"))
    found = lawful.marginals(lattice, lawful.at_most_segments(1, "A"))
    with ThreadPoolExecutor(4) as pool:
        several = list(pool.map(lambda _: (found.span(3, 9, "B"), found.sample(20, seed=3)), range(16)))
    assert all(one == several[0] for one in several)
