"""The machine of a rule, with a name for each of its classes, so that it can be drawn."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from lawful.automata.counting import CountingMachine
from lawful.automata.operations.modes import from_dfa
from lawful.labels import LabelSet
from lawful.rules.compiled.forms import StaticRule
from lawful.rules.compiled.joined import LogicRule
from lawful.rules.example import Example
from lawful.rules.languages.acceptors import read_symbols, why_unreadable
from lawful.rules.languages.alphabet import Outcomes
from lawful.rules.patterns.rule import Pattern
from lawful.rules.rule import Logic, Rule

__all__ = ["RuleMachine", "rule_machine"]

MOST_KINDS = 64
FEW = 4  # labels that the name of a class lists before it counts the others


class RuleMachine(NamedTuple):
    """A machine, and what its classes stand for: labels, with the kind of their token after a slash."""

    machine: CountingMachine
    class_names: tuple[str, ...]


def rule_machine(rule: Rule, labels: LabelSet) -> RuleMachine | None:
    """The machine that counts a rule's violations; None if it depends on the sequence.

    Examples
    --------
    >>> from lawful.rules import at_most_segments, token, when
    >>> labels = LabelSet(["O", "Street", "City"])
    >>> rule_machine(at_most_segments(1, "Street"), labels).class_names
    ('O, City', 'Street')
    >>> rule_machine(when(token.matches("[0-9]+")).never("City"), labels).class_names
    ('any/fails; O, Street/passes', 'City/passes')
    """
    compiled = rule.compile_among(labels)
    if isinstance(compiled, StaticRule) or (isinstance(compiled, LogicRule) and compiled.static):
        (bound,) = compiled.bind(Example(0))
        return RuleMachine(bound.machine, _class_names(bound.machine, bound.table, labels, [""]))
    if isinstance(rule, Logic):
        if why_unreadable(rule):
            return None
        outcomes = Outcomes.of(rule.token_tests)
        if len(outcomes.passed) > MOST_KINDS:
            return None
        reading = read_symbols(rule, labels, outcomes)
        machine = from_dfa(reading.dfa)
        return RuleMachine(machine, _class_names(machine, reading.columns, labels, _kinds(outcomes)))
    machine = compiled.machine  # type: ignore[attr-defined]  # all that is left has one machine
    table = getattr(compiled, "table", None)
    if table is None:  # labels that come with each sequence: class 1 is what they ban
        return RuleMachine(machine, ("allowed", "banned"))
    if isinstance(rule, Pattern):
        used = [next(name for name, known in rule.tests if known == test) for test in compiled.kinds.tests]  # type: ignore[attr-defined]
        if len(table) > MOST_KINDS:
            return None
        rows: Sequence[str] = [
            " ".join(f"{'' if kind >> bit & 1 else '!'}{name}" for bit, name in enumerate(used))
            for kind in range(len(table))
        ]
    else:
        rows = rule.kind_names or [f"kind {number}" for number in range(len(table))]
    return RuleMachine(machine, _class_names(machine, table, labels, rows))


def _kinds(outcomes: Outcomes) -> list[str]:
    return [
        " ".join(f"{'' if passes else '!'}test{number}" for number, passes in enumerate(row, 1))
        for row in outcomes.passed.tolist()
    ]


def _class_names(
    machine: CountingMachine, table: npt.NDArray[np.integer], labels: LabelSet, rows: Sequence[str]
) -> tuple[str, ...]:
    """A name for each class: kinds of tokens with the same labels in it are named together."""
    names = []
    for number in range(machine.classes):
        kinds_by_labels: dict[tuple[int, ...], list[str]] = {}
        for row, name in zip(table, rows, strict=True):
            members = tuple(np.flatnonzero(row == number).tolist())
            if members:
                kinds_by_labels.setdefault(members, []).append(name)
        phrases = []
        for members, kinds in kinds_by_labels.items():
            everywhere = len(kinds) == len(rows)
            phrases.append(_labels(members, labels) + ("" if everywhere else f"/{' or '.join(kinds)}"))
        names.append("; ".join(phrases) or "-")
    return tuple(names)


def _labels(members: Sequence[int], labels: LabelSet) -> str:
    if len(members) == len(labels):
        return "any"
    absent = sorted(set(range(len(labels))) - set(members))
    if len(members) > FEW and len(absent) <= FEW:
        return f"any but {', '.join(labels.decode(absent))}"
    if len(members) > FEW:
        return f"{', '.join(labels.decode(members[:FEW]))} and {len(members) - FEW} more"
    return ", ".join(labels.decode(members))
