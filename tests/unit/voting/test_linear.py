"""Linear votes: tiny probabilities, tolerance, path limits, and limits of the call."""

from __future__ import annotations

import math
import time
from typing import Any

import numpy as np
import pytest

import lawful
from lawful.errors import InputError, LimitError
from lawful.lattice import Lattice, path_score
from lawful.testing import clause_lattices, enumerate_all, random_clauses, random_ensemble
from lawful.voting import canonical_states, find_linear_winners, vote_on
from lawful.voting.linear_votes.dominance import drop_dominated


def linear_scores(
    lattices: list[lawful.lattice.AnyLattice], weights: tuple[float, ...]
) -> dict[tuple[str, ...], float]:
    """Every label sequence with the log of its weighted probability."""
    scored: dict[tuple[str, ...], list[float]] = {}
    for lattice, weight in zip(lattices, weights, strict=True):
        total = lawful.decoding.log_partition(lattice)
        for labels, score in enumerate_all(lattice):
            scored.setdefault(labels, []).append(math.log(weight) + score - total)
    return {labels: float(np.logaddexp.reduce(terms)) for labels, terms in scored.items()}


def test_probabilities_far_below_the_smallest_number_still_decide() -> None:
    """Each step of the right path has the probability exp(-400) by one model; the other forbids all but two paths."""
    steep = Lattice([[0.0, -400.0, -401.0]] * 6, labels=["A", "B", "C"])
    never = float("-inf")
    strict = Lattice(
        [[never, 0.0, 0.0]] * 6,
        [[never] * 3, [never, 0.0, never], [never, never, 0.0]],
        labels=["A", "B", "C"],
    )
    rules = lawful.forbid("A")
    vote = vote_on(
        [steep, Lattice([[0.0, -500.0, -500.5]] * 6, labels=["A", "B", "C"])], method="linear", rules=rules
    )
    assert vote.labels == ("B",) * 6 and vote.status == "optimal"
    assert vote.score == pytest.approx(math.log(0.5) - 2400.0)
    both = vote_on([steep, strict], [1.0, 1e-300], method="linear", rules=rules)
    assert both.labels == ("B",) * 6
    assert both.score == pytest.approx(math.log(1e-300) + math.log(0.5))


def test_the_approximate_vote_never_loses_more_than_its_bound() -> None:
    approximate = 0
    for seed in range(60):
        rng = np.random.default_rng([1, seed])
        ensemble = random_ensemble(rng, rules=0, forbid=0.0)
        lattices, weights = list(ensemble.lattices), ensemble.weights
        best = max(linear_scores(lattices, weights).values())
        tolerance = float(rng.choice([0.01, 0.1, 0.5]))
        for options in ({"tolerance": tolerance}, {"max_paths": 1}):
            vote = vote_on(lattices, weights, method="linear", **options)
            assert vote.score <= best + 1e-9 <= vote.bound + 2e-9
            if "tolerance" in options:
                assert vote.score >= best + math.log1p(-tolerance) - 1e-9
            if vote.status == "optimal":
                assert vote.score == pytest.approx(best)
            else:
                approximate += 1
    assert approximate  # some of them really were


def test_without_bounds_the_search_is_the_thesis_own_and_as_exact() -> None:
    programs = 0
    for seed in range(6):
        rng = np.random.default_rng([2, seed])
        lattices = [random_lattice_of(rng, 6) for _ in range(4)]
        graphs = [canonical_states(lattice) for lattice in lattices]
        bound = lawful.Decoder(labels=lattices[0].labels).bind(6)
        [fast] = find_linear_winners(graphs, [[0.25] * 4], bound)
        [slow] = find_linear_winners(graphs, [[0.25] * 4], bound, use_bounds=False)
        assert fast.score == pytest.approx(slow.score, abs=1e-9)
        assert slow.paths.most >= fast.paths.most
        programs += slow.paths.programs
    assert programs


def random_lattice_of(rng: np.random.Generator, length: int) -> Lattice:
    return Lattice(rng.normal(size=(length, 3)), rng.normal(size=(3, 3)), labels=["A", "B", "C"])


