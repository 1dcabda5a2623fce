"""What tags stand for, with as few of them changed as possible (Loper 4.4.2)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from lawful.automata.transducers.determinization import determinize_transducer
from lawful.automata.transducers.transducer import String, Symbol, Transducer, TransducerArc
from lawful.errors import EncodingError

__all__ = ["fewest_repairs", "repairing_transducer"]


def fewest_repairs(inverse: Transducer, tags: Sequence[Symbol]) -> tuple[String, int]:
    """Rewrite tags by the machine after changing as few of them as possible, and how many that were.

    A shortest path over all ways to read as many tags: it takes any tags, and no deterministic machine. Among ways with as few
    repairs, one is taken that changes fewer types of chunks: `I-PER` at the start becomes `B-PER` rather than `O`.

    Parameters
    ----------
    inverse : Transducer
        From tags to labels.
    tags : sequence

    Examples
    --------
    >>> starts_with_a = Transducer([(0, "a", 1, "A"), (1, "a", 1, "A"), (1, "b", 1, "B")], [(1,)])
    >>> fewest_repairs(starts_with_a, "bb")
    (('A', 'B'), 1)
    """
    arcs = inverse.arcs
    repair = len(tags) + 1  # what a repair costs: more than any number of changed types
    unreachable = repair * repair
    cost = np.full(inverse.states, unreachable)
    cost[0] = 0
    sources = np.array([arc.source for arc in arcs], dtype=np.intp)
    order = np.argsort(
        [arc.target for arc in arcs], kind="stable"
    )  # arcs grouped by target, in their own order
    targets, starts = np.unique([arcs[index].target for index in order], return_index=True)
    reads = {
        tag: np.array(
            [0 if arc.input == tag else repair + (_type(arc.input) != _type(tag)) for arc in arcs],
            dtype=np.intp,
        )[order]
        for tag in set(tags)
    }
    taken: list[np.ndarray] = []
    for tag in tags:
        through = np.minimum(cost[sources[order]] + reads[tag], unreachable)
        cost = np.full(inverse.states, unreachable)
        chosen = np.full(inverse.states, -1)
        if len(arcs):
            cost[targets] = np.minimum.reduceat(through, starts)
            best = through == np.repeat(cost[targets], np.diff([*starts, len(arcs)]))
            first = np.flatnonzero(best)
            owner = np.searchsorted(starts, first, side="right") - 1
            _, at = np.unique(owner, return_index=True)
            chosen[targets] = order[first[at]]
        taken.append(chosen)
    ends = [(int(cost[ending.state]), index) for index, ending in enumerate(inverse.endings)]
    least, index = min(ends, default=(unreachable, 0))
    if least >= unreachable:
        raise EncodingError(f"no sequence of {len(tags)} labels can be written in this encoding")
    ending = inverse.endings[index]
    outputs = [ending.output]
    state = ending.state
    for chosen in reversed(taken):
        arc = arcs[int(chosen[state])]
        outputs.append(arc.output)
        state = arc.source
    return tuple(label for output in reversed(outputs) for label in output), least // repair


def _type(tag: Symbol) -> str:
    """The type in a tag of a chunk, if it has one: `PER` of `B-PER`."""
    return str(tag).partition("-")[2]


def repairing_transducer(inverse: Transducer, *, limit: int = 10_000) -> Transducer:
    """One deterministic machine that takes any tags and rewrites them with the fewest repairs.

    Every arc also reads every other tag, at a weight of 1; then the machine is determinized. Not every encoding has such a
    machine: `MachineError` if it has more than `limit` states.

    Examples
    --------
    >>> starts_with_a = Transducer([(0, "a", 1, "A"), (1, "a", 1, "A"), (1, "b", 1, "B")], [(1,)])
    >>> repairing_transducer(starts_with_a).rewritings("bb")
    [Rewriting(output=('A', 'B'), weight=1.0)]
    """
    changed = [
        TransducerArc(arc.source, tag, arc.target, arc.output, arc.weight + 1.0)
        for arc in inverse.arcs
        for tag in inverse.inputs
        if tag != arc.input
    ]
    return determinize_transducer(Transducer([*inverse.arcs, *changed], inverse.endings), limit=limit)
