"""What a portfolio knows so far: the best legal path, the tightest bound, and which labels can still matter."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import numpy.typing as npt

from lawful.lattice.trellis import Lattice, as_trellis
from lawful.solvers.problem import Problem
from lawful.solvers.published.graph_search import INFINITY, GraphSearch
from lawful.solvers.solution import Round, Solution

__all__ = ["Standing"]


class Standing:
    """What the members of a portfolio have found and proved together.

    Attributes
    ----------
    problem : Problem
        The lattice may have lost labels that are on no path as good as the best known one.
    best : Solution
        Of the highest score.
    bound : float
        No label sequence scores more.
    states : int
        Visited by all members.

    Examples
    --------
    >>> problem = Problem(Lattice([[0.0, 1.0]]))
    >>> standing = Standing(problem, Solution((1,), 1.0, "bounded", 3.0))
    >>> standing.learn(Solution((0,), 0.0, "bounded", 1.0))
    >>> standing.best.labels, standing.bound, standing.proved
    ((1,), 1.0, True)
    """

    def __init__(self, problem: Problem, first: Solution) -> None:
        self.problem = replace(problem, limits=problem.limits.started())
        self.best, self.bound = first, first.bound
        self.states = 0
        self.learn(first)

    def learn(self, found: Solution) -> None:
        """Take over what a member found, and count what it visited."""
        self.states += found.states
        limits = self.problem.limits.after(found.states)
        self.problem = replace(self.problem, limits=limits)
        if found.score > self.best.score:
            self.best = found
        self.bound = max(min(self.bound, found.bound), self.best.score)

    def fix(self, open_labels: bytes) -> None:
        """Take labels out of the lattice: a byte for each at each token, 0 for those that no answer needs."""
        lattice = as_trellis(self.problem.lattice)
        if lattice is None or 0 not in open_labels:
            return
        kept = np.frombuffer(open_labels, dtype=np.bool_).reshape(lattice.emissions.shape)
        self.problem = replace(self.problem, lattice=_masked(lattice, kept))

    @property
    def proved(self) -> bool:
        """Whether nothing can score more than the best known path."""
        if self.best.labels is None:
            return False
        earned = GraphSearch(self.problem).earned(self.best.labels)
        return self.bound <= earned.score + earned.rounding

    @property
    def known(self) -> list[int]:
        """The best legal path, for members that can begin with one; empty if there is none."""
        mine = as_trellis(self.problem.lattice) is not None
        return list(self.best.labels) if mine and self.best.labels is not None else []

    @property
    def edges(self) -> int:
        """How many pairs of neighbouring labels are left: the columns of a linear program."""
        lattice = as_trellis(self.problem.lattice)
        if lattice is None:
            return self.problem.lattice.longest * len(self.problem.lattice.labels) ** 2
        alive = (lattice.emissions > -INFINITY).sum(axis=1)
        return int((alive[1:] * alive[:-1]).sum() + alive[0])

    def solution(self, why: str, *, limit: str = "", rounds: tuple[Round, ...] = ()) -> Solution:
        """The best path: proved, if it is, or with the tightest bound and the limit that ended the search."""
        if limit and not self.proved:
            return replace(
                self.best, status="bounded", bound=self.bound, states=self.states, why=why, limit=limit,
                rounds=rounds or self.best.rounds,
            )  # fmt: skip
        return replace(
            self.best, status="optimal", bound=self.best.score, states=self.states, why=why, limit="",
            rounds=rounds or self.best.rounds,
        )  # fmt: skip


def _masked(lattice: Lattice, kept: npt.NDArray[np.bool_]) -> Lattice:
    return Lattice(
        lattice.emissions, lattice.transitions, labels=lattice.labels, start=lattice.start, end=lattice.end,
        mask=kept, tokens=lattice.tokens, context=lattice.context,
    )  # fmt: skip
