"""What a drawing of a machine shows: its states, and one arrow for all the symbols that lead the same way."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from lawful.automata.acceptor import EPSILON, Dfa, Nfa
from lawful.automata.counting import CountingMachine
from lawful.automata.operations.trimming import live
from lawful.automata.transducers.transducer import String, Transducer
from lawful.errors import MachineError

__all__ = ["Arrow", "Circle", "Drawable", "Picture", "count_arrows", "picture"]

Drawable: TypeAlias = CountingMachine | Dfa | Nfa | Transducer

LINE = 22
MOST = 12  # names that a label lists before it counts the others


@dataclass(frozen=True, slots=True)
class Circle:
    """A state: `ending` is the count of ending there, `dead` a state that can no longer accept."""

    name: str
    start: bool
    accepting: bool
    dead: bool
    ending: int


@dataclass(frozen=True, slots=True)
class Arrow:
    """All transitions from one state to another that count nothing, or all that count a violation."""

    source: int
    target: int
    lines: tuple[str, ...]
    violating: bool


@dataclass(frozen=True, slots=True)
class Picture:
    """The states and arrows of a machine, with their texts but without coordinates."""

    circles: tuple[Circle, ...]
    arrows: tuple[Arrow, ...]


def picture(
    machine: Drawable,
    *,
    class_names: Sequence[str] | None = None,
    state_names: Sequence[str] | None = None,
    line: int = LINE,
) -> Picture:
    """Name the states of a machine and join its transitions into arrows.

    Parameters
    ----------
    machine : CountingMachine, Dfa, Nfa or Transducer
    class_names : C names; the numbers if None. A transducer has names of its own
    state_names : S names; the numbers if None
    line : int
        Characters of an arrow's text before it breaks into another line.

    Examples
    --------
    >>> shown = picture(Dfa([[0, 0, 1], [1, 1, 1]], [True, False]), class_names=["O", "Name", "City"])
    >>> [arrow.lines for arrow in shown.arrows]
    [('O, Name',), ('City',), ('any',)]
    """
    if isinstance(machine, Transducer):
        return _picture_of_transducer(machine, _names(state_names, machine.states, "state"))
    classes = _names(class_names, machine.classes, "class")
    states = _names(state_names, machine.states, "state")
    joined: dict[tuple[int, int, bool], dict[int, list[int]]] = {}
    for source, symbol, target, count in _transitions(machine):
        joined.setdefault((source, target, count > 0), {}).setdefault(count, []).append(symbol)
    arrows = tuple(
        Arrow(source, target, _lines(counts, classes, line), violating)
        for (source, target, violating), counts in joined.items()
    )
    ending = machine.final.tolist() if isinstance(machine, CountingMachine) else [0] * machine.states
    starts = set(machine.starts) if isinstance(machine, Nfa) else {0}
    if isinstance(machine, CountingMachine):
        finals = set(np.flatnonzero(machine.final == 0).tolist())
    else:
        finals = set(
            machine.finals if isinstance(machine, Nfa) else np.flatnonzero(machine.accepting).tolist()
        )
    dead = set(np.flatnonzero(~live(machine)).tolist()) if isinstance(machine, Dfa) else set()
    circles = tuple(
        Circle(name, state in starts, state in finals, state in dead, ending[state])
        for state, name in enumerate(states)
    )
    return Picture(circles, arrows)


def _picture_of_transducer(machine: Transducer, names: Sequence[str]) -> Picture:
    """An arrow says what is read and what is written; a state, what is written if the sequence ends there."""
    joined: dict[tuple[int, int], list[str]] = {}
    for arc in machine.arcs:
        joined.setdefault((arc.source, arc.target), []).append(f"{arc.input}:{_spelled(arc.output)}")
    arrows = []
    for (source, target), texts in joined.items():
        more = [f"{len(texts) - MOST} more"] if len(texts) > MOST else []
        arrows.append(Arrow(source, target, (*texts[:MOST], *more), violating=False))
    circles = []
    for state, name in enumerate(names):
        written = [_spelled(ending.output) for ending in machine.endings_of.get(state, ()) if ending.output]
        shown = "/".join([name, *written])
        circles.append(Circle(shown, state == 0, state in machine.endings_of, dead=False, ending=0))
    return Picture(tuple(circles), tuple(arrows))


def count_arrows(machine: CountingMachine) -> int:
    """How many arrows the picture of a machine would have, without drawing it.

    Examples
    --------
    >>> machine = CountingMachine.from_lists([[0, 0, 1], [1, 1, 1]], [[0, 0, 0], [1, 0, 0]], [0, 0])
    >>> count_arrows(machine), len(picture(machine).arrows)
    (4, 4)
    """
    states = machine.states
    steps = np.arange(states)[:, None] * states + machine.delta
    return len(np.unique(2 * steps + (machine.violations > 0)))


def _spelled(output: String) -> str:
    return " ".join(map(str, output)) or "ε"


def _transitions(machine: CountingMachine | Dfa | Nfa) -> list[tuple[int, int, int, int]]:
    """Every (source, symbol, target, count)."""
    if isinstance(machine, Nfa):
        return [(*arc, 0) for arc in machine.arcs]
    counts = machine.violations if isinstance(machine, CountingMachine) else np.zeros_like(machine.delta)
    rows = zip(machine.delta.tolist(), counts.tolist(), strict=True)
    return [
        (source, symbol, target, count)
        for source, (targets, row) in enumerate(rows)
        for symbol, (target, count) in enumerate(zip(targets, row, strict=True))
    ]


def _lines(counts: dict[int, list[int]], names: Sequence[str], width: int) -> tuple[str, ...]:
    """The text of an arrow, from the symbols of each count; no line has symbols of two counts."""
    return tuple(line for count in sorted(counts) for line in _label(counts[count], names, count, width))


def _label(symbols: list[int], names: Sequence[str], count: int, width: int) -> list[str]:
    """The symbols' names; or `any but` and the names of the others, where that is shorter."""
    absent = sorted(set(range(len(names))) - set(symbols))
    shorter = not absent or len(symbols) > max(3, 2 * len(absent))
    if EPSILON not in symbols and len(symbols) > 1 and shorter:
        shown, words = absent, ["any but"] if absent else ["any"]
    else:
        shown, words = symbols, []
    listed = ["ε" if symbol == EPSILON else names[symbol] for symbol in shown[:MOST]]
    if len(shown) > MOST:
        listed.append(f"{len(shown) - MOST} more")
    words += [name + "," for name in listed[:-1]] + listed[-1:]
    if count:
        words.append(f"+{count}")
    lines = [""]
    for word in " ".join(words).split(" "):
        if lines[-1] and len(lines[-1]) + 1 + len(word) > width:
            lines.append(word)
        else:
            lines[-1] = f"{lines[-1]} {word}".strip()
    return lines


def _names(names: Sequence[str] | None, size: int, what: str) -> Sequence[str]:
    if names is None:
        return [str(number) for number in range(size)]
    if len(names) != size:
        raise MachineError(f"the machine needs one name for each {what}, {size} in all, got {len(names)}")
    return [str(name) for name in names]
