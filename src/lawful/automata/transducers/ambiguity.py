"""Whether a machine rewrites some sequence in two ways."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from lawful.automata.transducers.determinization import common_prefix
from lawful.automata.transducers.transducer import String, Symbol, Transducer
from lawful.automata.transducers.trimming import trim_transducer

__all__ = ["Ambiguity", "find_ambiguity"]

Pair = tuple[int, int]


class Ambiguity(NamedTuple):
    """A sequence and two different ways to rewrite it."""

    symbols: String
    first: String
    second: String


def find_ambiguity(transducer: Transducer) -> Ambiguity | None:
    """A short sequence that the machine rewrites in two ways; None if there is none. Weights do not matter.

    The machine runs beside itself. Wherever both can be after the same sequence, one may have written more than the other;
    if it rewrites everything in one way, how much more depends on the two states only (Beal, Carton, Prieur and
    Sakarovitch 2003).

    Examples
    --------
    >>> find_ambiguity(Transducer([(0, "a", 1, "x"), (0, "a", 2, "y"), (1, "b", 3), (2, "b", 3)], [(3,)]))
    Ambiguity(symbols=('a', 'b'), first=('x',), second=('y',))
    """
    machine = trim_transducer(transducer)
    useful = _completions(machine)
    ahead: dict[Pair, tuple[String, String]] = {(0, 0): ((), ())}
    way: dict[Pair, String] = {(0, 0): ()}
    queue = [(0, 0)]
    for pair in queue:  # grows inside the loop
        ends = [
            [written + ending.output for ending in machine.endings_of.get(state, ())]
            for state, written in zip(pair, ahead[pair], strict=True)
        ]
        if any(first != second for first in ends[0] for second in ends[1]):
            return _shown(machine, way[pair])
        for symbol in sorted(machine.steps[pair[0]].keys() & machine.steps[pair[1]].keys(), key=str):
            for left in machine.steps[pair[0]][symbol]:
                for right in machine.steps[pair[1]][symbol]:
                    target = (left.target, right.target)
                    if target not in useful:
                        continue
                    written = ahead[pair][0] + left.output, ahead[pair][1] + right.output
                    common = len(common_prefix(written))
                    rest = written[0][common:], written[1][common:]
                    read = (*way[pair], symbol)
                    if target not in ahead:
                        ahead[target], way[target] = rest, read
                        queue.append(target)
                    if all(rest) or rest != ahead[target]:
                        for prefix in (way[target], read):
                            word = prefix + useful[target]
                            if len({ways.output for ways in machine.rewritings(word)}) > 1:
                                return _shown(machine, word)
    return None


def _shown(machine: Transducer, symbols: String) -> Ambiguity:
    outputs = [way.output for way in machine.rewritings(symbols)]
    return Ambiguity(symbols, outputs[0], outputs[1])


def _completions(machine: Transducer) -> Mapping[Pair, String]:
    """For every pair of states from which some sequence leads both to an ending, a shortest such sequence."""
    incoming: dict[int, dict[Symbol, list[int]]] = {}
    for arc in machine.arcs:
        incoming.setdefault(arc.target, {}).setdefault(arc.input, []).append(arc.source)
    ends = sorted(machine.endings_of)
    shortest: dict[Pair, String] = {(first, second): () for first in ends for second in ends}
    queue = list(shortest)
    for pair in queue:  # grows inside the loop
        first, second = (incoming.get(state, {}) for state in pair)
        for symbol in first.keys() & second.keys():
            for left in first[symbol]:
                for right in second[symbol]:
                    if (left, right) not in shortest:
                        shortest[left, right] = (symbol, *shortest[pair])
                        queue.append((left, right))
    return shortest
