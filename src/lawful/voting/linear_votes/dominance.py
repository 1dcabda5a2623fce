"""Which of the ways into a group can be dropped: those that another, or a mixture of others, is at least as good as (Loper 6.5.4).

A way into a group is a vector: what each tagger gives it so far. What comes later multiplies each entry by a number that is not
known yet but is the same for all ways that have the tagger in the same state. So a way can win only if for some such numbers no
other way scores more. It cannot if a convex mixture of other ways is at least as good in every entry, and, by duality, only then.
All values are logs; they are compared relative to the way that is to be dropped, so that nothing underflows that matters:
what is too small to be told from 0 counts for too little, never for too much.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from lawful.lattice.arrays import Floats
from lawful.voting.merging import as_numbers

__all__ = ["Dominance", "drop_dominated"]

Indices = npt.NDArray[np.intp]
BLOCK = 256  # ways that are compared with all others at a time
MOST_RATIO = 30.0  # logs: a tagger that gives another way e^30 times as much need not give it more
DIRECTIONS = 8


class Dominance:
    """The ways that remain, and what dropping the others may have lost.

    Attributes
    ----------
    kept : int array
        The indices of the ways that remain.
    slack : float
        In logs: for whatever comes later, some way that remains scores no less than a dropped one less this.
    programs : int
        How many linear programs were solved.
    """

    def __init__(self, kept: Indices, slack: float = 0.0, programs: int = 0) -> None:
        self.kept, self.slack, self.programs = kept, slack, programs


def drop_dominated(
    values: Floats,
    states: npt.NDArray[np.int32],
    promise: Floats,
    *,
    slack: float = 0.0,
    few: int = 8,
    check: Callable[[], None] = lambda: None,
) -> Dominance:
    """Drop the ways into a group that can be dropped: by pairs, by the upper envelope of two entries, by linear programs.

    Parameters
    ----------
    values : float64 array (P, N)
        The log of what each of N taggers gives to each of P ways.
    states : int array (P, N)
        The state of each tagger; entries of different states cannot be compared.
    promise : float64 array (P,)
        How good each might become: the better one is kept of two that are equal.
    slack : float
        In logs, how much worse what remains may be.
    few : int
        Up to so many ways are not worth a linear program.
    check : function
        Called between linear programs; may raise, at a limit.

    Examples
    --------
    >>> values, states = np.log([[4.0, 1.0], [1.0, 4.0], [2.0, 2.0], [3.0, 3.0]]), np.zeros((4, 2), dtype=np.int32)
    >>> drop_dominated(values, states, values.sum(axis=1)).kept.tolist()  # the third is below the fourth
    [3, 0, 1]
    >>> drop_dominated(values[:3], states[:3], values[:3].sum(axis=1)).kept.tolist()  # it is below the middle of the others
    [0, 1]
    """
    order = np.argsort(-promise, kind="stable")
    values, states = values[order], states[order]
    kept, worst = _by_pairs(values, states, slack)
    programs = 0
    if values.shape[1] == 2:
        kept = _on_envelopes(values, states, kept)
    elif len(kept) > few:
        kept, programs = _by_programs(values, states, kept, check)
    return Dominance(order[kept], worst, programs)


# --- by pairs -----------------------------------------------------------------------------------------------


def _by_pairs(values: Floats, states: npt.NDArray[np.int32], slack: float) -> tuple[Indices, float]:
    """What no single better one is at least as good as. Ways come best promise first."""
    if slack > 0:
        return _by_pairs_with_slack(values, states, slack)
    count = len(values)
    dropped = np.zeros(count, dtype=np.bool_)
    for start in range(0, count, BLOCK):
        own, own_states = values[start : start + BLOCK], states[start : start + BLOCK]
        end = start + len(own)
        others, other_states = values[:end], states[:end]
        same = own_states[:, None] == other_states
        covered = (same & (own[:, None] <= others)) | (own[:, None] == -np.inf)
        below = covered.all(axis=2)
        earlier = np.arange(end) < np.arange(start, end)[:, None]
        dropped[start:end] = (below & earlier).any(axis=1)
    return np.flatnonzero(~dropped), 0.0


def _by_pairs_with_slack(
    values: Floats, states: npt.NDArray[np.int32], slack: float
) -> tuple[Indices, float]:
    """The same one by one: with slack, what drops a way must itself remain."""
    kept: list[int] = []
    worst = 0.0
    for way in range(len(values)):
        if kept:
            own = values[way]
            with np.errstate(invalid="ignore"):  # -inf less -inf is replaced
                short = np.where(states[kept] == states[way], own - values[kept], np.inf)
            short[:, own == -np.inf] = -np.inf
            least = float(short.max(axis=1).min())  # of the largest shortfalls of the others
            if least <= slack:
                worst = max(worst, least)
                continue
        kept.append(way)
    return np.array(kept, dtype=np.intp), max(0.0, worst)


# --- two entries: the upper envelope -------------------------------------------------------------------------


def _on_envelopes(values: Floats, states: npt.NDArray[np.int32], kept: Indices) -> Indices:
    """Of the ways with the same two states, those that are best for some ratio of what comes later."""
    _, group = as_numbers(states[kept])
    remaining: list[int] = []
    for number in range(int(group.max(initial=-1)) + 1):
        ways = kept[group == number]
        if len(ways) > 2:
            ways = ways[np.argsort(-values[ways, 0], kind="stable")]  # then the other entry grows
            envelope: list[int] = []
            for way in ways.tolist():
                while len(envelope) > 1 and _between(values[envelope[-2]], values[envelope[-1]], values[way]):
                    envelope.pop()
                envelope.append(way)
            remaining += envelope
        else:
            remaining += ways.tolist()
    return np.sort(np.array(remaining, dtype=np.intp))


def _between(left: Floats, way: Floats, right: Floats) -> bool:
    """Whether a mixture of its neighbours is at least as good as a way, in both entries."""
    with np.errstate(invalid="ignore", divide="ignore"):
        left_first, left_second = np.exp(np.minimum(left - way, MOST_RATIO))
        right_first, right_second = np.exp(np.minimum(right - way, MOST_RATIO))
        least = (1.0 - right_first) / (left_first - right_first)  # the left one's share, for the first entry
        most = (right_second - 1.0) / (right_second - left_second)
        return bool(least <= most)  # not, if one of them is no number


# --- more entries: linear programs ---------------------------------------------------------------------------


def _by_programs(
    values: Floats, states: npt.NDArray[np.int32], kept: Indices, check: Callable[[], None]
) -> tuple[Indices, int]:
    """What no mixture of others is at least as good as, each by a linear program; the worst promises first."""
    sure = set(kept[_best_somewhere(values[kept])].tolist())
    remaining = kept.tolist()
    programs = 0
    solver = _Mixtures()
    for way in kept[::-1].tolist():
        if way in sure:
            continue
        check()
        given = values[way] > -np.inf
        others = [other for other in remaining if other != way]
        ratios = np.exp(np.minimum(values[others][:, given] - values[way, given], MOST_RATIO))
        ratios[states[others][:, given] != states[way, given]] = 0.0
        if (ratios.max(axis=0) < 1.0).any():
            continue  # nothing is as good in one entry: no mixture is
        programs += 1
        if solver.best_mixture(ratios) >= 1.0:
            remaining.remove(way)
    return np.array(remaining, dtype=np.intp), programs


def _best_somewhere(values: Floats) -> Indices:
    """Ways that are surely kept: each is the only best one for some numbers that might come later."""
    highest = values.max(axis=0)
    scaled = values - np.where(highest > -np.inf, highest, 0.0)
    directions = np.random.default_rng(0).normal(scale=3.0, size=(DIRECTIONS, values.shape[1]))
    totals = np.logaddexp.reduce(scaled[:, None] + directions, axis=2)
    return np.unique(totals.argmax(axis=0))


class _Mixtures:
    """Finds the mixture of ways that is best where it is worst, by a linear program."""

    def __init__(self) -> None:
        import highspy  # slow to load, and few votes come to it

        self._highspy = highspy
        self._highs = highspy.Highs()  # type: ignore[no-untyped-call]
        self._highs.setOptionValue("output_flag", False)  # noqa: FBT003 - its own signature
        self._highs.setOptionValue("threads", 1)

    def best_mixture(self, ratios: Floats) -> float:
        """The largest number that a convex mixture of rows (P, N) reaches in every entry, rounded down by being computed anew."""
        count, entries = ratios.shape
        lp = self._highspy.HighsLp()
        lp.num_col_, lp.num_row_ = count + 1, entries + 1
        lp.sense_ = self._highspy.ObjSense.kMaximize
        lp.col_cost_ = np.concatenate([np.zeros(count), [1.0]])
        lp.col_lower_, lp.col_upper_ = np.zeros(count + 1), np.full(count + 1, np.exp(MOST_RATIO))
        lp.row_lower_ = np.concatenate([np.zeros(entries), [1.0]])
        lp.row_upper_ = np.concatenate([np.full(entries, np.inf), [1.0]])
        matrix = np.zeros((count + 1, entries + 1))
        matrix[:count, :entries] = ratios
        matrix[count, :entries] = -1.0
        matrix[:count, entries] = 1.0
        column, row = np.nonzero(matrix)
        lp.a_matrix_.format_ = self._highspy.MatrixFormat.kColwise
        lp.a_matrix_.start_ = np.searchsorted(column, np.arange(count + 2)).astype(np.int32)
        lp.a_matrix_.index_, lp.a_matrix_.value_ = row.astype(np.int32), matrix[column, row]
        self._highs.passModel(lp)
        self._highs.run()
        shares = np.maximum(np.array(self._highs.getSolution().col_value[:count]), 0.0)
        total = shares.sum()
        return float((shares @ ratios).min() / total) if total > 0 else 0.0
