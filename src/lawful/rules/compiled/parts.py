"""From a rule's machine, its price and its way of counting to a part that the kernels can use."""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from lawful import _core
from lawful.automata.counting import CountingMachine
from lawful.automata.operations.minimization import minimize_counting
from lawful.automata.operations.modes import obeyed
from lawful.automata.operations.trimming import live
from lawful.rules.example import BoundMachine

__all__ = ["make_part"]

Costs = npt.NDArray[np.float64]


def make_part(bound: BoundMachine, *, rule: int, price: float, per: str) -> _core.Part:
    """The part for one machine of a rule.

    Parameters
    ----------
    bound : BoundMachine
    rule : int
        The rule's place in the rule set.
    price : float
        Infinity makes it hard.
    per : "sequence" or "violation"
    """
    machine = bound.machine
    mode = "hard" if math.isinf(price) else "once" if per == "sequence" else "counted"
    if mode == "counted":
        counted = minimize_counting(machine)
        delta, cost, final_cost = counted.delta, price * counted.violations, price * counted.final
    else:
        delta, cost, final_cost = _binary_tables(machine, price)
    return _core.Part(
        rule=rule,
        table=bound.table,
        delta=delta,
        cost=np.ascontiguousarray(cost, dtype=np.float64),
        final_cost=np.ascontiguousarray(final_cost, dtype=np.float64),
        mode=mode,
        price=price,
        count_delta=machine.delta,
        count_violations=machine.violations,
        count_final=machine.final,
    )


def _binary_tables(machine: CountingMachine, price: float) -> tuple[npt.NDArray[np.int32], Costs, Costs]:
    """The tables of a rule that is broken or not, charged as soon as no continuation can save it.

    A hard rule leads nowhere then (-1); a soft one pays and goes on in a state that asks for nothing more.
    """
    dfa = obeyed(machine)
    alive = live(dfa)
    hard = math.isinf(price)
    if not alive[0]:  # no sequence obeys it: pay at the end, or find that nothing is legal
        rest = np.full((1, machine.classes), -1 if hard else 0, dtype=np.int32)
        return rest, np.zeros(rest.shape), np.full(1, price)
    count = int(alive.sum())
    number = np.full(len(alive), -1 if hard else count, dtype=np.int32)
    number[alive] = np.arange(count, dtype=np.int32)
    delta = number[dfa.delta[alive]]
    final_cost = np.where(dfa.accepting[alive], 0.0, price)
    if hard:
        return np.ascontiguousarray(delta), np.zeros(delta.shape), final_cost
    cost = np.where(delta == count, price, 0.0)
    delta = np.vstack([delta, np.full(machine.classes, count, dtype=np.int32)])
    return delta, np.vstack([cost, np.zeros(machine.classes)]), np.append(final_cost, 0.0)
