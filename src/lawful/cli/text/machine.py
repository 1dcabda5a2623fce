"""A machine drawn as lines of text."""

from __future__ import annotations

from collections.abc import Iterator

from lawful.automata.drawing.picture import picture
from lawful.rules.languages.pictures import RuleMachine

__all__ = ["draw_machine"]


def draw_machine(drawn: RuleMachine) -> Iterator[str]:
    """Each state, what is counted at its end, and where it leads; violations have their count behind them.

    Examples
    --------
    >>> from lawful.automata.counting import CountingMachine
    >>> twice = CountingMachine.from_lists([[0, 1], [1, 1]], [[0, 0], [0, 1]], [0, 0])
    >>> for line in draw_machine(RuleMachine(twice, ("O", "City"))):
    ...     print(line)
    0: O -> 0 | City -> 1
    1: O -> 1 | City +1 -> 1
    """
    shown = picture(drawn.machine, class_names=drawn.class_names)
    for number, circle in enumerate(shown.circles):
        arrows = [
            f"{' '.join(arrow.lines)} -> {arrow.target}" for arrow in shown.arrows if arrow.source == number
        ]
        end = f" (+{circle.ending} at the end)" if circle.ending else ""
        yield f"{circle.name}{end}: {' | '.join(arrows)}"
