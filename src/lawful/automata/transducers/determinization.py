"""At most one way to read any sequence, after Mohri (1997)."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import takewhile
from typing import NamedTuple

from lawful.automata.transducers.transducer import Ending, String, Transducer, TransducerArc, in_order
from lawful.automata.transducers.trimming import trim_transducer
from lawful.errors import MachineError

__all__ = ["common_prefix", "determinize_transducer"]


class _Pending(NamedTuple):
    """What one possible state still has to write, and how much worse it is than the best one."""

    weight: float
    output: String


def determinize_transducer(transducer: Transducer, *, limit: int = 10_000) -> Transducer:
    """A deterministic machine that writes, for every sequence, the output of the lowest weight.

    Of several outputs with the same weight, a machine with weights keeps one, always the same; without weights they are
    an error, since then the machine does not rewrite every sequence in one way.

    Parameters
    ----------
    transducer : Transducer
    limit : int
        More states than this raise `MachineError`: some machines have no deterministic equal, and go on forever.

    Examples
    --------
    The first symbol depends on the second, so it is written late:

    >>> late = Transducer([(0, "a", 1, "x"), (1, "b", 3, "b"), (0, "a", 2, "y"), (2, "c", 3, "c")], [(3,)])
    >>> machine = determinize_transducer(late)
    >>> machine.deterministic, machine.rewrite("ac")
    (True, ('y', 'c'))
    """
    transducer = trim_transducer(transducer)
    choose = transducer.weighted
    start: tuple[tuple[int, _Pending], ...] = ((0, _Pending(0.0, ())),)
    number = {start: 0}
    queue = [start]
    arcs: list[TransducerArc] = []
    endings: list[Ending] = []
    for subset in queue:  # grows inside the loop
        source = number[subset]
        ends = [
            _Pending(pending.weight + ending.weight, pending.output + ending.output)
            for state, pending in subset
            for ending in transducer.endings_of.get(state, ())
        ]
        if ends:
            best = _best(ends, choose=choose)
            endings.append(Ending(source, best.output, best.weight))
        for symbol in sorted({symbol for state, _ in subset for symbol in transducer.steps[state]}, key=str):
            reached: dict[int, list[_Pending]] = {}
            for state, pending in subset:
                for arc in transducer.steps[state].get(symbol, ()):
                    later = _Pending(pending.weight + arc.weight, pending.output + arc.output)
                    reached.setdefault(arc.target, []).append(later)
            # Two ways into one state have the same future, so the better one is enough.
            kept = {state: _best(ways, choose=choose) for state, ways in reached.items()}
            weight = min(pending.weight for pending in kept.values())
            output = common_prefix(pending.output for pending in kept.values())
            target = tuple(
                (state, _Pending(pending.weight - weight, pending.output[len(output) :]))
                for state, pending in sorted(kept.items())
            )
            if target not in number:
                if len(number) >= limit:
                    raise MachineError(
                        f"the deterministic machine has more than {limit} states, perhaps no end of them"
                    )
                number[target] = len(number)
                queue.append(target)
            arcs.append(TransducerArc(source, symbol, number[target], output, weight))
    return Transducer(arcs, endings)


def _best(ways: list[_Pending], *, choose: bool) -> _Pending:
    best = min(ways, key=lambda pending: (pending.weight, in_order(pending.output)))
    if not choose:
        for other in ways:
            if other.output != best.output:
                raise MachineError(
                    f"the transducer rewrites some sequence in two ways, which end in {_shown(best.output)} and "
                    f"{_shown(other.output)}"
                )
    return best


def _shown(output: String) -> str:
    return repr(" ".join(map(str, output)))


def common_prefix(strings: Iterable[String]) -> String:
    """The longest string that all of them begin with.

    Examples
    --------
    >>> common_prefix([("a", "b", "c"), ("a", "b"), ("a", "b", "d")])
    ('a', 'b')
    """
    columns = zip(*strings, strict=False)
    return tuple(column[0] for column in takewhile(lambda column: len(set(column)) == 1, columns))
