"""Leaving out what no path from the start to an ending uses."""

from __future__ import annotations

from lawful.automata.transducers.transducer import Transducer

__all__ = ["trim_transducer"]


def trim_transducer(transducer: Transducer) -> Transducer:
    """The same rewritings without useless states. The rest is renumbered in order of appearance from the start.

    Examples
    --------
    >>> trim_transducer(Transducer([(0, "a", 2, "x"), (0, "b", 1, "y")], [(2,)])).arcs
    (TransducerArc(source=0, input='a', target=1, output=('x',), weight=0.0),)
    """
    backward: dict[int, set[int]] = {}
    for arc in transducer.arcs:
        backward.setdefault(arc.target, set()).add(arc.source)
    useful = {ending.state for ending in transducer.endings}
    stack = list(useful)
    while stack:
        fresh = backward.get(stack.pop(), set()) - useful
        useful |= fresh
        stack.extend(fresh)
    number = {0: 0}
    queue = [0]
    for state in queue:  # grows inside the loop
        for arcs in transducer.steps[state].values():
            for arc in arcs:
                if arc.target in useful and arc.target not in number:
                    number[arc.target] = len(number)
                    queue.append(arc.target)
    return Transducer(
        [
            arc._replace(source=number[arc.source], target=number[arc.target])
            for arc in transducer.arcs
            if arc.source in number and arc.target in number and arc.target in useful
        ],
        [
            ending._replace(state=number[ending.state])
            for ending in transducer.endings
            if ending.state in number
        ],
    )
