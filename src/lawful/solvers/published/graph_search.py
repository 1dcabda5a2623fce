"""What the solvers on graphs share: intersection and best path within limits, and the cost of a path."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

import numpy as np

from lawful import _core
from lawful.errors import GraphError, LimitError, UnboundedError, UnprovedError
from lawful.lattice.scoring import path_terms
from lawful.lattice.sums import PathSum, add_up
from lawful.rules.bound_rules import Kinds
from lawful.solvers.engine import core_limits
from lawful.solvers.problem import Problem
from lawful.solvers.solution import Round, Solution

__all__ = ["INFINITY", "NO_PATH", "GraphSearch", "Path"]

INFINITY = float("inf")
GRACE = 0.05  # seconds after a limit


@dataclass(frozen=True, slots=True)
class Path:
    """The best path of a lattice. Score -inf: there is none; +inf: a cycle gains for ever."""

    labels: tuple[int, ...]
    score: float
    cycle: tuple[int, ...] = ()
    gain: float = 0.0

    @property
    def exists(self) -> bool:
        """Whether the lattice has a best path."""
        return -INFINITY < self.score < INFINITY


NO_PATH = Path((), -INFINITY)


class GraphSearch:
    """The state of one search: its limits, its rounds, and the best answer so far.

    Examples
    --------
    >>> from lawful.lattice import Lattice
    >>> search = GraphSearch(Problem(Lattice([[0.0, 1.0]])))
    >>> search.best_path(search.lattice())
    Path(labels=(1,), score=1.0, cycle=(), gain=0.0)
    """

    def __init__(self, problem: Problem) -> None:
        problem.rules.refuse_large_prices(problem.lattice.longest)
        self.problem = problem
        self.states = 0
        self.rounds: list[Round] = []
        self.incumbent = NO_PATH
        self._limits = problem.limits.started()

    def lattice(self, *, keep_dead_ends: bool = False) -> _core.Graph:
        """The problem's lattice as a graph, without rules."""
        with self._limited():
            return self.problem.lattice.graph(keep_dead_ends=keep_dead_ends, limits=core_limits(self._limits))

    def intersect(
        self,
        lattice: _core.Graph,
        rules: Iterable[int],
        *,
        obeyed: bool = False,
        keep_dead_ends: bool = False,
    ) -> _core.Graph:
        """The lattice with these rules in it: their costs, or, if they are to be `obeyed`, only what obeys them."""
        for rule in rules:
            for part, kinds in self.problem.rules.parts_of(rule):
                lattice = self._intersect(lattice, part, kinds, obeyed=obeyed, keep_dead_ends=keep_dead_ends)
        return lattice

    def _intersect(
        self, lattice: _core.Graph, part: _core.Part, kinds: Kinds, *, obeyed: bool, keep_dead_ends: bool
    ) -> _core.Graph:
        limits = self._limits.after(self.states)
        limits.require_rest()
        try:
            product = lattice.intersect(
                part, kinds, obeyed=obeyed, keep_dead_ends=keep_dead_ends, limits=core_limits(limits)
            )
        except ValueError as error:
            raise GraphError(f"rule {self.problem.rules.names[part.rule]!r}: {error}") from None
        self.states += product.expanded
        if product.graph is None:
            raise limits.reached(product.limit)
        return product.graph

    @contextmanager
    def _limited(self) -> Iterator[None]:
        """Turns what the kernels throw at a limit into the error that says so."""
        try:
            yield
        except _core.LimitReached as reached:
            raise self._limits.reached(str(reached)) from None

    def prune(self, lattice: _core.Graph, least: float) -> _core.Graph:
        """The lattice without the arcs that lie on no path as good as that."""
        with self._limited():
            return lattice.prune(least, limits=core_limits(self._limits))

    def best_path(self, lattice: _core.Graph, *, entered: Sequence[int] = (), penalty: float = 0.0) -> Path:
        """The best path of a lattice; the rules that entered it and the penalty paid so far make a round of it."""
        with self._limited():
            return self._best_path(lattice, core_limits(self._limits), entered, penalty)

    def best_path_after_all(self, lattice: _core.Graph, *, entered: Sequence[int] = ()) -> Path:
        """The same at a limit, if it takes next to no time; else a path that is only a bound, and none."""
        try:
            return self._best_path(lattice, _core.Limits(timeout=GRACE), entered, 0.0)
        except _core.LimitReached:
            return Path((), INFINITY)

    def _best_path(
        self, lattice: _core.Graph, limits: _core.Limits, entered: Sequence[int], penalty: float
    ) -> Path:
        best = lattice.best_path(limits=limits)
        path = Path(tuple(best.labels), best.score)
        if best.cycle:
            path = Path((), INFINITY, tuple(best.cycle), best.gain)
        self.rounds.append(Round(tuple(entered), path.score - penalty, lattice.states, lattice.arcs))
        return path

    def violations(self, rule: int, path: Path) -> int:
        """How often a path breaks a rule, by the rule's own counting."""
        labels = np.array(path.labels, dtype=np.int32)
        return sum(
            _core.count_violations(part, kinds, labels) for part, kinds in self.problem.rules.parts_of(rule)
        )

    def cost(self, rule: int, path: Path) -> float:
        """What a path pays for a rule; +inf for a hard one that it breaks."""
        labels = np.array(path.labels, dtype=np.int32)
        parts = self.problem.rules.parts_of(rule)
        return sum(_price(part, _core.count_violations(part, kinds, labels)) for part, kinds in parts)

    def earned(self, labels: Sequence[int]) -> PathSum:
        """What labels score by the definition: the lattice's terms, less what they pay for the rules in force."""
        path = Path(tuple(labels), 0.0)
        paid = (-cost for rule in self.problem.rules.in_force if (cost := self.cost(rule, path)))
        return add_up([*path_terms(self.problem.lattice, path.labels), *paid])

    def costs(self, rules: Iterable[int], path: Path, *, penalty: float = 0.0) -> dict[int, float]:
        """What a path pays for each of the rules that it breaks.

        Its total, less the penalty paid so far, may make it the best answer so far.
        """
        broken = {rule: cost for rule in rules if (cost := self.cost(rule, path)) > 0}
        total = path.score - penalty - sum(broken.values())
        if total > self.incumbent.score:
            self.incumbent = Path(path.labels, total)
        return broken

    def optimal(self, path: Path, why: str, *, rules: Sequence[int] = ()) -> Solution:
        """The proved answer; `rules` are those that leave no path, if there is none."""
        if path.cycle:
            raise UnboundedError(path.cycle, path.gain)
        rounds, spent = tuple(self.rounds), self.states
        if path.exists:
            return Solution(path.labels, path.score, "optimal", path.score, rounds, spent, why)
        return Solution(None, -INFINITY, "infeasible", -INFINITY, rounds, spent, why)

    def bounded(self, reached: LimitError | UnprovedError, bound: float, why: str) -> Solution:
        """The best answer so far and what is proved about it, if the caller wants that."""
        if self.problem.limits.on_limit == "raise":
            raise reached
        best = self.incumbent
        labels = best.labels if best.exists else None
        stopped = (
            f"stopped at {reached.limit}={reached.value:g}"
            if isinstance(reached, LimitError)
            else reached.reason
        )
        return Solution(
            labels,
            best.score,
            "bounded",
            max(bound, best.score),
            tuple(self.rounds),
            self.states,
            f"{why}; {stopped}",
            reached.limit if isinstance(reached, LimitError) else "",
        )

    def dead_at(self, rules: Iterable[int]) -> int | None:
        """The first token at which every labelling so far has broken one of the rules; None if only the end tells."""
        length = self.problem.lattice.length
        hard = [
            rule
            for rule in rules
            if any(part.mode == "hard" for part, _ in self.problem.rules.parts_of(rule))
        ]
        alive = self.intersect(self.lattice(keep_dead_ends=True), hard, keep_dead_ends=True)
        return alive.furthest if length is not None and 0 <= alive.furthest < length else None


def _price(part: _core.Part, violations: int) -> float:
    if not violations:
        return 0.0
    return part.price * violations if part.mode == "counted" else part.price