@pytest.mark.parametrize("entries", [2, 3, 5])
def test_what_is_dropped_is_never_needed(entries: int) -> None:
    """For random numbers that may come later, the best way is among those that were kept."""
    rng = np.random.default_rng(entries)
    for _ in range(20):
        values = rng.normal(scale=float(rng.choice([0.5, 5.0, 400.0])), size=(30, entries))
        values[rng.random(values.shape) < 0.1] = -np.inf
        states = rng.integers(0, 2, size=values.shape).astype(np.int32)
        promise = np.logaddexp.reduce(values, axis=1)
        dominance = drop_dominated(values, states, promise, few=1)
        later = rng.normal(scale=float(rng.choice([1.0, 300.0])), size=(400, 2, entries))
        by_state = later[:, states, np.arange(entries)]  # (later, way, entry)
        totals = np.logaddexp.reduce(values + by_state, axis=2)
        best = totals.max(axis=1)
        kept = totals[:, dominance.kept].max(axis=1)
        assert np.all((kept >= best - 1e-9 * np.abs(best)) | (best == -np.inf))
        assert len(dominance.kept) < 30


def test_limits_hold() -> None:
    """A formula at the threshold, where ways cannot be told apart for long."""
    lattices = clause_lattices(random_clauses(np.random.default_rng(5), 24, 100), 24)
    started = time.perf_counter()
    with pytest.raises(LimitError) as error:
        vote_on(lattices, method="linear", timeout=0.5)
    assert error.value.limit == "timeout" and time.perf_counter() - started < 5.0
    vote = vote_on(lattices, method="linear", max_states=2_000, on_limit="bounded")
    assert vote.status == "bounded" and vote.score < vote.bound <= math.log(1 / (7 * 2**21)) + 1e-9
    with pytest.raises(LimitError, match="max_memory"):
        vote_on(lattices, method="linear", max_memory=300_000)


def test_a_path_limit_reports_its_bound() -> None:
    lattices = clause_lattices(random_clauses(np.random.default_rng(5), 12, 50), 12)
    vote = vote_on(lattices, method="linear", max_paths=2)
    assert vote.score <= vote.bound
    assert vote.gap == pytest.approx(vote.bound - vote.score) or vote.status == "optimal"


def test_rules_that_cannot_hold_are_named() -> None:
    lattice = Lattice([[0.0, 1.0]] * 3, labels=["A", "B"])
    rules = [lawful.at_least(2, "A"), lawful.at_least(2, "B"), lawful.ends_with("A")]
    with pytest.raises(lawful.InfeasibleError) as error:
        vote_on([lattice, lattice], method="linear", rules=rules)
    assert error.value.rules == ("at_least(2, 'A')", "at_least(2, 'B')")


def test_soft_rules_cost_their_price() -> None:
    lattice = Lattice([[2.0, 0.0], [2.0, 0.0]], labels=["A", "B"])
    other = Lattice([[1.0, 0.0], [1.0, 0.0]], labels=["A", "B"])
    for price, expected in ((0.5, ("A", "A")), (5.0, ("A", "B"))):
        vote = vote_on([lattice, other], method="linear", rules=lawful.at_most(1, "A").soft(price))
        assert vote.labels in (expected, expected[::-1])
        plain = np.logaddexp.reduce(
            [
                math.log(0.5) + path_score(one, vote.labels) - lawful.decoding.log_partition(one)
                for one in (lattice, other)
            ]
        )
        assert vote.score == pytest.approx(float(plain) - (price if vote.labels == ("A", "A") else 0.0))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"tolerance": 1.0}, "tolerance must be a number from 0 and below 1"),
        ({"max_paths": 0}, "max_paths must be a whole number of 1 or more"),
        ({"max_loss": 1.0}, "a linear vote has no option 'max_loss'"),
        ({"weights": [1.0]}, "there are 2 lattices but 1 weights"),
        ({"weights": [0.0, 0.0]}, "at least one weight must be above 0"),
        ({"method": "mean"}, "method must be 'log-linear', 'linear', 'local' or 'repaired'"),
    ],
)
def test_what_is_refused(options: dict[str, object], message: str) -> None:
    lattice = Lattice([[0.0, 1.0]], labels=["A", "B"])
    with pytest.raises(InputError, match=message):
        vote_on([lattice, lattice], **{"method": "linear", **options})  # type: ignore[arg-type]


