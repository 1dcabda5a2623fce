"""What may stand under a key of a rule file: each kind of value reads, writes and describes itself."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Any

from lawful.rules.arguments import spell_labels
from lawful.rules.contexts import MISSING, Context
from lawful.rules.files.scope import Place

__all__ = ["Choice", "ContextOr", "Labels", "Pairs", "Positions", "Text", "Value", "Whole", "read_group"]

Schema = dict[str, Any]


class Value(ABC):
    """A kind of value. `read` takes what TOML holds and gives what the rule holds; `write` goes the other way."""

    @abstractmethod
    def read(self, given: Any, at: Place) -> Any:
        """The value for the rule; what is wrong is noted at the place."""

    def write(self, held: Any) -> Any:
        """The value for the file."""
        return held

    @abstractmethod
    def schema(self) -> Schema:
        """The JSON schema of what `read` takes."""


@dataclass(frozen=True)
class Whole(Value):
    """A whole number, of at least `least` if that is given."""

    least: int | None = 0

    def read(self, given: Any, at: Place) -> int:  # noqa: D102
        if isinstance(given, bool) or not isinstance(given, int) or self._is_small(given):
            at.expected(f"a whole number{'' if self.least is None else f' >= {self.least}'}", given)
        return given

    def _is_small(self, given: int) -> bool:
        return self.least is not None and given < self.least

    def schema(self) -> Schema:  # noqa: D102
        return {"type": "integer"} | ({} if self.least is None else {"minimum": self.least})


@dataclass(frozen=True)
class Text(Value):
    """A string that is not empty."""

    what: str = "a string"

    def read(self, given: Any, at: Place) -> str:  # noqa: D102
        if not isinstance(given, str) or not given:
            at.expected(self.what, given)
        return given

    def schema(self) -> Schema:  # noqa: D102
        return {"type": "string", "minLength": 1}


@dataclass(frozen=True)
class Choice(Value):
    """One of a few words."""

    what: str
    words: tuple[str, ...]

    def read(self, given: Any, at: Place) -> str:  # noqa: D102
        if given not in self.words:
            at.unknown(self.what, given, self.words, plural=f"{self.what}s")
        return str(given)

    def schema(self) -> Schema:  # noqa: D102
        return {"enum": list(self.words)}


class Labels(Value):
    """One or more labels: a name, `@group`, or a list of these. A label that begins with @ has it doubled."""

    def read(self, given: Any, at: Place) -> tuple[str, ...]:  # noqa: D102
        if isinstance(given, str):
            return _named(given, at)
        if not isinstance(given, list) or not given:
            at.expected("a label, '@' and the name of a group, or a list of these", given)
        found = at.each(enumerate(given), _named)
        return tuple(dict.fromkeys(name for names in found for name in names))

    def write(self, held: Any) -> Any:  # noqa: D102
        return spell_labels(tuple(map(written_label, held)))

    def schema(self) -> Schema:  # noqa: D102
        return {"$ref": "#/$defs/labels"}


def written_label(name: str) -> str:
    """A label as it stands in a file."""
    return "@" + name if name.startswith("@") else name


def read_group(given: Any, at: Place) -> tuple[str, ...]:
    """The labels of a group, which may name other groups."""
    return Labels().read(given, at)


def _named(given: Any, at: Place) -> tuple[str, ...]:
    """The labels that a name, or `@group`, stands for."""
    if not isinstance(given, str):
        at.expected("the name of a label", given)
    if given.startswith("@") and not given.startswith("@@"):
        found: tuple[str, ...] = at.scope.look_up("groups", given[1:], at, read_group)
        return found
    name = given.removeprefix("@")
    if at.scope.labels is not None and name not in at.scope.labels:
        at.unknown("label", name, at.scope.labels, plural="labels")
    return (name,)


class Pairs(Value):
    """Pairs of neighbours, `[["A", "B"], ...]`; a group stands for each of its labels."""

    def read(self, given: Any, at: Place) -> tuple[tuple[str, str], ...]:  # noqa: D102
        if not isinstance(given, list):
            at.expected("a list of pairs [label, next label]", given)
        found = at.each(enumerate(given), self._pair)
        return tuple(dict.fromkeys(pair for pairs in found for pair in pairs))

    @staticmethod
    def _pair(given: Any, at: Place) -> list[tuple[str, str]]:
        if not isinstance(given, list) or len(given) != 2:
            at.expected("a pair [label, next label]", given)
        first, second = at.each(enumerate(given), Labels().read)
        return [(a, b) for a in first for b in second]

    def write(self, held: Any) -> Any:  # noqa: D102
        return [[written_label(name) for name in pair] for pair in held]

    def schema(self) -> Schema:  # noqa: D102
        pair = {"type": "array", "items": {"$ref": "#/$defs/labels"}, "minItems": 2, "maxItems": 2}
        return {"type": "array", "items": pair}


@dataclass(frozen=True)
class Positions(Value):
    """Positions, nested so deep: 1 for a list (or a single one), 2 for a list of lists."""

    depth: int = 1
    width: int | None = None  # of the innermost lists
    what: str = "a position, or a list of positions"

    def read(self, given: Any, at: Place) -> Any:  # noqa: D102
        if self.depth == 1 and self.width is None and not isinstance(given, list):
            return (Whole(None).read(given, at),)
        return self._nested(given, at, self.depth)

    def _nested(self, given: Any, at: Place, depth: int) -> tuple[Any, ...]:
        if not isinstance(given, list) or (depth == 1 and self.width not in (None, len(given))):
            at.expected(self.what, given)
        inner = Whole(None).read if depth == 1 else lambda item, place: self._nested(item, place, depth - 1)
        return tuple(at.each(enumerate(given), inner))

    def write(self, held: Any) -> Any:  # noqa: D102
        if self.depth == 1:
            return held[0] if len(held) == 1 else list(held)
        return [list(item) for item in held]

    def schema(self) -> Schema:  # noqa: D102
        number: Schema = {"type": "integer"}
        found: Schema = {"type": "array", "items": number}
        if self.width is not None:
            found |= {"minItems": self.width, "maxItems": self.width}
        for _ in range(self.depth - 1):
            found = {"type": "array", "items": found}
        if self.depth == 1 and self.width is None:
            return {"oneOf": [number, found | {"minItems": 1}]}
        return found


@dataclass(frozen=True)
class ContextOr(Value):
    """Something that arrives with each sequence, `{ context = "name" }`, or a value that stands here."""

    inner: Value

    def read(self, given: Any, at: Place) -> Any:  # noqa: D102
        if not isinstance(given, dict):
            return self.inner.read(given, at)
        for key in given:
            if key not in ("context", "default"):
                (at / key).unknown("key", key, ["context", "default"], plural="keys here")
        if not isinstance(given.get("context"), str) or not given["context"]:
            at.expected('{ context = "name" }', given)
        return Context(given["context"], given.get("default", MISSING))

    def write(self, held: Any) -> Any:  # noqa: D102
        if not isinstance(held, Context):
            return self.inner.write(held)
        default = {} if held.default is MISSING else {"default": held.default}
        return {"context": held.name, **default}

    def schema(self) -> Schema:  # noqa: D102
        return {"anyOf": [{"$ref": "#/$defs/context"}, self.inner.schema()]}
