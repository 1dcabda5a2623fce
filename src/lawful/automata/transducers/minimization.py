"""The smallest deterministic machine that rewrites alike: outputs as early as possible, equal states merged."""

from __future__ import annotations

import numpy as np

from lawful.automata.operations.minimization import merge_states
from lawful.automata.transducers.determinization import common_prefix
from lawful.automata.transducers.transducer import Ending, String, Transducer, TransducerArc
from lawful.automata.transducers.trimming import trim_transducer
from lawful.errors import MachineError

__all__ = ["minimize_transducer", "offsets_of"]


def minimize_transducer(transducer: Transducer, *, ahead: bool = True) -> Transducer:
    """The canonical form of a deterministic machine without weights.

    Two machines rewrite alike if and only if their canonical forms have the same arcs and endings. It has as few states as
    possible, except that what is common to all outputs cannot be written before the first symbol is read, so the start
    may need a state of its own.

    Parameters
    ----------
    transducer : Transducer
    ahead : bool
        Whether it may write more symbols than it has read, where the next ones are certain. If not, the result is canonical
        among machines that never do; then all ways to a state must have read equally many more than they have written.

    Examples
    --------
    >>> late = Transducer([(0, "a", 1), (1, "b", 2, "xy"), (0, "c", 3), (3, "b", 2, "xz")], [(2,)])
    >>> early = minimize_transducer(late)
    >>> [(arc.input, arc.output) for arc in early.arcs]
    [('a', ('x', 'y')), ('c', ('x', 'z')), ('b', ())]
    """
    if not transducer.deterministic:
        raise MachineError("only deterministic transducers can be minimized; determinize it first")
    if transducer.weighted:
        raise MachineError("only transducers without weights can be minimized")
    transducer = trim_transducer(transducer)
    if not transducer.endings:
        return Transducer([], [])
    return _merge(_push(transducer, None if ahead else offsets_of(transducer)))


def offsets_of(transducer: Transducer) -> dict[int, int]:
    """For each state that can be reached, how many more symbols have been read than written, on the shortest way.

    Examples
    --------
    >>> offsets_of(Transducer([(0, "a", 1), (1, "b", 2, "xy")], [(2,)]))
    {0: 0, 1: 1, 2: 0}
    """
    offsets = {0: 0}
    queue = [0]
    for state in queue:  # grows inside the loop
        for arcs in transducer.steps[state].values():
            for arc in arcs:
                if arc.target not in offsets:
                    offsets[arc.target] = offsets[state] + 1 - len(arc.output)
                    queue.append(arc.target)
    return offsets


def _push(transducer: Transducer, most: dict[int, int] | None) -> Transducer:
    """Write as early as possible, but no more than `most` at each state; the start keeps what it owes before reading."""
    early = _common_outputs(transducer)
    if most is not None:
        early = [prefix[: max(0, most[state])] for state, prefix in enumerate(early)]
    arcs = [
        arc._replace(output=(arc.output + early[arc.target])[len(early[arc.source]) :])
        for arc in transducer.arcs
    ]
    endings = [
        ending._replace(output=ending.output[len(early[ending.state]) :]) for ending in transducer.endings
    ]
    owed = early[0]
    if not owed:
        return Transducer(arcs, endings)
    shifted = [arc._replace(source=arc.source + 1, target=arc.target + 1) for arc in arcs]
    shifted += (arc._replace(source=0, output=owed + arc.output) for arc in shifted if arc.source == 1)
    ended = [ending._replace(state=ending.state + 1) for ending in endings]
    ended += (ending._replace(state=0, output=owed + ending.output) for ending in ended if ending.state == 1)
    return trim_transducer(Transducer(shifted, ended))


def _common_outputs(transducer: Transducer) -> list[String]:
    """For each state, what everything begins with that is written from there on."""
    early: list[String | None] = [None] * transducer.states  # None: nothing known yet, anything is possible
    waiting = {ending.state for ending in transducer.endings}
    sources: dict[int, set[int]] = {}
    for arc in transducer.arcs:
        sources.setdefault(arc.target, set()).add(arc.source)
    while waiting:  # prefixes only get shorter, so this ends
        state = waiting.pop()
        written = [ending.output for ending in transducer.endings_of.get(state, ())]
        for arcs in transducer.steps[state].values():
            after = early[arcs[0].target]
            if after is not None:
                written.append(arcs[0].output + after)
        prefix = common_prefix(written)
        if prefix != early[state]:
            early[state] = prefix
            waiting |= sources.get(state, set())
    return [prefix or () for prefix in early]


def _merge(transducer: Transducer) -> Transducer:
    """Merge states with the same future. Missing arcs lead to one state more, which accepts nothing."""
    symbols = {symbol: index for index, symbol in enumerate(transducer.inputs)}
    nowhere = transducer.states
    delta = np.full((nowhere + 1, max(1, len(symbols))), nowhere, dtype=np.int32)
    strings: dict[String, int] = {}
    written = np.full((nowhere + 1, delta.shape[1] + 1), -1, dtype=np.int32)
    for arc in transducer.arcs:
        delta[arc.source, symbols[arc.input]] = arc.target
        written[arc.source, symbols[arc.input]] = strings.setdefault(arc.output, len(strings))
    for ending in transducer.endings:
        written[ending.state, -1] = strings.setdefault(ending.output, len(strings))
    merged, kept = merge_states(delta, written)
    number = {int(state): index for index, state in enumerate(kept) if state != nowhere}
    arcs = []
    for index, state in enumerate(kept.tolist()):
        if state == nowhere:
            continue
        for by_symbol in transducer.steps[state].values():
            arc = by_symbol[0]
            target = int(merged[index, symbols[arc.input]])
            arcs.append(TransducerArc(index, arc.input, target, arc.output))
    endings = [
        Ending(number[state], ending.output)
        for state in number
        for ending in transducer.endings_of.get(state, ())
    ]
    return trim_transducer(Transducer(arcs, endings))
