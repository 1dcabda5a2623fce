"""Reading what a machine writes and writing what it reads."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from lawful.automata.transducers.transducer import Ending, String, Symbol, Transducer, TransducerArc
from lawful.automata.transducers.trimming import trim_transducer
from lawful.errors import MachineError

__all__ = ["Passage", "invert", "read_singly"]


class Passage(NamedTuple):
    """A step that reads any number of symbols, even none, and writes any number."""

    source: int
    inputs: String
    target: int
    outputs: String
    weight: float = 0.0


def invert(transducer: Transducer) -> Transducer:
    """Rewrite back: all inputs that lead to an output. The result is often nondeterministic.

    Examples
    --------
    >>> swap = Transducer([(0, "a", 0, "x"), (0, "b", 0, "y")], [(0,)])
    >>> invert(swap).rewrite("xyx")
    ('a', 'b', 'a')
    """
    passages = [
        Passage(arc.source, arc.output, arc.target, (arc.input,), arc.weight) for arc in transducer.arcs
    ]
    last = transducer.states  # where what is written at the end has been read
    passages += (Passage(state, output, last, (), weight) for state, output, weight in transducer.endings)
    return read_singly(passages, [Ending(last)])


def read_singly(passages: Iterable[Passage], endings: Iterable[Ending]) -> Transducer:
    """The transducer of steps that read any number of symbols: longer ones become chains, empty ones disappear.

    Examples
    --------
    >>> machine = read_singly([Passage(0, ("a", "b"), 1, ("x",)), Passage(1, (), 2, ("y",))], [Ending(2)])
    >>> machine.rewrite("ab")
    ('x', 'y')
    """
    arcs: list[TransducerArc] = []
    silent: dict[int, list[Passage]] = {}
    ending_list = list(endings)
    passage_list = list(passages)
    fresh = 1 + max(
        [
            0,
            *(max(passage.source, passage.target) for passage in passage_list),
            *(e.state for e in ending_list),
        ]
    )
    for passage in passage_list:
        if not passage.inputs:
            silent.setdefault(passage.source, []).append(passage)
            continue
        chain = [passage.source, *range(fresh, fresh + len(passage.inputs) - 1), passage.target]
        fresh += len(passage.inputs) - 1
        for index, symbol in enumerate(passage.inputs):  # everything is written at the first symbol
            first = index == 0
            output, weight = (passage.outputs, passage.weight) if first else ((), 0.0)
            arcs.append(TransducerArc(chain[index], symbol, chain[index + 1], output, weight))
    if not silent:
        return trim_transducer(Transducer(arcs, ending_list))
    by_source: dict[int, list[TransducerArc]] = {}
    for arc in arcs:
        by_source.setdefault(arc.source, []).append(arc)
    ends_at: dict[int, list[Ending]] = {}
    for ending in ending_list:
        ends_at.setdefault(ending.state, []).append(ending)
    joined_arcs: list[TransducerArc] = []
    joined_endings: list[Ending] = []
    for state in range(fresh):
        for reached, written, weight in _silently(state, silent):
            joined_arcs += (
                arc._replace(source=state, output=written + arc.output, weight=weight + arc.weight)
                for arc in by_source.get(reached, ())
            )
            joined_endings += (
                Ending(state, written + ending.output, weight + ending.weight)
                for ending in ends_at.get(reached, ())
            )
    return trim_transducer(Transducer(joined_arcs, joined_endings))


def _silently(
    start: int, silent: dict[int, list[Passage]]
) -> Sequence[tuple[int, tuple[Symbol, ...], float]]:
    """Where one can get without reading anything, itself included, with what is written on the way."""
    ways: list[tuple[int, String, float]] = []

    def go_on(state: int, written: String, weight: float, above: frozenset[int]) -> None:
        ways.append((state, written, weight))
        for passage in silent.get(state, ()):
            if passage.target in above:
                raise MachineError(
                    f"state {passage.target} comes back to itself without reading anything: there is no end to "
                    "what could be written"
                )
            go_on(
                passage.target, written + passage.outputs, weight + passage.weight, above | {passage.target}
            )

    go_on(start, (), 0.0, frozenset({start}))
    return ways
