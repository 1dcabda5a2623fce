r"""What every template is: frozen data that prints as the code that made it, and says which slots it fills.

How attributes are written: `word[-1]|pos=the|NN`. No two different attributes are written alike.

A name has a backslash before each backslash, `|`, `=` and `[`; a value before each backslash and `|`. Beyond the ends
of a sequence the values are `\start` and `\end`, which no other value is written as.
"""

from __future__ import annotations

from dataclasses import MISSING, dataclass, fields
from itertools import product
from typing import Any, ClassVar

from lawful.models.features.templates.leaf import Leaf

__all__ = [
    "END",
    "START",
    "PlacedLeaf",
    "Slot",
    "Template",
    "attribute_name",
    "escape_name",
    "escape_value",
    "joined",
]

START, END = "\\start", "\\end"


def escape_value(value: str) -> str:
    r"""A value as it is written in an attribute.

    Examples
    --------
    >>> print(escape_value("a|b"))
    a\|b
    """
    return value.replace("\\", "\\\\").replace("|", "\\|")


def escape_name(name: str) -> str:
    r"""A leaf's name as it is written in an attribute.

    Examples
    --------
    >>> print(escape_name("a=b"))
    a\=b
    """
    return escape_value(name).replace("=", "\\=").replace("[", "\\[")


def attribute_name(leaves: list[tuple[str, int]]) -> str:
    """The part of an attribute before the `=`: names of leaves with their offsets.

    Examples
    --------
    >>> attribute_name([("word", -1), ("pos", 0)])
    'word[-1]|pos'
    """
    return "|".join(escape_name(name) + (f"[{offset:+d}]" if offset else "") for name, offset in leaves)


@dataclass(frozen=True)
class PlacedLeaf:
    """A leaf at an offset; with `pad`, it has a value beyond the ends of the sequence too."""

    leaf: Leaf
    offset: int = 0
    pad: bool = False


@dataclass(frozen=True)
class Slot:
    """One attribute per position: the values of one or more leaves together.

    Examples
    --------
    >>> Slot((PlacedLeaf(Leaf("word", "word"), -1), PlacedLeaf(Leaf("word", "word")))).name
    'word[-1]|word'
    """

    leaves: tuple[PlacedLeaf, ...]

    @property
    def name(self) -> str:
        """The part of its attributes before the `=`."""
        return attribute_name([(placed.leaf.name, placed.offset) for placed in self.leaves])


def joined(slots: list[tuple[Slot, ...]]) -> tuple[Slot, ...]:
    """One slot for each combination of one slot of each."""
    return tuple(
        Slot(tuple(placed for slot in chosen for placed in slot.leaves)) for chosen in product(*slots)
    )


@dataclass(frozen=True, repr=False)
class Template:
    """The base of all templates. `kind` is the function that makes it; `named` are arguments written with their names."""

    kind: ClassVar[str]
    named: ClassVar[frozenset[str]] = frozenset()
    unpacked: ClassVar[str | None] = None  # the field that takes all positional arguments

    def slots(self) -> tuple[Slot, ...]:
        """Its slots, in order."""
        raise NotImplementedError

    def arguments(self) -> dict[str, Any]:
        """The arguments that differ from their defaults, by name."""
        changed = {}
        for field in fields(self):
            value = getattr(self, field.name)
            if field.default is MISSING or value != field.default:
                changed[field.name] = value
        return changed

    def __repr__(self) -> str:
        shown: list[str] = []
        positional = True
        for field in fields(self):
            value = getattr(self, field.name)
            if field.name == self.unpacked:
                shown.extend(map(repr, value))
            elif field.default is not MISSING and value == field.default:
                positional = False  # what follows needs its name
            elif positional and field.name not in self.named:
                shown.append(repr(value))
            else:
                shown.append(f"{field.name}={value!r}")
        return f"{self.kind}({', '.join(shown)})"
