"""A smaller trellis with the same best path: edges that cannot lie on it are forbidden.

The score of any legal path bounds the best one from below; the best rule-free path through an edge bounds all paths
through it from above, because rules only lower scores. Where the second is less than the first, the edge is no part of
the best path. In linear programming this is known as fixing by reduced costs: those of the rule-free program.
"""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

import numpy as np

from lawful.errors import GraphError
from lawful.lattice.arrays import Floats
from lawful.lattice.trellis import Lattice, as_trellis
from lawful.solvers.problem import Problem
from lawful.solvers.published.beam import beam
from lawful.solvers.published.graph_search import INFINITY, GraphSearch

__all__ = ["Pruned", "prune_lattice", "pruned"]

QUICK_WIDTH = 32  # of the beam that looks for a legal path


class Pruned(NamedTuple):
    """A problem with a smaller lattice.

    Attributes
    ----------
    problem : Problem
    least : float
        Everything that scores at least this much is still there; -inf if no legal path was found.
    kept : float
        The share of the edges that is left.
    """

    problem: Problem
    least: float
    kept: float


def pruned(problem: Problem, solver: str) -> Pruned:
    """The problem without the edges that a legal path proves useless; as it is if a quick search finds none.

    The legal path comes from a beam, but its score is computed here from the lattice and the rules' own counting: no
    search has to be trusted for the bound to be valid.

    Examples
    --------
    >>> small = pruned(Problem(Lattice([[0.0, 9.0], [9.0, 0.0]], [[1.0, 0.0], [0.0, 1.0]])), "ilp")
    >>> round(small.least, 6), small.kept, small.problem.lattice.emissions.tolist()
    (18.0, 0.25, [[-inf, 9.0], [9.0, -inf]])
    """
    lattice = as_trellis(problem.lattice)
    if lattice is None:
        raise GraphError(
            f"prune=True is for trellises, but the lattice is a general graph; use solver={solver!r} without it"
        )
    limits = replace(problem.limits, max_states=None, max_memory=None, on_limit="bounded")
    quick = beam(replace(problem, limits=limits), width=QUICK_WIDTH, completion="relaxed")
    if quick.labels is None:
        return Pruned(problem, -INFINITY, 1.0)
    legal = GraphSearch(problem).earned(quick.labels)
    least = legal.score - legal.rounding
    smaller, kept = prune_lattice(lattice, least)
    return Pruned(replace(problem, lattice=smaller), least, kept)


def prune_lattice(lattice: Lattice, least: float) -> tuple[Lattice, float]:
    """The lattice without the labels and steps whose best path scores less, and the share of them that is left."""
    emissions, steps = lattice.emissions.copy(), _steps(lattice)
    if lattice.start is not None:
        emissions[0] += lattice.start
    if lattice.end is not None:
        emissions[-1] += lattice.end
    before, after = _prefixes(emissions, steps), _completions(emissions, steps)
    through = before + after
    kept = through >= least
    total, left = kept.size, int(kept.sum())
    smaller = None
    if steps is not None:
        arrives = emissions[1:] + after[1:]
        good = before[:-1, :, None] + steps + arrives[:, None, :] >= least
        smaller = np.where(good, steps, -np.inf)
        total, left = good.size, int(good.sum())
    return (
        Lattice(
            lattice.emissions, smaller, labels=lattice.labels, start=lattice.start, end=lattice.end,
            mask=kept, tokens=lattice.tokens, context=lattice.context,
        ),
        left / total,
    )  # fmt: skip


def _steps(lattice: Lattice) -> Floats | None:
    if lattice.transitions is None or lattice.length == 1:
        return None
    size = len(lattice.labels)
    return np.broadcast_to(lattice.transitions, (lattice.length - 1, size, size))


def _prefixes(emissions: Floats, steps: Floats | None) -> Floats:
    """(T, K): the best score of the labels up to t, if that at t is k."""
    best = emissions.copy()
    for t in range(1, len(best)):
        best[t] += best[t - 1].max() if steps is None else (best[t - 1][:, None] + steps[t - 1]).max(axis=0)
    return best


def _completions(emissions: Floats, steps: Floats | None) -> Floats:
    """(T, K): the best score of the labels after t, if that at t is k."""
    best = np.zeros_like(emissions)
    for t in range(len(best) - 2, -1, -1):
        onwards = emissions[t + 1] + best[t + 1]
        best[t] = onwards.max() if steps is None else (steps[t] + onwards).max(axis=1)
    return best
