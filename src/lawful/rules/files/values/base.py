"""The values of a rule file: each kind of value reads, writes and describes itself."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Any

from lawful.rules.arguments import spell_labels
from lawful.rules.contexts import MISSING, Context
from lawful.rules.files.scope import Location

__all__ = ["Choice", "ContextOr", "Labels", "Pairs", "Positions", "Text", "Value", "Whole", "read_group"]

Schema = dict[str, Any]


class Value(ABC):
    """A kind of value. `read` turns a TOML value into a field of the rule; `write` does the reverse."""

    @abstractmethod
    def read(self, value: Any, at: Location) -> Any:
        """The value for the rule; problems are noted at its location."""

    def write(self, value: Any) -> Any:
        """The value for the file."""
        return value

    @abstractmethod
    def schema(self) -> Schema:
        """The JSON schema of what `read` takes."""


@dataclass(frozen=True)
class Whole(Value):
    """A whole number, at least `least` unless that is None."""

    least: int | None = 0

    def read(self, value: Any, at: Location) -> int:  # noqa: D102
        if isinstance(value, bool) or not isinstance(value, int) or self._is_small(value):
            at.expected(f"a whole number{'' if self.least is None else f' >= {self.least}'}", value)
        return value

    def _is_small(self, value: int) -> bool:
        return self.least is not None and value < self.least

    def schema(self) -> Schema:  # noqa: D102
        return {"type": "integer"} | ({} if self.least is None else {"minimum": self.least})


@dataclass(frozen=True)
class Text(Value):
    """A string that is not empty."""

    what: str = "a string"

    def read(self, value: Any, at: Location) -> str:  # noqa: D102
        if not isinstance(value, str) or not value:
            at.expected(self.what, value)
        return value

    def schema(self) -> Schema:  # noqa: D102
        return {"type": "string", "minLength": 1}


@dataclass(frozen=True)
class Choice(Value):
    """One of a few words."""

    what: str
    words: tuple[str, ...]

    def read(self, value: Any, at: Location) -> str:  # noqa: D102
        if value not in self.words:
            at.unknown(self.what, value, self.words, plural=f"{self.what}s")
        return str(value)

    def schema(self) -> Schema:  # noqa: D102
        return {"enum": list(self.words)}


class Labels(Value):
    """One or more labels: a name, `@group`, or a list of these. In a label that begins with @, it is doubled."""

    def read(self, value: Any, at: Location) -> tuple[str, ...]:  # noqa: D102
        if isinstance(value, str):
            return _named(value, at)
        if not isinstance(value, list) or not value:
            at.expected("a label, '@' and the name of a group, or a list of these", value)
        named = at.each(enumerate(value), _named)
        return tuple(dict.fromkeys(label for labels in named for label in labels))

    def write(self, value: Any) -> Any:  # noqa: D102
        return spell_labels(tuple(map(written_label, value)))

    def schema(self) -> Schema:  # noqa: D102
        return {"$ref": "#/$defs/labels"}


def written_label(name: str) -> str:
    """A label as it is written in a file."""
    return "@" + name if name.startswith("@") else name


def read_group(value: Any, at: Location) -> tuple[str, ...]:
    """The labels of a group, which may refer to other groups."""
    return Labels().read(value, at)


def _named(value: Any, at: Location) -> tuple[str, ...]:
    """The labels that a name or `@group` refers to."""
    if not isinstance(value, str):
        at.expected("the name of a label", value)
    if value.startswith("@") and not value.startswith("@@"):
        group: tuple[str, ...] = at.scope.look_up("groups", value[1:], at, read_group)
        return group
    name = value.removeprefix("@")
    if at.scope.labels is not None and name not in at.scope.labels:
        at.unknown("label", name, at.scope.labels, plural="labels")
    return (name,)


class Pairs(Value):
    """Pairs of neighbouring labels, `[["A", "B"], ...]`; a group means each of its labels."""

    def read(self, value: Any, at: Location) -> tuple[tuple[str, str], ...]:  # noqa: D102
        if not isinstance(value, list):
            at.expected("a list of pairs [label, next label]", value)
        expanded = at.each(enumerate(value), self._pair)
        return tuple(dict.fromkeys(pair for pairs in expanded for pair in pairs))

    @staticmethod
    def _pair(value: Any, at: Location) -> list[tuple[str, str]]:
        if not isinstance(value, list) or len(value) != 2:
            at.expected("a pair [label, next label]", value)
        first, second = at.each(enumerate(value), Labels().read)
        return [(a, b) for a in first for b in second]

    def write(self, value: Any) -> Any:  # noqa: D102
        return [[written_label(name) for name in pair] for pair in value]

    def schema(self) -> Schema:  # noqa: D102
        pair = {"type": "array", "items": {"$ref": "#/$defs/labels"}, "minItems": 2, "maxItems": 2}
        return {"type": "array", "items": pair}


@dataclass(frozen=True)
class Positions(Value):
    """Positions: a list (or a single one) if `depth` is 1, a list of lists if it is 2."""

    depth: int = 1
    width: int | None = None  # of the innermost lists
    what: str = "a position, or a list of positions"

    def read(self, value: Any, at: Location) -> Any:  # noqa: D102
        if self.depth == 1 and self.width is None and not isinstance(value, list):
            return (Whole(None).read(value, at),)
        return self._nested(value, at, self.depth)

    def _nested(self, value: Any, at: Location, depth: int) -> tuple[Any, ...]:
        if not isinstance(value, list) or (depth == 1 and self.width not in (None, len(value))):
            at.expected(self.what, value)
        inner = (
            Whole(None).read if depth == 1 else lambda item, item_at: self._nested(item, item_at, depth - 1)
        )
        return tuple(at.each(enumerate(value), inner))

    def write(self, value: Any) -> Any:  # noqa: D102
        if self.depth == 1:
            return value[0] if len(value) == 1 else list(value)
        return [list(item) for item in value]

    def schema(self) -> Schema:  # noqa: D102
        number: Schema = {"type": "integer"}
        schema: Schema = {"type": "array", "items": number}
        if self.width is not None:
            schema |= {"minItems": self.width, "maxItems": self.width}
        for _ in range(self.depth - 1):
            schema = {"type": "array", "items": schema}
        if self.depth == 1 and self.width is None:
            return {"oneOf": [number, schema | {"minItems": 1}]}
        return schema


@dataclass(frozen=True)
class ContextOr(Value):
    """Either `{ context = "name" }`, for something that arrives with each sequence, or a value of the inner kind."""

    inner: Value

    def read(self, value: Any, at: Location) -> Any:  # noqa: D102
        if not isinstance(value, dict):
            return self.inner.read(value, at)
        for key in value:
            if key not in ("context", "default"):
                (at / key).unknown("key", key, ["context", "default"], plural="keys here")
        if not isinstance(value.get("context"), str) or not value["context"]:
            at.expected('{ context = "name" }', value)
        return Context(value["context"], value.get("default", MISSING))

    def write(self, value: Any) -> Any:  # noqa: D102
        if not isinstance(value, Context):
            return self.inner.write(value)
        default = {} if value.default is MISSING else {"default": value.default}
        return {"context": value.name, **default}

    def schema(self) -> Schema:  # noqa: D102
        return {"anyOf": [{"$ref": "#/$defs/context"}, self.inner.schema()]}
