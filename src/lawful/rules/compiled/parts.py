"""Parts: machines with their prices worked in, as the kernels take them."""

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

__all__ = ["at_price", "make_part", "mode_of"]

Costs = npt.NDArray[np.float64]


def make_part(bound: BoundMachine, *, rule: int, price: float, per: str) -> _core.Part:
    """The part for one machine of a rule.

    Parameters
    ----------
    bound : BoundMachine
    rule : int
        The rule's index in the rule set.
    price : float
        Infinity makes it hard.
    per : "sequence" or "violation"
    """
    machine = bound.machine
    mode = mode_of(price, per)
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


def at_price(unit: _core.Part, bound: BoundMachine, price: float) -> _core.Part:
    """A soft part at another price than 1: only its costs change."""
    return _core.Part(
        rule=unit.rule,
        table=bound.table,
        delta=unit.delta,
        cost=price * unit.cost,
        final_cost=price * unit.final_cost,
        mode=unit.mode,
        price=price,
        count_delta=bound.machine.delta,
        count_violations=bound.machine.violations,
        count_final=bound.machine.final,
    )


def mode_of(price: float, per: str) -> str:
    """How the kernels charge a rule: "hard", "once" or "counted"."""
    return "hard" if math.isinf(price) else "once" if per == "sequence" else "counted"


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
