"""The flow of an automaton in a linear program: what the lattice's path makes it read, it must get through.

Any rule can be said in this way: one unit flows through the states of its machine, from reading to reading, and what
reads a class is tied to the columns of the lattice that say that the class is read. The flow needs no integrality of
its own: a machine is deterministic, so that the path decides it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from lawful import _core
from lawful.rules.bound_rules import Kinds
from lawful.solvers.ilp.network import Network
from lawful.solvers.ilp.program import Floats, Ints, Program
from lawful.solvers.ilp.trellis import LinearTrellis

__all__ = ["Reading", "add_flow", "graph_readings", "trellis_readings"]


class Reading(NamedTuple):
    """Something that may be read between two nodes, if the sum of the columns is 1. Class -1 is nothing."""

    source: int
    target: int
    symbol: int
    columns: Ints


ENTRIES_A_STEP = 3  # it reads a label, leaves a state and comes to one


class _Steps(NamedTuple):
    reading: Ints
    before: Ints
    after: Ints
    cost: Floats


def trellis_readings(trellis: LinearTrellis, part: _core.Part, kinds: Kinds) -> list[Reading]:
    """The classes that the labels of a trellis are read as, token by token."""
    readings = []
    for t in range(trellis.length):
        classes = part.table[0 if kinds is None else kinds[t]]
        for symbol in np.unique(classes).tolist():
            readings.append(Reading(t, t + 1, symbol, trellis.at(t, classes == symbol)))
    return readings


def graph_readings(network: Network, columns: Ints, part: _core.Part, kinds: Kinds) -> list[Reading]:
    """The class that each arc of a graph's network is read as."""
    source, target, label = network.source, network.target, network.label
    token = np.zeros(network.nodes, dtype=np.intp)  # that comes next, the same on all ways if kinds are known
    order = np.argsort(source, kind="stable").tolist()
    readings = []
    for arc in order:
        here = int(token[source[arc]])
        token[target[arc]] = here + (label[arc] >= 0)
        symbol = -1
        if label[arc] >= 0:
            symbol = int(part.table[0 if kinds is None else kinds[here], label[arc]])
        readings.append(Reading(int(source[arc]), int(target[arc]), symbol, columns[arc : arc + 1]))
    return readings


def add_flow(program: Program, part: _core.Part, readings: Sequence[Reading], nodes: int) -> None:
    """Let a part's search machine read its way from place 0 to the last, at its costs.

    Parameters
    ----------
    program : Program
    part : _core.Part
    readings : sequence of Reading
        By source, each to a later node.
    nodes : int
    """
    readings = [reading for reading in readings if len(reading.columns)]
    steps = _steps(program, part, readings, nodes)
    program.expect(-ENTRIES_A_STEP * len(steps.before))  # the rows below count them again
    source = np.array([reading.source for reading in readings], dtype=np.intp)[steps.reading]
    target = np.array([reading.target for reading in readings], dtype=np.intp)[steps.reading]
    prefix, before, after = f"state.{program.section}.{program.columns}", steps.before, steps.after
    flow = program.add_columns(
        -steps.cost, binary=False, name=lambda i: f"{prefix}.{source[i]}.{before[i]}.{i}"
    )
    read = np.repeat(np.arange(len(readings)), [len(reading.columns) for reading in readings])
    zeros = np.zeros(len(readings))
    program.add_rows(
        np.concatenate([steps.reading, read]),
        np.concatenate([flow, *(reading.columns for reading in readings)]).astype(np.intp),
        np.repeat([1.0, -1.0], [len(flow), len(read)]),
        lower=zeros,
        upper=zeros,
    )
    came, went = target < nodes - 1, source > 0
    state = np.concatenate(
        [target[came] * part.states + after[came], source[went] * part.states + before[went]]
    )
    known, row = np.unique(state, return_inverse=True)
    zeros = np.zeros(len(known))
    program.add_rows(
        row,
        np.concatenate([flow[came], flow[went]]),
        np.repeat([1.0, -1.0], [int(came.sum()), int(went.sum())]),
        lower=zeros,
        upper=zeros,
    )


def _steps(program: Program, part: _core.Part, readings: Sequence[Reading], nodes: int) -> _Steps:
    """What the machine can do at each reading, on a way from its start to a legal end."""
    delta, cost, final = part.delta, part.cost, part.final_cost
    reached = np.zeros((nodes, part.states), dtype=bool)
    reached[0, 0] = True
    for source, target, symbol, _ in readings:
        program.expect(0)
        reached[target, _after(delta, symbol, np.flatnonzero(reached[source]))[1]] = True
    useful = np.zeros_like(reached)
    useful[-1] = reached[-1] & np.isfinite(final)
    pieces = []
    for number in range(len(readings) - 1, -1, -1):
        source, target, symbol, _ = readings[number]
        before, after = _after(delta, symbol, np.flatnonzero(reached[source]))
        kept = useful[target, after]
        before, after = before[kept], after[kept]
        program.expect(ENTRIES_A_STEP * len(before))
        useful[source, before] = True
        paid = np.zeros(len(before)) if symbol < 0 else cost[before, symbol]
        if target == nodes - 1:
            paid = paid + final[after]
        pieces.append(_Steps(np.full(len(before), number), before, after, paid))
    nothing = np.empty(0, dtype=np.intp)
    columns = zip(*pieces, strict=True) if pieces else ([nothing],) * 3 + ([np.empty(0)],)
    return _Steps(*(np.concatenate(list(column)) for column in columns))


def _after(delta: npt.NDArray[np.int32], symbol: int, states: Ints) -> tuple[Ints, Ints]:
    """The states that can read a class, and those that they are in then."""
    after = states if symbol < 0 else delta[states, symbol].astype(np.intp)
    return states[after >= 0], after[after >= 0]
