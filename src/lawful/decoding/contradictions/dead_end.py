"""Where on the way hard rules leave no path: the first token that no labelling reaches."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from lawful.lattice.trellis import Lattice, as_trellis
from lawful.solvers.problem import Problem
from lawful.solvers.published.graph_search import GraphSearch

__all__ = ["find_dead_end"]


def find_dead_end(problem: Problem) -> int | None:
    """The first token at which every labelling so far has broken a hard rule; None if it takes the end to tell.

    Raises `LimitError` beyond the limits of the problem.

    Examples
    --------
    >>> from lawful.decoding.decoder import Decoder
    >>> from lawful.rules import forbid, label_at
    >>> decoder = Decoder([forbid("A"), label_at(2, "A")], labels=["A", "B"])
    >>> find_dead_end(decoder._problem(Lattice([[0.0, 1.0]] * 4, labels=["A", "B"])))
    2
    """
    trellis = as_trellis(problem.lattice)
    if trellis is None:
        return GraphSearch(problem).dead_at(problem.rules.in_force)
    return _in_trellis(trellis, problem)


def _in_trellis(lattice: Lattice, problem: Problem) -> int | None:
    """One pass from left to right over the states of the rules that some labelling reaches; no graph is built."""
    limits = problem.limits.started()
    tied = zip(problem.rules.parts, problem.rules.kinds, strict=True)
    hard = [(part.delta, part.table, kinds) for part, kinds in tied if part.mode == "hard"]
    allowed = lattice.emissions > -np.inf
    if lattice.start is not None:
        allowed = np.vstack([allowed[:1] & (lattice.start > -np.inf), allowed[1:]])
    steps = None if lattice.transitions is None else (lattice.transitions > -np.inf).astype(np.float32)
    states = np.zeros((len(hard), 1), dtype=np.intp)  # of each rule, in the combinations that are reached
    ends = allowed[:1]  # (combinations, K): the labels with which each is reached
    for t, here in enumerate(allowed):
        if t:
            ends = _after(ends, None if steps is None else steps if steps.ndim == 2 else steps[t - 1]) & here
        combination, label = np.nonzero(ends)
        targets = np.empty((len(hard), len(label)), dtype=np.intp)
        for rule, (delta, table, kinds) in enumerate(hard):
            classes = table[0 if kinds is None else kinds[t]]
            targets[rule] = delta[states[rule, combination], classes[label]]
        legal = (targets >= 0).all(axis=0)
        if not legal.any():
            return t
        targets, label = targets[:, legal], label[legal]
        first, numbers = np.zeros(1, dtype=np.intp), np.zeros(len(label), dtype=np.intp)
        for (delta, _, _), row in zip(hard, targets, strict=True):  # much faster than to sort whole columns
            _, first, numbers = np.unique(numbers * len(delta) + row, return_index=True, return_inverse=True)
        states = targets[:, first]
        ends = np.zeros((len(first), len(here)), dtype=np.bool_)
        ends[numbers, label] = True
        limits = limits.after(len(label))
        limits.require_rest()
    return None


def _after(ends: npt.NDArray[np.bool_], steps: npt.NDArray[np.float32] | None) -> npt.NDArray[np.bool_]:
    """The labels that each combination may go on with."""
    if steps is None:
        return np.repeat(ends.any(axis=1, keepdims=True), ends.shape[1], axis=1)
    return (ends @ steps) > 0
