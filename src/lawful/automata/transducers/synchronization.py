"""One symbol out for each symbol in: what is written late is guessed in time, and the guess is checked later."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from typing import NamedTuple

from lawful.automata.transducers.minimization import offsets_of
from lawful.automata.transducers.transducer import Ending, String, Symbol, Transducer, TransducerArc
from lawful.automata.transducers.trimming import trim_transducer
from lawful.errors import MachineError

__all__ = ["synchronize"]


class _Point(NamedTuple):
    """A state, and the symbols by which the two machines differ.

    If the old one is late, these are promises: they stand in the output, and it has to write them. If it is early, they are
    stored: it has written them, and they come next.
    """

    state: int
    symbols: String


def synchronize(transducer: Transducer, *, limit: int = 10_000) -> Transducer:
    """The same rewritings by a machine whose every arc writes one symbol; nondeterministic where something was written late.

    The machine must write as many symbols as it reads. Such a machine can be late or early only by what its state tells
    (Eilenberg 1974), so the guesses are finitely many.

    Parameters
    ----------
    transducer : Transducer
    limit : int
        More states than this raise `MachineError`.

    Examples
    --------
    The last `a` of a run becomes `z`, which shows only when something else comes or nothing:

    >>> late = Transducer([(0, "b", 0, "b"), (0, "a", 1), (1, "a", 1, "a"), (1, "b", 0, "zb")], [(0,), (1, "z")])
    >>> [(arc.source, arc.input, *arc.output, arc.target) for arc in synchronize(late).arcs]
    [(0, 'a', 'z', 1), (0, 'a', 'a', 2), (0, 'b', 'b', 0), (1, 'b', 'b', 0), (2, 'a', 'z', 1), (2, 'a', 'a', 2)]
    """
    machine = trim_transducer(transducer)
    offsets = offsets_of(machine)
    _require_kept_length(machine, offsets)
    coming = _Coming(machine)
    number = {_Point(0, ()): 0}
    queue = [_Point(0, ())]
    arcs: list[TransducerArc] = []
    endings: list[Ending] = []
    for point in queue:  # grows inside the loop
        source = number[point]
        for ending in machine.endings_of.get(point.state, ()):
            if ending.output == point.symbols:
                endings.append(Ending(source, (), ending.weight))
        for by_symbol in machine.steps[point.state].values():
            for arc in by_symbol:
                for written, after in _steps(point, arc, offsets[point.state], coming):
                    if after not in number:
                        if len(number) >= limit:
                            raise MachineError(f"the synchronous machine has more than {limit} states")
                        number[after] = len(number)
                        queue.append(after)
                    arcs.append(TransducerArc(source, arc.input, number[after], (written,), arc.weight))
    return _merge_alike(trim_transducer(Transducer(arcs, endings)))


def _require_kept_length(machine: Transducer, offsets: dict[int, int]) -> None:
    fits = all(offsets[arc.source] + 1 - len(arc.output) == offsets[arc.target] for arc in machine.arcs)
    if not fits or any(len(ending.output) != offsets[ending.state] for ending in machine.endings):
        raise MachineError(
            "the transducer does not write as many symbols as it reads, so it cannot be synchronous"
        )


def _steps(
    point: _Point, arc: TransducerArc, offset: int, coming: _Coming
) -> Iterator[tuple[Symbol, _Point]]:
    """What can be written while the old machine takes an arc, and where one is then."""
    known = point.symbols
    if offset < 0:
        yield known[0], _Point(arc.target, known[1:] + arc.output)
        return
    promised, kept = known[: len(arc.output)], known[len(arc.output) :]
    if arc.output[: len(promised)] != promised:
        return
    if len(arc.output) > len(known):
        yield arc.output[len(known)], _Point(arc.target, arc.output[len(known) + 1 :])
        return
    for string in coming(arc.target, len(kept) + 1):
        if string[:-1] == kept:
            yield string[-1], _Point(arc.target, string)


class _Coming:
    """What a machine can write next from each of its states."""

    def __init__(self, machine: Transducer) -> None:
        self._machine = machine
        self._known: dict[tuple[int, int], list[String]] = {}

    def __call__(self, state: int, count: int) -> list[String]:
        """The strings of that many symbols."""
        if count == 0:
            return [()]
        if (state, count) not in self._known:
            strings = dict.fromkeys(
                ending.output[:count]
                for ending in self._machine.endings_of.get(state, ())
                if len(ending.output) >= count
            )
            for arcs in self._machine.steps[state].values():
                for arc in arcs:
                    first = arc.output[:count]
                    rest = self(arc.target, count - len(first))
                    strings.update(dict.fromkeys(first + string for string in rest))
            self._known[state, count] = list(strings)
        return self._known[state, count]


def _merge_alike(machine: Transducer) -> Transducer:
    """Merge states from which the same arcs lead to merged states, until nothing changes."""
    ends = [
        frozenset((ending.output, ending.weight) for ending in machine.endings_of.get(s, ()))
        for s in range(machine.states)
    ]
    group = _numbered(ends)
    while True:
        finer = _numbered(
            [
                (
                    group[state],
                    frozenset(
                        (arc.input, arc.output, arc.weight, group[arc.target])
                        for arcs in machine.steps[state].values()
                        for arc in arcs
                    ),
                )
                for state in range(machine.states)
            ]
        )
        if max(finer) == max(group):
            break
        group = finer
    return trim_transducer(
        Transducer(
            [arc._replace(source=group[arc.source], target=group[arc.target]) for arc in machine.arcs],
            [ending._replace(state=group[ending.state]) for ending in machine.endings],
        )
    )


def _numbered(keys: Sequence[Hashable]) -> list[int]:
    """Equal keys as equal numbers, in order of appearance, so that the start stays 0."""
    numbers: dict[Hashable, int] = {}
    return [numbers.setdefault(key, len(numbers)) for key in keys]
