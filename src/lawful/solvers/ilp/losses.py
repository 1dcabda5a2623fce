"""What each column of a program loses against the best path without rules, added up without rounding.

HiGHS works to about 1e-9 of the largest number in the objective. Scores may be much larger than all that is at stake:
masks, prices that nobody will pay, terms that cancel. Losses need not be. Along a path they add up to what it scores
less than the best path without rules, none of them is negative, and what loses more than a legal path that is known
can be cut down to the size of that path's loss: it will not be taken either way.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import NamedTuple

import numpy as np

from lawful.lattice.sums import in_whole_units
from lawful.solvers.ilp.network import Network
from lawful.solvers.ilp.program import NO_LIMITS, Floats
from lawful.solvers.ilp.ruled_program import RuledProgram
from lawful.solvers.problem import Limits

__all__ = ["LARGEST", "Losses", "exact_losses"]

LARGEST = 256  # of the numbers in the objective: what they add up to is still rounded far below any tolerance
EVEN = 10**7  # times the smallest loss: HiGHS works to about 1e-9 of the largest
BETWEEN_LOOKS = 1 << 14  # arcs between two looks at the clock


class Losses(NamedTuple):
    """The losses of a program's columns, in whole units.

    Attributes
    ----------
    columns : list of int or None
        None for an arc that no path takes.
    plain : int or None
        The score of the best path without rules; None if there is none.
    unit : int
        So many units are a score of 1.
    """

    columns: list[int | None]
    plain: int | None
    unit: int

    @property
    def largest(self) -> int:
        """The largest loss."""
        return max((loss for loss in self.columns if loss is not None), default=0)

    @property
    def even(self) -> bool:
        """Whether the smallest loss is large enough beside the largest to be told from none."""
        return self.largest <= EVEN * min((loss for loss in self.columns if loss), default=self.largest)

    def objective(self, cap: int) -> tuple[Floats, Fraction]:
        """What to maximise, with no loss above a cap; and how many units are 1 in it.

        The largest loss is between half of LARGEST and LARGEST: the tolerances of HiGHS are absolute, and those of all
        the columns of a path add up.
        """
        least = 1 << max(0, cap - 1).bit_length()  # a power of two, so that numbers lose nothing
        numbers = [-LARGEST * (cap if loss is None else min(loss, cap)) / least for loss in self.columns]
        return np.array(numbers, dtype=np.float64), Fraction(least, LARGEST)

    def of(self, arcs: Iterable[int], charges: Iterable[float]) -> Fraction:
        """What a path loses by the arcs that it takes and the prices that it pays."""
        taken = sum(self.columns[arc] or 0 for arc in arcs)
        return taken + sum((Fraction(charge) * self.unit for charge in charges), Fraction(0))

    def score(self, loss: Fraction) -> float:
        """The score of what loses so much."""
        return float(((self.plain or 0) - loss) / self.unit)


def exact_losses(model: RuledProgram, limits: Limits = NO_LIMITS) -> Losses:
    """The losses of all columns. Raises `LimitError` where that takes longer than the limits allow.

    Examples
    --------
    >>> from lawful.lattice import Lattice
    >>> from lawful.solvers.ilp.ruled_program import ruled_program
    >>> from lawful.solvers.problem import Problem
    >>> exact_losses(ruled_program(Problem(Lattice([[1e30, 1e30], [-1e30, -1e30], [0.5, 2.0]]))))
    Losses(columns=[0, 0, 0, 0, 3, 0], plain=4, unit=2)
    """
    network = model.network
    costs = model.program.costs()[len(network.source) :]
    unit, (weights, prices) = in_whole_units(network.weight, -costs)
    best = _completions(network, weights, limits)
    columns: list[int | None] = []
    arcs = zip(network.source.tolist(), network.target.tolist(), weights, strict=True)
    for number, (source, target, weight) in enumerate(arcs):
        if number % BETWEEN_LOOKS == 0:
            limits.require_time()
        before, after = best[source], best[target]
        columns.append(None if before is None or after is None else before - weight - after)
    return Losses([*columns, *prices], best[0], unit)


def _completions(network: Network, weights: list[int], limits: Limits) -> list[int | None]:
    """The best score from each node to the last; None if there is no way."""
    best: list[int | None] = [None] * network.nodes
    best[-1] = 0
    source, target = network.source.tolist(), network.target.tolist()
    for number, arc in enumerate(np.argsort(-network.source, kind="stable").tolist()):
        if number % BETWEEN_LOOKS == 0:
            limits.require_time()
        after, known = best[target[arc]], best[source[arc]]
        if after is not None and (known is None or weights[arc] + after > known):
            best[source[arc]] = weights[arc] + after
    return best
