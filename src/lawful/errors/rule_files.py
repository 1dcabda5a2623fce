"""Rule files: everything that is wrong in one, at once."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from lawful.errors.rules import RuleError

__all__ = [
    "RuleFileError",
    "RuleProblem",
]


class RuleProblem(NamedTuple):
    """One thing that is wrong in a rule file: where, and what to do.

    Attributes
    ----------
    source : str
        The file, or what the caller called the text.
    line, column : int or None
        Counted from 1.
    rule, key : str or None
        The rule's name or number, and the key.
    message : str
    suggestion : str or None
        The nearest word that would be right.
    """

    source: str
    line: int | None
    column: int | None
    rule: str | None
    key: str | None
    message: str
    suggestion: str | None = None

    def __str__(self) -> str:
        places = [self.source, f"line {self.line}" if self.line else "", self.rule or ""]
        places.append(f"key {self.key!r}" if self.key else "")
        return f"{', '.join(filter(None, places))}: {self.message}"


class RuleFileError(RuleError):
    """A rule file that cannot be read. `problems` tells everything that is wrong in it, in order."""

    def __init__(self, problems: Sequence[RuleProblem]) -> None:
        self.problems = tuple(problems)
        super().__init__("\n".join(map(str, problems)))
