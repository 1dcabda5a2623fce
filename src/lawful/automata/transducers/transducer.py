"""Machines that rewrite a sequence of symbols into another."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple, TypeAlias, TypeVar

from lawful.errors import MachineError

__all__ = ["Ending", "Rewriting", "String", "Symbol", "Transducer", "TransducerArc"]

Symbol: TypeAlias = Hashable
String: TypeAlias = tuple[Symbol, ...]


class TransducerArc(NamedTuple):
    """A step that reads one symbol and writes any number of them."""

    source: int
    input: Symbol
    target: int
    output: String = ()
    weight: float = 0.0


class Ending(NamedTuple):
    """What a machine writes if the sequence ends in a state."""

    state: int
    output: String = ()
    weight: float = 0.0


ArcOrEnding = TypeVar("ArcOrEnding", TransducerArc, Ending)


class Rewriting(NamedTuple):
    """One way to rewrite a sequence: what is written, and the weight of all steps together."""

    output: String
    weight: float


@dataclass(frozen=True, eq=False)
class Transducer:
    """A finite-state transducer. State 0 is the start; every arc reads exactly one symbol and writes a string.

    It may be nondeterministic: several arcs of a state may read the same symbol, and a state may have several endings.
    Weights add up along a path, and lower is better; they are 0 unless something has to be chosen by them.
    Frozen; compared by identity (`transducers.equivalent` compares what they do).

    Attributes
    ----------
    arcs : tuple of TransducerArc
        Sorted, without repeats.
    endings : tuple of Ending

    Examples
    --------
    IOB2 from IOB1: the first token of a chunk becomes B.

    >>> iob2 = Transducer(
    ...     [(0, "O", 0, ("O",)), (0, "I", 1, ("B",)), (1, "I", 1, ("I",)), (1, "B", 1, ("B",)), (1, "O", 0, ("O",))],
    ...     [(0,), (1,)],
    ... )
    >>> iob2.rewrite(["I", "I", "B", "O"])
    ('B', 'I', 'B', 'O')
    """

    arcs: Sequence[TransducerArc]
    endings: Sequence[Ending]

    def __post_init__(self) -> None:
        arcs = {_clean(TransducerArc(*arc)) for arc in self.arcs}
        endings = {_clean(Ending(*ending)) for ending in self.endings}
        for field, values in (("arcs", arcs), ("endings", endings)):
            object.__setattr__(self, field, tuple(sorted(values, key=in_order)))
        if min((state for arc in self.arcs for state in (arc.source, arc.target)), default=0) < 0:
            raise MachineError("states are numbered from 0, got a negative one")
        if any(not ending.state >= 0 for ending in self.endings):
            raise MachineError("states are numbered from 0, got a negative one")

    @cached_property
    def states(self) -> int:
        """One more than the highest state."""
        used = [state for arc in self.arcs for state in (arc.source, arc.target)]
        return 1 + max([0, *used, *(ending.state for ending in self.endings)])

    @cached_property
    def inputs(self) -> tuple[Symbol, ...]:
        """The symbols that it can read, in order."""
        return tuple(sorted({arc.input for arc in self.arcs}, key=str))

    @cached_property
    def outputs(self) -> tuple[Symbol, ...]:
        """The symbols that it can write, in order."""
        written = {symbol for arc in self.arcs for symbol in arc.output}
        written |= {symbol for ending in self.endings for symbol in ending.output}
        return tuple(sorted(written, key=str))

    @cached_property
    def steps(self) -> tuple[Mapping[Symbol, Sequence[TransducerArc]], ...]:
        """For every state, the arcs that read each symbol."""
        steps: list[dict[Symbol, list[TransducerArc]]] = [{} for _ in range(self.states)]
        for arc in self.arcs:
            steps[arc.source].setdefault(arc.input, []).append(arc)
        return tuple(steps)

    @cached_property
    def endings_of(self) -> Mapping[int, Sequence[Ending]]:
        """The endings of each state that has one."""
        endings: dict[int, list[Ending]] = {}
        for ending in self.endings:
            endings.setdefault(ending.state, []).append(ending)
        return endings

    @cached_property
    def deterministic(self) -> bool:
        """Whether there is at most one way to read any sequence."""
        one_arc = all(len(arcs) == 1 for by_symbol in self.steps for arcs in by_symbol.values())
        return one_arc and all(len(endings) == 1 for endings in self.endings_of.values())

    @cached_property
    def weighted(self) -> bool:
        """Whether any weight is not 0."""
        return any(arc.weight for arc in self.arcs) or any(ending.weight for ending in self.endings)

    def rewritings(self, symbols: Iterable[Symbol]) -> list[Rewriting]:
        """All ways to rewrite a sequence, lowest weight first; the same output appears once, at its lowest weight."""
        reached: dict[tuple[int, String], float] = {(0, ()): 0.0}
        for symbol in symbols:
            before, reached = reached, {}
            for (state, output), weight in before.items():
                for arc in self.steps[state].get(symbol, ()):
                    key, total = (arc.target, output + arc.output), weight + arc.weight
                    reached[key] = min(total, reached.get(key, total))
        best: dict[String, float] = {}
        for (state, output), weight in reached.items():
            for ending in self.endings_of.get(state, ()):
                whole, total = output + ending.output, weight + ending.weight
                best[whole] = min(total, best.get(whole, total))
        ways = [Rewriting(output, weight) for output, weight in best.items()]
        return sorted(ways, key=lambda way: (way.weight, in_order(way.output)))

    def rewrite(self, symbols: Iterable[Symbol]) -> String:
        """The rewriting of a sequence with the lowest weight; an error if there is none.

        Examples
        --------
        >>> Transducer([(0, "a", 0, "b")], [(0,)]).rewrite("ac")
        Traceback (most recent call last):
        lawful.errors.MachineError: the transducer cannot read 'c' at position 1
        """
        if self.deterministic:
            return self._rewrite_quickly(symbols)
        sequence = list(symbols)
        ways = self.rewritings(sequence)
        if not ways:
            raise self._refusal(sequence)
        return ways[0].output

    def _rewrite_quickly(self, symbols: Iterable[Symbol]) -> String:
        sequence = list(symbols)
        steps, state = self._single_steps, 0
        output: list[Symbol] = []
        try:
            for symbol in sequence:
                state, written = steps[state][symbol]
                output += written
            output += self.endings_of[state][0].output
        except KeyError:
            raise self._refusal(sequence) from None
        return tuple(output)

    @cached_property
    def _single_steps(self) -> tuple[dict[Symbol, tuple[int, String]], ...]:
        return tuple(
            {symbol: (arcs[0].target, arcs[0].output) for symbol, arcs in by_symbol.items()}
            for by_symbol in self.steps
        )

    def _refusal(self, sequence: Sequence[Symbol]) -> MachineError:
        reached = {0}
        for position, symbol in enumerate(sequence):
            reached = {arc.target for state in reached for arc in self.steps[state].get(symbol, ())}
            if not reached:
                return MachineError(f"the transducer cannot read {symbol!r} at position {position}")
        return MachineError(f"a sequence may not end after its {len(sequence)} symbols here")


def _clean(arc: ArcOrEnding) -> ArcOrEnding:
    return arc._replace(output=tuple(arc.output), weight=float(arc.weight))


def in_order(value: object) -> tuple[object, ...]:
    """A sort key for symbols, strings, arcs and endings, whatever types the symbols have."""
    if isinstance(value, tuple):
        return (1, *(in_order(part) for part in value))
    if isinstance(value, (int, float)):
        return (0, float(value), "")
    return (0, 0.0, str(value))
