"""The product of a lattice and all rules as one graph: what n-best lists, sums and samples are made from."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

from lawful import _core
from lawful.errors import GraphError, ProductTooLargeError
from lawful.rules.bound_rules import Kinds
from lawful.solvers.engine import core_limits
from lawful.solvers.problem import Problem

__all__ = ["MAX_MEMORY", "MAX_STATES", "ProductBuilder"]

MAX_STATES = 5_000_000
MAX_MEMORY = 2**30
BYTES_AN_ARC = 16


class ProductBuilder:
    """Intersects a lattice with one rule after another, within limits.

    Every path of the graph that comes out is a label sequence that the lattice and the hard rules allow; its score
    is the lattice's, less the prices of the soft rules that it breaks. Dead ends are cut after each rule.

    Parameters
    ----------
    problem : Problem
        Its limits hold for each graph on the way; where it has none, `MAX_STATES` and `MAX_MEMORY` do.

    Examples
    --------
    >>> from lawful.lattice import Lattice
    >>> ProductBuilder(Problem(Lattice([[0.0, 1.0], [2.0, 0.0]]))).build().arcs
    6
    """

    def __init__(self, problem: Problem) -> None:
        problem.rules.refuse_large_prices(problem.lattice.longest)
        self._problem = problem
        limits = problem.limits.started()
        self._limits = replace(
            limits,
            max_states=MAX_STATES if limits.max_states is None else limits.max_states,
            max_memory=min(MAX_MEMORY, _core.default_memory())
            if limits.max_memory is None
            else limits.max_memory,
        )

    def build(self, *, hard_only: bool = False) -> _core.Graph:
        """The graph with all rules in it; with `hard_only`, without the prices of soft rules. It has no cycles."""
        graph = self._lattice()
        parts = list(zip(self._problem.rules.parts, self._problem.rules.kinds, strict=True))
        # Local rules hardly add states, and what they cut need not be multiplied by the others.
        for part, kinds in sorted(parts, key=lambda pair: (not pair[0].local, pair[0].states)):
            if part.mode == "hard" or not hard_only:
                graph = self._intersect(graph, part, kinds)
        if not graph.acyclic:
            raise GraphError(
                "the lattice has a cycle that the rules leave open, so its label sequences have no end; cut the "
                "cycle, or add a rule that allows only so many labels"
            )
        return graph

    def deterministic(self, graph: _core.Graph, *, ignore_weights: bool = False) -> _core.Graph:
        """The same label sequences with one path each, which has the score of the best."""
        if _core.is_deterministic(graph):
            return graph
        product = _core.determinize(graph, ignore_weights=ignore_weights, limits=core_limits(self._limits))
        return self._taken(product, graph, "finding the paths that spell the same labels")

    def with_positions(self, graph: _core.Graph) -> _core.Graph:
        """The same paths through states that know how many labels came before them."""
        if _core.has_positions(graph):
            return graph
        product = _core.with_positions(graph, core_limits(self._limits))
        return self._taken(product, graph, "telling positions apart")

    def distribution(self, graph: _core.Graph) -> _core.Distribution:
        """The probabilities of its label sequences."""
        with self._limited(graph, "adding up all paths"):
            return _core.Distribution(graph, core_limits(self._limits))

    def count(self, graph: _core.Graph) -> int:
        """How many paths it has."""
        with self._limited(graph, "counting all paths"):
            return int.from_bytes(_core.count_paths(graph, core_limits(self._limits)), "little")

    def best_sequences(self, graph: _core.Graph) -> Iterator[tuple[float, list[int]]]:
        """Its label sequences, best first. Time counts only while one is searched for."""
        with self._limited(graph, "ranking all paths"):
            sequences = _core.BestSequences(graph, core_limits(self._limits))
        return self._each(sequences, graph)

    def _each(self, sequences: _core.BestSequences, graph: _core.Graph) -> Iterator[tuple[float, list[int]]]:
        with self._limited(graph, "ranking all paths"):
            yield from sequences

    @contextmanager
    def _limited(self, graph: _core.Graph, what: str) -> Iterator[None]:
        try:
            yield
        except _core.LimitReached as reached:
            limit = str(reached)
            raise ProductTooLargeError(limit, self._limit(limit), graph.states, what) from None

    def _lattice(self) -> _core.Graph:
        lattice = self._problem.lattice
        states, arcs = lattice.to_build()
        for limit, size in (("max_states", states), ("max_memory", arcs * BYTES_AN_ARC)):
            if size > self._limit(limit):
                raise ProductTooLargeError(limit, self._limit(limit), states, "the lattice alone")
        try:
            return lattice.graph(limits=core_limits(self._limits))
        except _core.LimitReached as reached:
            limit = str(reached)
            raise ProductTooLargeError(limit, self._limit(limit), states, "the lattice alone") from None

    def _intersect(self, graph: _core.Graph, part: _core.Part, kinds: Kinds) -> _core.Graph:
        name = self._problem.rules.names[part.rule]
        try:
            product = graph.intersect(part, kinds, limits=core_limits(self._limits))
        except ValueError as error:
            raise GraphError(f"rule {name!r}: {error}") from None
        return self._taken(product, graph, f"rule {name!r}")

    def _taken(self, product: _core.Product, before: _core.Graph, what: str) -> _core.Graph:
        if product.graph is None:
            while_ = f"{what}, on top of {before.states:,} states"
            raise ProductTooLargeError(product.limit, self._limit(product.limit), product.expanded, while_)
        return product.graph

    def _limit(self, name: str) -> float:
        return float(getattr(self._limits, name))
