"""The linear form of rules that look at two neighbours at most: some labels, or pairs of labels, are not taken.

Fixed labels (Example 1 of Roth & Yih 2005), bans, token rules, allowed transitions and segment schemes are all of
this kind. Their machines forget: the state after a label does not depend on the state before it.
"""

from __future__ import annotations

import numpy as np

from lawful.automata.counting import CountingMachine
from lawful.rules.example import BoundMachine
from lawful.solvers.ilp.charge import Charge
from lawful.solvers.ilp.trellis import AtMost, LinearTrellis

__all__ = ["forgets", "obey_local"]


def forgets(machine: CountingMachine) -> bool:
    """Whether `obey_local` can say what the machine says.

    Examples
    --------
    >>> forgets(CountingMachine.from_lists([[0, 1], [0, 1]], [[0, 0], [0, 1]], [0, 0]))  # no 1 after a 1
    True
    >>> forgets(CountingMachine.from_lists([[0, 1], [1, 1]], [[0, 0], [0, 1]], [0, 0]))  # one 1 in all
    False
    """
    single = max(machine.violations.max(initial=0), machine.final.max()) <= 1
    return bool(single and (machine.delta == machine.delta[0]).all())


def obey_local(bound: BoundMachine, trellis: LinearTrellis, charge: Charge) -> None:
    """Add the rows of a machine that forgets."""
    machine, kinds = bound.machine, bound.kinds
    classes = bound.table[np.zeros(trellis.length, dtype=np.intp) if kinds is None else kinds]
    after = machine.delta[0, classes]
    failing = [[AtMost(trellis.at(0, machine.violations[0, classes[0]] > 0), 0)]]
    for t in range(1, trellis.length):
        bad = machine.violations[after[t - 1][:, None], classes[t][None, :]] > 0
        if bad.any():
            failing.append(trellis.not_step(t, bad))
    failing.append([AtMost(trellis.at(trellis.length - 1, machine.final[after[-1]] > 0), 0)])
    _pay(failing, trellis, charge)


def _pay(failing: list[list[AtMost]], trellis: LinearTrellis, charge: Charge) -> None:
    """Each list of rows fails by 1 where the rule is broken."""
    zero = [rows[0].columns for rows in failing if len(rows) == 1 and rows[0].upper == 0]
    if charge.mode == "counted" and (together := [columns for columns in zero if len(columns)]):
        trellis.program.add_row(np.concatenate(together), upper=0, excess=charge.excess())
        failing = [rows for rows in failing if not (len(rows) == 1 and rows[0].upper == 0)]
    for rows in failing:
        if any(len(row.columns) > row.upper for row in rows):
            excess = charge.excess()
            for row in rows:
                trellis.program.add_row(row.columns, upper=row.upper, excess=excess)
