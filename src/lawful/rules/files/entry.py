"""How the table of rule kinds is written down: an entry says what a kind is called, what keys it has, and what it means."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from lawful.rules.files.scope import Place
from lawful.rules.files.values.base import Value
from lawful.rules.rule import Rule

__all__ = ["ABSENT", "Key", "Kind"]

ABSENT: Any = object()
"""What a rule holds under a key that its file leaves out."""

Make = Callable[[dict[str, Any], Place], Rule]


@dataclass(frozen=True)
class Key:
    """A key of a rule: the field of the rule's class that it stands for, and what it takes.

    A key that is not needed is left out where the rule holds `default`.
    """

    name: str
    value: Value
    about: str
    field: str = ""
    default: Any = ABSENT

    @property
    def needed(self) -> bool:
        """Whether a file must have it."""
        return self.default is ABSENT

    def held(self, rule: Rule) -> Any:
        """What a rule holds here, ABSENT for what need not be said."""
        held = getattr(rule, self.field or self.name, ABSENT)
        return ABSENT if not self.needed and held == self.default else held


@dataclass(frozen=True)
class Kind:
    """A kind of rule: one entry of the vocabulary.

    Attributes
    ----------
    rule : class of the rule
    says : function of a rule
        What it means, as a clause of plain English.
    make : function of the values by field, and the place of the rule; by default the class itself
    """

    name: str
    rule: type[Rule]
    keys: tuple[Key, ...]
    says: Callable[[Any], str]
    about: str
    make: Make | None = field(default=None)

    @property
    def key_names(self) -> tuple[str, ...]:
        """What may stand in the table of such a rule, beside the keys of every rule."""
        return tuple(key.name for key in self.keys)

    def build(self, values: dict[str, Any], at: Place) -> Rule:
        """The rule of these values, given by field."""
        return self.make(values, at) if self.make is not None else self.rule(**values)
