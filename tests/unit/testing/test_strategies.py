from __future__ import annotations

from hypothesis import find, given, settings

from lawful.lattice import GraphLattice, Lattice
from lawful.rules import Rules
from lawful.testing import enumerate_best
from lawful.testing.strategies import graphs, problems, scores


@settings(max_examples=50, deadline=None)
@given(problems(max_length=3))
def test_problems_fit_together(problem: tuple[Lattice, Rules]) -> None:
    lattice, rules = problem
    best = enumerate_best(lattice, rules)
    assert best is None or len(best.labels) == lattice.length


@settings(max_examples=50, deadline=None)
@given(graphs(shape="acyclic"))
def test_graphs(graph: GraphLattice) -> None:
    assert graph.core.acyclic


def test_failures_shrink() -> None:
    quick = settings(max_examples=100, deadline=None)
    lattice, rules = find(problems(), lambda problem: len(problem[1]) >= 2, settings=quick)
    # How far a search for smaller failures gets is not for us to promise; that it gets near is.
    assert lattice.length <= 3 and len(lattice.labels) <= 3 and 2 <= len(rules) <= 3
    assert find(scores(), lambda score: score < 0) < 0
