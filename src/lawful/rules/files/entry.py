"""The form of the vocabulary's entries: what a kind of rule is called, which keys it has, and what it means."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from lawful.rules.files.scope import Location
from lawful.rules.files.values.base import Value
from lawful.rules.rule import Rule

__all__ = ["ABSENT", "Key", "Kind"]

ABSENT: Any = object()
"""Stands for the value of a key that a file leaves out."""

Make = Callable[[dict[str, Any], Location], Rule]


@dataclass(frozen=True)
class Key:
    """A key of a rule: the field of the rule's class that it sets, and the values that it takes.

    A key with a default is left out of a file where the rule has that default.
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

    def value_of(self, rule: Rule) -> Any:
        """The value of a rule's field, ABSENT if it is the default."""
        value = getattr(rule, self.field or self.name, ABSENT)
        return ABSENT if not self.needed and value == self.default else value


@dataclass(frozen=True)
class Kind:
    """A kind of rule: one entry of the vocabulary.

    Attributes
    ----------
    rule : class of the rule
    says : function of a rule
        What it means, as a clause of plain English.
    make : function of the values by field, and the location of the rule; by default the class itself
    """

    name: str
    rule: type[Rule]
    keys: tuple[Key, ...]
    says: Callable[[Any], str]
    about: str
    make: Make | None = field(default=None)

    @property
    def key_names(self) -> tuple[str, ...]:
        """The keys of such a rule, beside those that every rule may have."""
        return tuple(key.name for key in self.keys)

    def build(self, values: dict[str, Any], at: Location) -> Rule:
        """The rule with these values, by field."""
        return self.make(values, at) if self.make is not None else self.rule(**values)
