"""Whether two machines rewrite alike, and if not, a sequence that shows it."""

from __future__ import annotations

from lawful.automata.transducers.determinization import common_prefix, determinize_transducer
from lawful.automata.transducers.transducer import String, Transducer
from lawful.automata.transducers.trimming import trim_transducer
from lawful.errors import MachineError

__all__ = ["equivalent_transducers", "find_difference"]


def equivalent_transducers(left: Transducer, right: Transducer, *, limit: int = 10_000) -> bool:
    """Whether two machines can read the same sequences and rewrite each of them in the same way.

    Examples
    --------
    >>> early = Transducer([(0, "a", 1, "x"), (1, "b", 2)], [(2,)])
    >>> late = Transducer([(0, "a", 1), (1, "b", 2)], [(2, "x")])
    >>> equivalent_transducers(early, late)
    True
    """
    return find_difference(left, right, limit=limit) is None


def find_difference(left: Transducer, right: Transducer, *, limit: int = 10_000) -> String | None:
    """A short sequence that the machines rewrite differently, or that only one of them can read; None if there is none.

    Both must rewrite every sequence in one way; they are made deterministic first, in at most `limit` states.

    Examples
    --------
    >>> same = Transducer([(0, "a", 0, "a"), (0, "b", 0, "b")], [(0,)])
    >>> other = Transducer([(0, "a", 0, "a"), (0, "b", 1, "b"), (1, "a", 1, "c")], [(0,), (1,)])
    >>> find_difference(same, other)
    ('b', 'a')
    """
    if left.weighted or right.weighted:
        raise MachineError("only transducers without weights can be compared")
    left, right = (_deterministic(machine, limit) for machine in (left, right))
    # What one machine has written and the other not yet, when both have read the same. It must not depend on the way.
    ahead: dict[tuple[int, int], tuple[String, String]] = {(0, 0): ((), ())}
    way: dict[tuple[int, int], String] = {(0, 0): ()}
    completions = _completions(left), _completions(right)
    queue = [(0, 0)]
    for pair in queue:  # grows inside the loop
        first, second = pair
        ends = left.endings_of.get(first), right.endings_of.get(second)
        if (ends[0] is None) != (ends[1] is None):
            return way[pair]
        if ends[0] and ends[1]:
            owed = ahead[pair]
            if owed[0] + ends[0][0].output != owed[1] + ends[1][0].output:
                return way[pair]
        for symbol in sorted({*left.steps[first], *right.steps[second]}, key=str):
            read = (*way[pair], symbol)
            if symbol not in left.steps[first]:
                return read + completions[1][right.steps[second][symbol][0].target]
            if symbol not in right.steps[second]:
                return read + completions[0][left.steps[first][symbol][0].target]
            arcs = left.steps[first][symbol][0], right.steps[second][symbol][0]
            written = ahead[pair][0] + arcs[0].output, ahead[pair][1] + arcs[1].output
            common = len(common_prefix(written))
            target = arcs[0].target, arcs[1].target
            rest = written[0][common:], written[1][common:]
            if target not in ahead:
                ahead[target], way[target] = rest, read
                queue.append(target)
            if all(rest) or rest != ahead[target]:
                # Some completion of one of the two ways here is rewritten differently.
                for prefix in (way[target], read):
                    for completion in (completions[0][target[0]], completions[1][target[1]]):
                        if _answers(left, prefix + completion) != _answers(right, prefix + completion):
                            return prefix + completion
    return None


def _deterministic(machine: Transducer, limit: int) -> Transducer:
    trimmed = trim_transducer(machine)
    return trimmed if trimmed.deterministic else trim_transducer(determinize_transducer(trimmed, limit=limit))


def _answers(machine: Transducer, symbols: String) -> list[String]:
    return [way.output for way in machine.rewritings(symbols)]


def _completions(machine: Transducer) -> dict[int, String]:
    """For each state, a shortest sequence from it to an ending."""
    shortest: dict[int, String] = {ending.state: () for ending in machine.endings}
    queue = list(shortest)
    incoming: dict[int, list[tuple[int, object]]] = {}
    for arc in machine.arcs:
        incoming.setdefault(arc.target, []).append((arc.source, arc.input))
    for state in queue:  # grows inside the loop
        for source, symbol in incoming.get(state, ()):
            if source not in shortest:
                shortest[source] = (symbol, *shortest[state])
                queue.append(source)
    return shortest
