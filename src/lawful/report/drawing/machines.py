"""Automata of rules as SVG in the colours of the page."""

from __future__ import annotations

from lawful.automata.drawing.picture import count_arrows, picture
from lawful.automata.drawing.svg import render
from lawful.errors import LawfulError
from lawful.labels import LabelSet
from lawful.report.drawing.markup import Html, visible
from lawful.rules.languages.pictures import rule_machine
from lawful.rules.rule import Rule

__all__ = ["draw_rule", "width_of"]

MOST_STATES, MOST_ARROWS = 24, 48
LINE = 10  # characters of a label in one line: narrow drawings fit more screens
FEW = 3  # labels in the drawing of an automaton that would be too large with all of them


def draw_rule(rule: Rule, labels: LabelSet) -> tuple[Html | None, str]:
    """A picture of a rule's automaton, or None; and a note: its size, or why there is no picture.

    An automaton that is too large to read is drawn for the labels that the rule names and one or two others.

    Examples
    --------
    >>> from lawful.rules import at_most, change_only_after, token
    >>> drawn, note = draw_rule(at_most(1, "A"), LabelSet(["A", "B"]))
    >>> drawn[:20], note
    ('<svg class="machine"', '2 states')
    >>> many = LabelSet([f"label{number}" for number in range(20)])
    >>> draw_rule(change_only_after(token.matches("[.,]")), many)[1]
    '20 states; drawn as if there were only label0, label1 and label2'
    """
    try:
        drawn, note, states = _draw(rule, labels)
        if drawn is None and states:
            fewer = LabelSet(_few_labels(rule, labels))
            drawn, _, _ = _draw(rule, fewer)
            if drawn is not None:
                *most, last = fewer
                note = f"{states:,} states; drawn as if there were only {', '.join(most)} and {last}"
    except LawfulError as error:
        return None, str(error)
    return drawn, note


def width_of(drawing: Html) -> float:
    """The width of a drawing, in pixels.

    Examples
    --------
    >>> width_of(Html('<svg class="machine" xmlns="" width="120.5" height="3">'))
    120.5
    """
    return float(drawing.partition(' width="')[2].partition('"')[0])


def _draw(rule: Rule, labels: LabelSet) -> tuple[Html | None, str, int]:
    machine = rule_machine(rule, labels)
    if machine is None:
        return None, "the automaton depends on the sequence", 0
    states = machine.machine.states
    size = f"{states:,} state{'' if states == 1 else 's'}"
    if states <= MOST_STATES and count_arrows(machine.machine) <= MOST_ARROWS:
        names = [visible(name) for name in machine.class_names]
        drawn = render(picture(machine.machine, class_names=names, line=LINE))
        # Names are escaped where the SVG is made (lawful.automata.drawing.svg).
        return Html(drawn.replace("<svg ", '<svg class="machine" ', 1)), size, states
    return None, f"{size}: too many to draw", states


def _few_labels(rule: Rule, labels: LabelSet) -> list[str]:
    """The labels that a rule names, and a few more: at least three in all."""
    code = rule.code()
    named = [label for label in labels if repr(label) in code]
    others = [label for label in labels if label not in named]
    return [*named, *others[: max(1, FEW - len(named))]]
