"""Values of a rule file that only some rules have: the operands of logic, the tables of a machine, a pattern's tests."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from lawful.automata.counting import CountingMachine
from lawful.rules.files.scope import Location
from lawful.rules.files.values.base import Labels, Schema, Value, Whole, written_label
from lawful.rules.files.values.token_tests import read_test, write_test
from lawful.rules.patterns.lexer import QUOTED

__all__ = ["MACHINE_CELLS", "Classes", "Operand", "Operands", "States", "Tests", "expand_groups"]

MACHINE_CELLS = 1_000_000
GROUP = re.compile(r"@(\w+(?:-\w+)*)")
BARE_LABEL = re.compile(r"\w+(?:[-.:]+\w+)*")

Reader = Callable[[Any, Location], Any]
Writer = Callable[[Any], Any]


class Operand(Value):
    """A rule inside another: the name of one, or a table like that of any rule."""

    def __init__(self, read: Reader, write: Writer) -> None:
        self._read, self._write = read, write

    def read(self, value: Any, at: Location) -> Any:  # noqa: D102
        return self._read(value, at)

    def write(self, value: Any) -> Any:  # noqa: D102
        return self._write(value)

    def schema(self) -> Schema:  # noqa: D102
        return {"$ref": "#/$defs/part"}


class Operands(Operand):
    """Several rules inside another, two or more; or exactly two."""

    def __init__(self, read: Reader, write: Writer, *, two: bool = False) -> None:
        super().__init__(read, write)
        self.two = two

    def read(self, value: Any, at: Location) -> tuple[Any, ...]:  # noqa: D102
        if not isinstance(value, list) or len(value) < 2 or (self.two and len(value) > 2):
            at.expected(f"a list of {'exactly' if self.two else 'at least'} two rules", value)
        return tuple(at.each(enumerate(value), super().read))

    def write(self, value: Any) -> Any:  # noqa: D102
        return [super(Operands, self).write(rule) for rule in value]

    def schema(self) -> Schema:  # noqa: D102
        most = {"maxItems": 2} if self.two else {}
        return {"type": "array", "items": super().schema(), "minItems": 2} | most


class Tests(Value):
    """A pattern's own token tests, by name."""

    __test__ = False  # pytest: this is not a test case

    def read(self, value: Any, at: Location) -> Any:  # noqa: D102
        if not isinstance(value, dict):
            at.expected("a table of token tests", value)
        return tuple(zip(value, at.each(value.items(), read_test), strict=True))

    def write(self, value: Any) -> Any:  # noqa: D102
        return {name: write_test(test) for name, test in value}

    def schema(self) -> Schema:  # noqa: D102
        return {"type": "object", "additionalProperties": {"$ref": "#/$defs/test"}}


class Classes(Value):
    """The class of each label: `{ O = 0, "@place" = 1 }`."""

    def read(self, value: Any, at: Location) -> tuple[tuple[str, int], ...]:  # noqa: D102
        if not isinstance(value, dict):
            at.expected("a table of labels and their classes, such as { O = 0, City = 1 }", value)
        classes: dict[str, int] = {}
        for names, number in at.each(
            [(name, (name, number)) for name, number in value.items()], self._labels_and_class
        ):
            for name in names:
                if classes.setdefault(name, number) != number:
                    at.fail(f"label {name!r} has two classes, {classes[name]} and {number}")
        return tuple(classes.items())

    @staticmethod
    def _labels_and_class(value: tuple[str, Any], at: Location) -> tuple[tuple[str, ...], int]:
        return Labels().read(value[0], at), Whole().read(value[1], at)

    def write(self, value: Any) -> Any:  # noqa: D102
        return {written_label(name): number for name, number in value}

    def schema(self) -> Schema:  # noqa: D102
        return {"type": "object", "additionalProperties": Whole().schema()}


class States(Value):
    """A machine, one table per state: where each class leads, the violations of that step, and those of ending here."""

    def read(self, value: Any, at: Location) -> CountingMachine:  # noqa: D102
        if not isinstance(value, list) or not value:
            at.expected("a list of states such as { to = [0, 1], end = 1 }", value)
        rows = at.each(enumerate(value), self._state)
        width = len(rows[0][0])
        if len(rows) * width > MACHINE_CELLS:
            at.fail(f"states times classes may be at most {MACHINE_CELLS}, got {len(rows)} times {width}")
        for number, (to, counts, _) in enumerate(rows):
            if len(to) != width or len(counts) != width:
                (at / number).fail(
                    f"every state needs as many numbers as the first one, {width}: one for each class"
                )
            if max(to, default=0) >= len(rows):
                (at / number / "to").fail(f"there are the states 0 to {len(rows) - 1}, got {max(to)}")
        delta, violations, final = zip(*rows, strict=True)
        return CountingMachine.from_lists(delta, violations, final)

    @staticmethod
    def _state(value: Any, at: Location) -> tuple[list[int], list[int], int]:
        if not isinstance(value, dict) or not isinstance(value.get("to"), list):
            at.expected("a state such as { to = [0, 1], end = 1 }", value)
        for key in value:
            if key not in ("to", "counts", "end"):
                (at / key).unknown("key of a state", key, ["to", "counts", "end"], plural="keys of a state")
        numbers = Whole().read
        to = (at / "to").each(enumerate(value["to"]), numbers)
        counts = value.get("counts", [0] * len(to))
        if not isinstance(counts, list):
            (at / "counts").expected("a list with one count for each class", counts)
        most = 2**31 - 1
        counted = (at / "counts").each(enumerate(counts), numbers)
        end = numbers(value.get("end", 0), at / "end")
        if max([end, *counted, *to]) > most:
            at.fail(f"the numbers of a machine are at most {most}")
        return to, counted, end

    def write(self, value: Any) -> Any:  # noqa: D102
        rows = zip(value.delta.tolist(), value.violations.tolist(), value.final.tolist(), strict=True)
        return [
            {"to": to} | ({"counts": counts} if any(counts) else {}) | ({"end": end} if end else {})
            for to, counts, end in rows
        ]

    def schema(self) -> Schema:  # noqa: D102
        numbers = {"type": "array", "items": Whole().schema()}
        state = {
            "type": "object",
            "properties": {"to": numbers, "counts": numbers, "end": Whole().schema()},
            "required": ["to"],
            "additionalProperties": False,
        }
        return {"type": "array", "items": state, "minItems": 1}


def expand_groups(pattern: str, at: Location) -> str:
    """A pattern with each `@group` written out: as a set, or inside a set as its labels."""
    pieces: list[str] = []
    index, inside = 0, False
    while index < len(pattern):
        quoted, group = QUOTED.match(pattern, index), GROUP.match(pattern, index)
        if quoted:
            pieces.append(quoted[0])
            index = quoted.end()
        elif group:
            labels = Labels().read(group[0], at)
            written = " ".join(map(_in_pattern, labels))
            pieces.append(f" {written} " if inside else f"[{written}]")
            index = group.end()
        else:
            inside = (inside or pattern[index] == "[") and pattern[index] != "]"
            pieces.append(pattern[index])
            index += 1
    return "".join(pieces)


def _in_pattern(label: str) -> str:
    if BARE_LABEL.fullmatch(label):
        return label
    return '"' + label.replace("\\", "\\\\").replace('"', '\\"') + '"'
