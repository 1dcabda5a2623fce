"""One machine after the other."""

from __future__ import annotations

from lawful.automata.transducers.transducer import Ending, String, Transducer, TransducerArc
from lawful.automata.transducers.trimming import trim_transducer
from lawful.errors import MachineError

__all__ = ["compose"]


def compose(first: Transducer, second: Transducer, *, limit: int = 100_000) -> Transducer:
    """Rewrite by the first machine, then what it wrote by the second.

    Parameters
    ----------
    first, second : Transducer
    limit : int
        More states than this raise `MachineError`.

    Examples
    --------
    >>> upper = Transducer([(0, "a", 0, "A"), (0, "b", 0, "BB")], [(0,)])
    >>> count = Transducer([(0, "A", 0, "1"), (0, "B", 1), (1, "B", 0, "2")], [(0,)])
    >>> compose(upper, count).rewrite("aba")
    ('1', '2', '1')
    """
    number = {(0, 0): 0}
    queue = [(0, 0)]
    arcs: list[TransducerArc] = []
    endings: list[Ending] = []
    for pair in queue:  # grows inside the loop
        left, right = pair
        for by_symbol in first.steps[left].values():
            for arc in by_symbol:
                for state, output, weight in _run(second, right, arc.output):
                    target = (arc.target, state)
                    if target not in number:
                        if len(number) >= limit:
                            raise MachineError(f"the machine has more than {limit} states")
                        number[target] = len(number)
                        queue.append(target)
                    arcs.append(
                        TransducerArc(number[pair], arc.input, number[target], output, arc.weight + weight)
                    )
        for ending in first.endings_of.get(left, ()):
            for state, output, weight in _run(second, right, ending.output):
                endings += (
                    Ending(number[pair], output + last.output, ending.weight + weight + last.weight)
                    for last in second.endings_of.get(state, ())
                )
    return trim_transducer(Transducer(arcs, endings))


def _run(transducer: Transducer, state: int, symbols: String) -> list[tuple[int, String, float]]:
    """Where a machine can be after reading symbols in a state, with what it wrote."""
    reached: list[tuple[int, String, float]] = [(state, (), 0.0)]
    for symbol in symbols:
        reached = [
            (arc.target, output + arc.output, weight + arc.weight)
            for current, output, weight in reached
            for arc in transducer.steps[current].get(symbol, ())
        ]
    return reached
