"""Sequences are counted from 1 wherever people read their number; indices of Python's lists count from 0."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

SOURCE = Path(__file__).parents[2] / "src" / "lawful"
COUNTED = re.compile(r"\b(sequence|sentence|text|reference|document|record) $")

COUNTED_FROM_1 = {  # these numbers come from enumerate(..., start=1) or from the command line
    ("cli/console.py", "number"),
    ("cli/work/ballots.py", "number"),
    ("cli/work/remarks.py", "number"),
    ("corpus/formats/columns/writing.py", "number"),
}


def numbers_as_they_are(tree: ast.AST) -> Iterator[str]:
    """What f-strings put after "sequence " and the like without adding 1; names and texts are shown with !r."""
    for node in ast.walk(tree):
        if not isinstance(node, ast.JoinedStr):
            continue
        for before, value in zip(node.values, node.values[1:], strict=False):
            if (
                isinstance(before, ast.Constant)
                and COUNTED.search(str(before.value))
                and isinstance(value, ast.FormattedValue)
                and value.conversion == -1
                and isinstance(value.value, ast.Name)
            ):
                yield value.value.id


def test_messages_count_sequences_from_1() -> None:
    found = {
        (path.relative_to(SOURCE).as_posix(), name)
        for path in SOURCE.rglob("*.py")
        for name in numbers_as_they_are(ast.parse(path.read_text(encoding="utf-8")))
    }
    assert found == COUNTED_FROM_1


def test_the_check_sees_an_index() -> None:
    assert list(numbers_as_they_are(ast.parse('f"sequence {index} is {what}, {{index}}"'))) == ["index"]
    assert list(numbers_as_they_are(ast.parse('f"sequence {index + 1} of {name!r}"'))) == []
