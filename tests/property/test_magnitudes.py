"""No finite score changes which path wins by more than the rounding of the compared paths' own sums."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

import lawful
from lawful import _core
from lawful.solvers.choice import SOLVERS
from lawful.testing import best_exact_score, exact_score, rounding_between, wide_problem

EXACT: list[tuple[str, dict[str, object]]] = [
    ("auto", {}),
    ("brute_force", {}),
    ("relaxation", {}),
    ("branch_and_bound", {}),
    ("branch_and_bound", {"prune": "edges"}),
    ("a_star", {"completion": "published"}),
    ("a_star", {"completion": "plain"}),
    ("a_star", {"completion": "relaxed"}),
    ("beam", {"width": None, "completion": "plain"}),
    ("beam", {"width": None, "completion": "relaxed"}),
    ("dual", {}),
]
ON_GRAPHS = ("auto", "brute_force", "relaxation", "branch_and_bound", "a_star")
PROBLEMS = 100
LOWEST = float(np.finfo(np.float32).min)  # what people write for "never"


def decode(lattice: lawful.Lattice, rules: list[lawful.Rule], solver: str) -> lawful.Decoding:
    """An exact answer: a beam is as wide as it takes."""
    width = {"width": None} if solver == "beam" else {}
    return lawful.Decoder(rules, labels=lattice.labels, solver=solver, **width).decode(lattice)


def check(
    lattice: lawful.Lattice, rules: lawful.Rules, decoder: lawful.Decoder, given: lawful.AnyLattice
) -> None:
    best = best_exact_score(lattice, rules)
    try:
        decoding = decoder.decode(given)
    except lawful.InfeasibleError:
        assert best is None
        return
    assert best is not None
    assert decoding.status == "optimal"
    answer = exact_score(lattice, rules, decoding.labels)
    assert answer is not None
    assert best.score - answer.score <= rounding_between(best, answer)


@pytest.mark.parametrize(("solver", "options"), EXACT, ids=str)
def test_the_best_path_wins_at_any_magnitude(solver: str, options: dict[str, object]) -> None:
    rng = np.random.default_rng(EXACT.index((solver, options)))
    for _ in range(PROBLEMS):
        lattice, rules = wide_problem(rng)
        check(lattice, rules, lawful.Decoder(rules, labels=lattice.labels, solver=solver, **options), lattice)


@pytest.mark.parametrize("solver", ON_GRAPHS)
def test_the_best_path_of_a_graph_wins_at_any_magnitude(solver: str) -> None:
    rng = np.random.default_rng([7, ON_GRAPHS.index(solver)])
    for _ in range(PROBLEMS):
        lattice, rules = wide_problem(rng, longest=4)
        graph = lawful.GraphLattice.from_lattice(lattice)
        check(lattice, rules, lawful.Decoder(rules, labels=lattice.labels, solver=solver), graph)


@pytest.mark.parametrize("first_search", [0, 3])
def test_potentials_prove_at_any_magnitude(first_search: int) -> None:
    """With a first search that may keep next to nothing, the engine tightens its completion scores before all else."""
    rng = np.random.default_rng(11)
    for _ in range(2 * PROBLEMS):
        lattice, rules = wide_problem(rng)
        best = best_exact_score(lattice, rules)
        problem = lawful.Decoder(rules, labels=lattice.labels).bind(lattice.length).problem(lattice)
        answers = _core.decode(problem, _core.Limits(first_search=first_search))
        assert answers.status(0) == ("infeasible" if best is None else "optimal")
        if best is not None:
            answer = exact_score(lattice, rules, lattice.labels.decode(answers.labels(0)))
            assert answer is not None
            assert best.score - answer.score <= rounding_between(best, answer)


@pytest.mark.parametrize("iterations", [1, 3, 20])
def test_searches_under_prices_prove_at_any_magnitude(iterations: int) -> None:
    rng = np.random.default_rng([12, iterations])
    for _ in range(PROBLEMS):
        lattice, rules = wide_problem(rng)
        best = best_exact_score(lattice, rules)
        problem = lawful.Decoder(rules, labels=lattice.labels).bind(lattice.length).problem(lattice)
        outcome = _core.dual(problem, iterations=iterations, finish=True, limits=_core.Limits(), search=True)
        assert outcome.status == ("infeasible" if best is None else "optimal")
        if best is not None:
            answer = exact_score(lattice, rules, lattice.labels.decode(outcome.labels))
            assert answer is not None
            assert best.score - answer.score <= rounding_between(best, answer)


@pytest.mark.parametrize("solver", [name for name in SOLVERS if name != "viterbi"])
def test_a_mask_elsewhere_does_not_decide(solver: str) -> None:
    lattice = lawful.Lattice([[-1e30, 2.0], [3.0, 3.0], [1.0, 0.0]], labels=["A", "B"])
    decoding = lawful.decode(lattice, lawful.exactly(1, "A"), solver=solver)
    assert (decoding.labels, decoding.score, decoding.status) == (("B", "B", "A"), 6.0, "optimal")


@pytest.mark.parametrize("solver", ["auto", "a_star", "beam", "dual", "relaxation"])
def test_the_smallest_float32_as_a_mask_in_longer_sequences(solver: str) -> None:
    rng = np.random.default_rng(5)
    rules = [lawful.at_most_segments(1, label) for label in "ABC"]
    for _ in range(25):
        scores = rng.normal(scale=3.0, size=(20, 4))
        scores[rng.integers(20), rng.integers(4)] = LOWEST
        lattice = lawful.Lattice(scores, rng.normal(size=(4, 4)), labels=list("ABCD"))
        by_intersection = decode(lattice, rules, "brute_force").score
        assert decode(lattice, rules, solver).score == pytest.approx(by_intersection, rel=1e-12)


@pytest.mark.parametrize("solver", ["auto", "a_star", "beam", "dual", "relaxation", "branch_and_bound"])
@pytest.mark.parametrize("price", [1e15, 1e30, 1e300])
def test_a_large_price_elsewhere_does_not_decide(solver: str, price: float) -> None:
    rng = np.random.default_rng(6)
    rules = [
        lawful.at_most_segments(1, "A"),
        lawful.before("A", "B").soft(price, per="violation"),
        lawful.at_least(2, "C").soft(1.5),
    ]
    for _ in range(10):
        lattice = lawful.Lattice(
            rng.normal(scale=3.0, size=(8, 3)), rng.normal(size=(3, 3)), labels=list("ABC")
        )
        by_intersection = decode(lattice, rules, "brute_force").score
        assert decode(lattice, rules, solver).score == pytest.approx(by_intersection, rel=1e-12)


def test_a_huge_score_that_is_not_legal_hides_no_prefix() -> None:
    """Best-first search meets every prefix with the same promise here, whatever it scores."""
    rng = np.random.default_rng(3)
    for _ in range(20):
        scores = rng.normal(size=(6, 3))
        scores[5, 2] = 1e30
        lattice = lawful.Lattice(scores, labels=list("ABC"))
        rules = [
            lawful.exactly(2, "A"),
            lawful.requires("C", "A").soft(1e31),
            lawful.at_most(0, "C").soft(2e30),
        ]
        expected = best_exact_score(lattice, rules)
        assert expected is not None
        for solver in ("auto", "a_star", "beam", "dual"):
            assert decode(lattice, rules, solver).labels == expected.labels


def test_the_best_come_in_order_at_any_magnitude() -> None:
    rng = np.random.default_rng(8)
    for _ in range(PROBLEMS):
        lattice, rules = wide_problem(rng, longest=4)
        ranked = lawful.nbest(lattice, rules, n=100)
        exact = [exact_score(lattice, rules, answer.labels) for answer in ranked]
        for better, worse in itertools.pairwise(exact):
            assert better is not None
            assert worse is not None
            assert worse.score - better.score <= rounding_between(better, worse)


def test_cycles_of_a_graph_are_judged_by_their_own_weights() -> None:
    arcs = [(0, 1, "A", 1.0), (1, 0, "B", -1.0), (1, 2, "A", 0.25), (1, 2, "B", 0.0), (0, 2, "B", -1e30)]
    graph = lawful.GraphLattice.from_arcs(arcs, labels=["A", "B"], finals=[2])
    assert lawful.decode(graph, []).score == 1.25
    loops = [(0, 0, "A", -1e30), (0, 1, "A", 0.5), (1, 0, "B", -0.75), (1, 2, "A", 1e-3)]
    graph = lawful.GraphLattice.from_arcs(loops, labels=["A", "B"], finals=[2])
    assert lawful.decode(graph, lawful.at_least(1, "B")).score == pytest.approx(0.251)
    gains = [(0, 1, "A", 1.0), (1, 0, "B", -1.0 + 1e-9), (1, 2, "A", 0.0), (0, 2, "B", -1e30)]
    with pytest.raises(lawful.errors.UnboundedError):
        lawful.decode(lawful.GraphLattice.from_arcs(gains, labels=["A", "B"], finals=[2]), [])


def test_two_spellings_of_one_sequence_keep_their_own_scores() -> None:
    """The best path to a prefix may be huge and lead nowhere; what other paths score must not drown in it."""
    arcs = [
        (0, 1, "A", 1e30),
        (0, 2, "A", 5.25),
        (1, 3, "A", -2e30),
        (1, 3, "B", 0.0),
        (2, 3, "A", 0.5),
        (2, 3, "B", 1.0),
    ]
    graph = lawful.GraphLattice.from_arcs(arcs, labels=["A", "B"], finals=[3])
    assert lawful.nbest(graph, [], n=5) == [(("A", "B"), 1e30), (("A", "A"), 5.75)]


def test_integer_programs_are_right_or_say_that_they_cannot_tell() -> None:
    rng = np.random.default_rng(6)
    unproved = 0
    for number in range(PROBLEMS):
        lattice, rules = wide_problem(rng)
        best = best_exact_score(lattice, rules)
        decoder = lawful.Decoder(rules, labels=lattice.labels, solver="ilp", on_limit="bounded")
        try:
            decoding = decoder.decode(lattice)
        except lawful.InfeasibleError:
            assert best is None, (number, rules)
            continue
        assert best is not None, (number, rules)
        answer = exact_score(lattice, rules, decoding.labels)
        assert answer is not None, (number, rules)
        if decoding.status == "bounded":
            unproved += 1
            assert decoding.bound >= best.score >= answer.score, (number, rules)
            with pytest.raises(lawful.errors.UnprovedError):
                lawful.decode(lattice, rules, solver="ilp")
        else:
            assert best.score - answer.score <= rounding_between(best, answer), (number, rules)
    assert unproved <= PROBLEMS / 25
