"""Templates of positions in the sequence, of several templates, and of functions."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from lawful.errors import FeatureError
from lawful.models.features.templates.arguments import flag_argument, text_argument, whole_number
from lawful.models.features.templates.leaf import Leaf
from lawful.models.features.templates.template import PlacedLeaf, Slot, Template, joined

__all__ = ["At", "Bias", "First", "Function", "Join", "Last", "Window", "check_template"]

FARTHEST = 1000


def check_template(kind: str, value: object) -> Template:
    """The template, or an error if it is something else."""
    if isinstance(value, Template):
        return value
    called = getattr(value, "__name__", None)
    hint = f"; did you mean {called}()?" if called and callable(value) else ""
    raise FeatureError(f"{kind}: expected a template such as word() or prefix(1, 3), got {value!r}{hint}")


class _Position(Template):
    """A template that looks at the position only, not at the token."""

    def slots(self) -> tuple[Slot, ...]:
        """One."""
        return (Slot((PlacedLeaf(Leaf(self.kind, self.kind)),)),)


class Bias(_Position):
    """See `bias`."""

    kind: ClassVar[str] = "bias"


class First(_Position):
    """See `first`."""

    kind: ClassVar[str] = "first"


class Last(_Position):
    """See `last`."""

    kind: ClassVar[str] = "last"


@dataclass(frozen=True, repr=False)
class Function(Template):
    """See `function`."""

    kind: ClassVar[str] = "function"
    name: str
    function: Callable[..., Any]

    def __post_init__(self) -> None:
        text_argument(self.kind, "name", self.name)
        if not callable(self.function):
            raise FeatureError(
                f"function {self.name!r}: expected a function, got {self.function!r}", key="function"
            )

    def slots(self) -> tuple[Slot, ...]:
        """One slot, which may have any number of values."""
        return (Slot((PlacedLeaf(Leaf(self.name, "function", meaning=self.function, call=self.function)),)),)

    def arguments(self) -> dict[str, Any]:
        """The name only: a function is no data."""
        return {"name": self.name}

    def __repr__(self) -> str:
        shown = getattr(self.function, "__name__", repr(self.function))
        return f"function({self.name!r}, {shown})"


def _moved(slots: tuple[Slot, ...], offset: int, *, pad: bool) -> tuple[Slot, ...]:
    return tuple(
        Slot(
            tuple(
                replace(placed, offset=placed.offset + offset, pad=placed.pad or pad)
                for placed in slot.leaves
            )
        )
        for slot in slots
    )


@dataclass(frozen=True, repr=False)
class At(Template):
    """See `at`."""

    kind: ClassVar[str] = "at"
    named: ClassVar[frozenset[str]] = frozenset({"pad"})
    offset: int
    template: Template
    pad: bool = False

    def __post_init__(self) -> None:
        whole_number(self.kind, "offset", self.offset, -FARTHEST, FARTHEST)
        check_template(self.kind, self.template)
        flag_argument(self.kind, "pad", self.pad)

    def slots(self) -> tuple[Slot, ...]:
        """The slots of the template, moved by the offset."""
        return _moved(self.template.slots(), self.offset, pad=self.pad)


@dataclass(frozen=True, repr=False)
class Window(Template):
    """See `window`."""

    kind: ClassVar[str] = "window"
    named: ClassVar[frozenset[str]] = frozenset({"pad"})
    template: Template
    first: int
    last: int
    pad: bool = False

    def __post_init__(self) -> None:
        check_template(self.kind, self.template)
        whole_number(self.kind, "first", self.first, -FARTHEST, FARTHEST)
        whole_number(self.kind, "last", self.last, self.first, FARTHEST)
        flag_argument(self.kind, "pad", self.pad)

    def slots(self) -> tuple[Slot, ...]:
        """The slots of the template, at each offset."""
        own = self.template.slots()
        offsets = range(self.first, self.last + 1)
        return tuple(slot for offset in offsets for slot in _moved(own, offset, pad=self.pad))


@dataclass(frozen=True, repr=False)
class Join(Template):
    """See `join`."""

    kind: ClassVar[str] = "join"
    unpacked: ClassVar[str | None] = "templates"
    templates: tuple[Template, ...]

    def __post_init__(self) -> None:
        if len(self.templates) < 2:
            raise FeatureError(
                f"join: expected two templates or more, got {len(self.templates)}", key="templates"
            )
        for template in self.templates:
            check_template(self.kind, template)

    def slots(self) -> tuple[Slot, ...]:
        """One slot for each combination of a slot of each template."""
        return joined([template.slots() for template in self.templates])
