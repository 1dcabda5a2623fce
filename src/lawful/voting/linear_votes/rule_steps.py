"""Rules, tied to one sequence, as steps: how a search that extends label sequences token by token obeys them."""

from __future__ import annotations

import math
from collections.abc import Collection

import numpy as np
import numpy.typing as npt

from lawful.decoding.judge import charge
from lawful.lattice.arrays import Floats
from lawful.rules.bound_rules import BoundRules

__all__ = ["RuleSteps", "broken_rules", "rule_cost"]

Ints = npt.NDArray[np.int32]


class RuleSteps:
    """The machines of some rules, run side by side over many label sequences at once.

    Parameters
    ----------
    bound : BoundRules
    rules : collection of int
        Those in force, by index.

    Examples
    --------
    >>> import lawful
    >>> decoder = lawful.Decoder(lawful.at_most(1, "A"), labels=["A", "B"])
    >>> steps = RuleSteps(decoder.bind(2), [0])
    >>> after, cost = steps.step(0, steps.start())
    >>> steps.step(1, after[:, 0])[1].tolist()  # after an A
    [[inf, 0.0]]
    """

    def __init__(self, bound: BoundRules, rules: Collection[int]) -> None:
        self._parts = [
            (part.delta, part.cost, part.final_cost, part.table, kinds)
            for part, kinds in zip(bound.parts, bound.kinds, strict=True)
            if part.rule in rules
        ]

    def start(self) -> Ints:
        """The states (1, R) of R machines before the first token."""
        return np.zeros((1, len(self._parts)), dtype=np.int32)

    def step(self, position: int, states: Ints) -> tuple[Ints, Floats]:
        """The states (P, K, R) after each label, and what it costs (P, K): infinity where a hard rule is broken."""
        columns, total = [], np.zeros(())
        for machine, (delta, cost, _, table, kinds) in enumerate(self._parts):
            classes = table[0 if kinds is None else kinds[position]]
            after = delta[states[:, machine]][:, classes]
            price = cost[states[:, machine]][:, classes]
            total = total + np.where(after < 0, np.inf, price)
            columns.append(np.maximum(after, 0))
        return np.stack(columns, axis=2), np.asarray(total, dtype=np.float64)

    def end(self, states: Ints) -> Floats:
        """What ending costs (P,)."""
        total = np.zeros(len(states))
        for machine, (_, _, final_cost, _, _) in enumerate(self._parts):
            total = total + final_cost[states[:, machine]]
        return total

    def __len__(self) -> int:
        return len(self._parts)


def rule_cost(bound: BoundRules, labels: npt.NDArray[np.int32]) -> float:
    """What a label sequence (T,), as indices, pays for all rules; infinity if it breaks a hard one.

    Examples
    --------
    >>> import lawful
    >>> bound = lawful.Decoder(lawful.at_most(1, "A").soft(2.0), labels=["A", "B"]).bind(2)
    >>> rule_cost(bound, np.array([0, 0], dtype=np.int32)), rule_cost(bound, np.array([0, 1], dtype=np.int32))
    (2.0, 0.0)
    """
    counts = bound.count(labels).tolist()
    return math.fsum(charge(rule, count) for rule, count in zip(bound.rules, counts, strict=True) if count)


def broken_rules(bound: BoundRules, labels: npt.NDArray[np.int32]) -> set[int]:
    """The rules that a label sequence breaks, by index."""
    return set(np.flatnonzero(bound.count(labels)).tolist())
