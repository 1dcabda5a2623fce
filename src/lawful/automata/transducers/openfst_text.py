"""Transducers in OpenFst's text format: `source target input output [cost]` a line, `state [cost]` for a final state."""

from __future__ import annotations

import math
from collections.abc import Iterator
from pathlib import Path
from typing import TextIO

from lawful.automata.transducers.inversion import Passage, read_singly
from lawful.automata.transducers.transducer import Ending, String, Transducer
from lawful.errors import AttFormatError, MachineError
from lawful.lattice.openfst_text import EPSILON, Line, name_of, opened, read_lines

__all__ = ["read_transducer", "write_transducer"]


def read_transducer(
    source: str | Path | TextIO, *, epsilon: str = EPSILON, max_bytes: int = 1 << 28
) -> Transducer:
    r"""Read a transducer with symbol names.

    Steps that read nothing are worked into the others, since a `Transducer` reads one symbol with every arc. The source of
    the first line is the start.

    Parameters
    ----------
    source : path or open text file
    epsilon : str
        The name that spells nothing.
    max_bytes : int
        Longer files are refused.

    Examples
    --------
    >>> import io
    >>> read_transducer(io.StringIO("0 1 a x\n1 2 <eps> y\n2\n")).rewrite(["a"])
    ('x', 'y')
    """
    numbers: dict[int, int] = {}
    passages: list[Passage] = []
    endings: list[Ending] = []
    for line in read_lines(source, max_bytes):
        state = numbers.setdefault(line.state(0), len(numbers))
        if len(line.fields) <= 2:
            cost = _cost(line, 1)
            if cost < math.inf:  # an infinite cost says that a sequence may not end here
                endings.append(Ending(state, weight=cost))
            continue
        if len(line.fields) not in (4, 5):
            raise line.error(f"an arc of a transducer has 4 or 5 fields, got {len(line.fields)}")
        target = numbers.setdefault(line.state(1), len(numbers))
        read, written = (() if field == epsilon else (field,) for field in line.fields[2:4])
        passages.append(Passage(state, read, target, written, _cost(line, 4)))
    if not numbers:
        raise AttFormatError(name_of(source), 1, "the file is empty")
    return read_singly(passages, endings)


def _cost(line: Line, at: int) -> float:
    cost = -line.score(at, negate=True)
    return cost + 0.0  # no negative zero


def write_transducer(transducer: Transducer, target: str | Path | TextIO, *, epsilon: str = EPSILON) -> None:
    r"""Write a transducer with symbol names. A longer output becomes a chain of steps that read nothing.

    Examples
    --------
    >>> import io
    >>> write_transducer(Transducer([(0, "a", 0, "xy")], [(0,)]), text := io.StringIO())
    >>> text.getvalue().splitlines()
    ['0\t1\ta\tx\t0.0', '1\t0\t<eps>\ty\t0.0', '0\t0.0']
    """
    for symbol in (*transducer.inputs, *transducer.outputs):
        name = str(symbol)
        if not name or name == epsilon or name.split() != [name]:
            raise MachineError(f"symbol {name!r} cannot be written: the format separates fields by blanks")
    with opened(target, "w") as file:
        file.writelines(f"{line}\n" for line in _lines(transducer, epsilon))


def _lines(transducer: Transducer, epsilon: str) -> Iterator[str]:
    fresh = transducer.states

    def chain(source: int, read: str, last: int | None, output: String, weight: float) -> Iterator[str]:
        """Arcs that read at most one symbol and write at most one each; a new state at the end if there is no last one."""
        nonlocal fresh
        steps = max(1, len(output))
        inner = list(range(fresh, fresh + steps - (last is not None)))
        fresh += len(inner)
        states = [source, *inner, *([] if last is None else [last])]
        for index in range(steps):
            written = str(output[index]) if index < len(output) else epsilon
            first = index == 0
            symbols = (read if first else epsilon, written)
            yield "\t".join(map(str, (states[index], states[index + 1], *symbols, weight if first else 0.0)))

    if not transducer.steps[0]:  # the source of the first line is the start
        yield "0\tInfinity"
    for arc in transducer.arcs:
        yield from chain(arc.source, str(arc.input), arc.target, arc.output, arc.weight)
    for ending in transducer.endings:
        if ending.output:
            yield from chain(ending.state, epsilon, None, ending.output, ending.weight)
            yield f"{fresh - 1}\t0.0"
        else:
            yield f"{ending.state}\t{ending.weight!r}"