def only_at_the_end() -> list[Lattice]:
    """Taggers that like a beginning which nothing legal ends, so that one way is not enough."""
    never = -math.inf
    late = [[0.5, -1.8], [0.9, never], [1.5, never], [never, 0.6], [never, -0.9]]
    steady = [[0.5, 0.1], [-0.3, 0.1], [-1.6, -1.4], [0.5, 2.8], [1.3, 0.7]]
    idle = [[-0.4, -0.7], [0.1, -0.9], [-1.2, -0.6], [2.1, 0.1], [0.3, -0.6]]
    return [
        Lattice(late, labels=["B", "A"]),
        Lattice(steady, [[never, 0.0], [0.0, 0.0]], labels=["B", "A"]),
        Lattice(idle, [[never, 0.0], [never, 0.0]], labels=["B", "A"]),
    ]


def test_ways_that_lead_to_nothing_legal_do_not_end_the_vote() -> None:
    lattices, weights = only_at_the_end(), [0.445, 0.47, 0.085]
    rules = [lawful.at_least(1, "B"), lawful.not_followed_by("A", "A")]
    best = vote_on(lattices, weights, method="linear", rules=rules)
    narrow = vote_on(lattices, weights, method="linear", rules=rules, max_paths=1)
    assert best.status == "optimal" and best.score <= narrow.bound
    assert narrow.status == "bounded" and not any(narrow.violations.values())
    scores = linear_scores(list(lattices), (0.445, 0.47, 0.085))
    assert narrow.score == pytest.approx(scores[narrow.labels]) and narrow.score <= best.score


def test_a_limit_while_reasons_are_looked_for_is_a_limit() -> None:
    lattices, against = only_at_the_end(), [lawful.at_most(0, "A"), lawful.not_followed_by("B", "B")]
    for most in range(1, 40):
        try:
            vote = vote_on(lattices, method="linear", rules=against, max_states=most, on_limit="bounded")
        except lawful.InfeasibleError:
            continue
        assert vote.labels == () and vote.status == "bounded"


def test_taggers_must_score_the_same_sequence() -> None:
    short, long = Lattice([[0.0, 1.0]]), Lattice([[0.0, 1.0]] * 2)
    for method in ("linear", "log-linear", "local", "repaired"):
        with pytest.raises(InputError, match="vote on the same sequence"):
            vote_on([short, long], method=method)


@pytest.mark.parametrize("method", ["log-linear", "linear", "local", "repaired"])
def test_anything_but_a_lattice_is_refused(method: Any) -> None:
    with pytest.raises(InputError, match="expected a lattice"):
        vote_on([[[0.0, 1.0]]], method=method)  # type: ignore[list-item]
    dead = "the lattice has no path" if method == "linear" else "no tagger gives any label sequence a chance"
    with pytest.raises(lawful.InfeasibleError, match=dead):
        vote_on([Lattice([[-math.inf]])] * 2, method=method)


def test_a_tagger_that_gives_nothing_a_chance_has_no_say_but_in_a_product() -> None:
    dead = Lattice([[-math.inf, -math.inf]], labels=["A", "B"])
    for method in ("linear", "local", "repaired"):
        vote = vote_on([Lattice([[0.0, 1.0]], labels=["A", "B"]), dead], method=method)
        assert vote.labels == ("B",) and vote.opinions[1].labels == ()
    with pytest.raises(lawful.InfeasibleError, match="tagger 2 gives no label sequence a chance"):
        vote_on([Lattice([[0.0, 1.0]], labels=["A", "B"]), dead])
