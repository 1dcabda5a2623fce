"""A deterministic machine of the user's own as a rule: `automaton`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from lawful.automata.acceptor import Dfa
from lawful.automata.counting import CountingMachine
from lawful.automata.operations.modes import from_dfa
from lawful.errors import RuleError
from lawful.labels import LabelSet
from lawful.rules.compiled.forms import StaticRule, tighten
from lawful.rules.example import BoundMachine, CompiledRule, Example
from lawful.rules.rule import Rule

__all__ = ["Automaton", "automaton"]


@dataclass(frozen=True, repr=False)
class Automaton(Rule):
    """A machine that reads labels and counts violations.

    `classes` pairs each label with its class; without it, the class of a label is its index in the label set.

    Examples
    --------
    >>> even = CountingMachine.from_lists([[0, 1], [1, 0]], [[0, 0], [0, 0]], [0, 1])
    >>> Automaton(even, (("O", 0), ("A", 1))).violations(["A", "O"])
    1
    """

    machine: CountingMachine = field(compare=False)  # machines compare by identity, rules by what they say
    classes: tuple[tuple[str, int], ...] | None = None
    _tables: tuple[int, bytes, bytes, bytes] = field(init=False)

    def __post_init__(self) -> None:
        machine = self.machine
        tables = (
            machine.states,
            machine.delta.tobytes(),
            machine.violations.tobytes(),
            machine.final.tobytes(),
        )
        object.__setattr__(self, "_tables", tables)
        for label, number in self.classes or ():
            if not _is_class(number, self.machine.classes):
                raise RuleError(
                    f"automaton: label {label!r} has class {number!r}; the machine's classes are 0 to "
                    f"{self.machine.classes - 1}"
                )
        super().__post_init__()

    def code(self) -> str:
        """The call that makes this rule."""
        tables = [self.machine.delta, self.machine.violations, self.machine.final]
        machine = f"CountingMachine.from_lists({', '.join(str(table.tolist()) for table in tables)})"
        classes = "" if self.classes is None else f", classes={dict(self.classes)!r}"
        return f"automaton({machine}{classes})"

    def count(self, labels: Sequence[str], example: Example) -> int:
        """What the machine counts."""
        if self.classes is not None:
            return self.machine.count([self._class_of(label) for label in labels])
        if example.label_set is None:
            raise RuleError(
                f"rule {self.name!r} reads labels by their index in the label set: give label_set=, or name them "
                "with automaton(machine, classes=[...])"
            )
        return self.machine.count(list(example.label_set.encode(labels, where=self.name)))

    def compile(self, labels: LabelSet) -> CompiledRule:
        """The machine itself, minimized."""
        if self.classes is None and len(labels) != self.machine.classes:
            raise RuleError(
                f"rule {self.name!r} has a machine over {self.machine.classes} classes, but there are "
                f"{len(labels)} labels: give the class of each label with classes="
            )
        labels.present([label for label, _ in self.classes or ()], where=self.name)
        row = range(len(labels)) if self.classes is None else [self._class_of(label) for label in labels]
        return StaticRule(BoundMachine(*tighten(self.machine, np.array([row], dtype=np.uint16))))

    def labels_named(self, labels: LabelSet) -> set[str]:
        """The labels that have a class; all, if they are read by their index."""
        return set(labels) if self.classes is None else {label for label, _ in self.classes}

    def _class_of(self, label: str) -> int:
        for known, number in self.classes or ():
            if known == label:
                return number
        raise RuleError(f"rule {self.name!r} has no class for label {label!r}: add it to classes=")


def automaton(
    machine: CountingMachine | Dfa, *, classes: Mapping[str, int] | Sequence[str] | None = None
) -> Automaton:
    """A deterministic machine as a rule. It counts violations itself; a `Dfa` counts 1 at the end of a sequence that it rejects.

    Parameters
    ----------
    machine : CountingMachine or Dfa
    classes : mapping of label to class, or list of labels in the order of their classes
        By default the class of a label is its index in the label set.

    Examples
    --------
    >>> even = Dfa([[0, 1], [1, 0]], [True, False])
    >>> automaton(even, classes=["O", "A"]).violations(["A", "O", "A", "A"])
    1
    """
    if isinstance(machine, Dfa):
        machine = from_dfa(machine)
    elif not isinstance(machine, CountingMachine):
        raise RuleError(f"automaton takes a CountingMachine or a Dfa, got {machine!r}")
    if classes is None:
        return Automaton(machine)
    if isinstance(classes, str):
        raise RuleError(f"classes must be a mapping or a list of labels, got {classes!r}")
    pairs = classes.items() if isinstance(classes, Mapping) else ((name, i) for i, name in enumerate(classes))
    return Automaton(machine, tuple(pairs))


def _is_class(number: object, classes: int) -> bool:
    return isinstance(number, int) and not isinstance(number, bool) and 0 <= number < classes
