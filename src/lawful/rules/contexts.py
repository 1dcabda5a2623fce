"""Data that arrives with each sequence under a name: `context("spans")`."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Final

from lawful.errors import MissingContextError, RuleError
from lawful.rules.arguments import spell
from lawful.rules.example import Example

__all__ = ["Context", "context"]


class _Missing:
    def __repr__(self) -> str:
        return "MISSING"

    def __reduce__(self) -> str:
        return "MISSING"  # a copy is this very object


MISSING: Final = _Missing()


@dataclass(frozen=True, repr=False)
class Context:
    """Something that arrives with each sequence under a name, so that one rule serves a whole corpus.

    Examples
    --------
    >>> Context("spans")
    context('spans')
    """

    name: str
    default: Any = field(default=MISSING, hash=False)

    def __post_init__(self) -> None:
        if not self.name or not isinstance(self.name, str):
            raise RuleError(f"context takes a name, got {self.name!r}")

    def resolve(self, example: Example, rule: str) -> Any:
        """The example's value of this name, or the default.

        Examples
        --------
        >>> Context("verb").resolve(Example(3, context={"verb": 1}), "a rule")
        1
        """
        if self.name in example.context:
            return example.context[self.name]
        if self.default is MISSING:
            raise MissingContextError(self.name, rule, sorted(map(str, example.context)))
        return self.default

    def __repr__(self) -> str:
        if self.default is MISSING:
            return spell("context", self.name)
        return spell("context", self.name, default=self.default)


def context(name: str, default: Any = MISSING) -> Context:
    """The value that the context of each sequence has under `name`; without a default it must be present.

    Examples
    --------
    >>> from lawful.rules.kinds.bans import forbid
    >>> forbid(context("banned")).violations(["A", "B"], context={"banned": ["B"]})
    1
    >>> forbid(context("banned", default=[])).violations(["A", "B"])
    0
    """
    return Context(name, default)
