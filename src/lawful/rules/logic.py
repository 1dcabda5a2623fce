"""Logic over rules: and, or, not, implies, xor. A violation is the end, once."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Self

from lawful.errors import RuleError
from lawful.labels import LabelSet
from lawful.rules.compiled.joined import LogicRule
from lawful.rules.example import CompiledRule, Example
from lawful.rules.rule import Rule

__all__ = ["And", "Implies", "Not", "Or", "Xor"]


class _Logic(Rule):
    def __post_init__(self) -> None:
        for part in self.parts:
            if not isinstance(part, Rule):
                raise RuleError(f"logic combines rules, got {part!r}")
            if part.price != "hard":
                raise RuleError(
                    f"logic combines hard rules, but {part.name!r} has price {part.price!r}: "
                    "combine first, then give the whole a price"
                )
        super().__post_init__()

    @property
    @abstractmethod
    def parts(self) -> tuple[Rule, ...]: ...

    @abstractmethod
    def holds(self, obeyed: Sequence[bool]) -> bool:
        """Whether this rule holds, given which of its parts do."""

    def count(self, labels: Sequence[str], example: Example) -> int:
        return int(not self.holds([part.count(labels, example) == 0 for part in self.parts]))

    def compile(self, labels: LabelSet) -> CompiledRule:
        return LogicRule(
            tuple(part.compile(labels) for part in self.parts), self.holds, self.name, len(labels)
        )


@dataclass(frozen=True, repr=False)
class _Many(_Logic):
    rules: tuple[Rule, ...]
    sign: ClassVar[str]

    def __post_init__(self) -> None:
        if len(self.rules) < 2:
            raise RuleError(f"{type(self).__name__} needs at least two rules, got {len(self.rules)}")
        super().__post_init__()

    @classmethod
    def of(cls, *rules: Rule) -> Self:
        """Combine, taking nameless rules of the same kind apart: `a & b & c` is one rule of three parts."""
        flat: list[Rule] = []
        for rule in rules:
            inner = isinstance(rule, cls) and not rule.has_own_name and rule.price == "hard"
            flat.extend(rule.rules if inner else [rule])  # type: ignore[attr-defined]  # it is a `cls`
        return cls(tuple(flat))

    @property
    def parts(self) -> tuple[Rule, ...]:
        return self.rules

    def code(self) -> str:
        return f"({f' {self.sign} '.join(map(repr, self.rules))})"


class And(_Many):
    """All rules hold.

    Examples
    --------
    >>> from lawful.rules import at_most, forbid
    >>> at_most(1, "A") & forbid("B")
    (at_most(1, 'A') & forbid('B'))
    """

    sign = "&"

    def holds(self, obeyed: Sequence[bool]) -> bool:
        """All of them."""
        return all(obeyed)


class Or(_Many):
    """At least one of the rules holds.

    Examples
    --------
    >>> from lawful.rules import at_least, forbid
    >>> (at_least(2, "A") | forbid("A")).violations(["A", "B"])
    1
    """

    sign = "|"

    def holds(self, obeyed: Sequence[bool]) -> bool:
        """Any of them."""
        return any(obeyed)


@dataclass(frozen=True, repr=False)
class Not(_Logic):
    """The rule does not hold.

    Examples
    --------
    >>> from lawful.rules import forbid
    >>> (~forbid("A")).violations(["A", "B"])
    0
    """

    rule: Rule

    @property
    def parts(self) -> tuple[Rule, ...]:
        """The rule alone."""
        return (self.rule,)

    def code(self) -> str:
        """The expression that makes this rule, in parentheses so that a method call takes the whole."""
        return f"(~{self.rule!r})"

    def holds(self, obeyed: Sequence[bool]) -> bool:
        """If its part does not."""
        return not obeyed[0]


@dataclass(frozen=True, repr=False)
class Implies(_Logic):
    """If the first rule holds, so does the second.

    Examples
    --------
    >>> from lawful.rules import at_least, ends_with
    >>> at_least(1, "Zip").implies(ends_with("Zip")).violations(["Zip", "O"])
    1
    """

    condition: Rule
    consequence: Rule

    @property
    def parts(self) -> tuple[Rule, ...]:
        """The condition and the consequence."""
        return (self.condition, self.consequence)

    def code(self) -> str:
        """The expression that makes this rule."""
        return f"{self.condition!r}.implies({self.consequence!r})"

    def holds(self, obeyed: Sequence[bool]) -> bool:
        """Unless the first holds and the second does not."""
        return not obeyed[0] or obeyed[1]


@dataclass(frozen=True, repr=False)
class Xor(_Logic):
    """Exactly one of the two rules holds.

    Examples
    --------
    >>> from lawful.rules import at_least
    >>> (at_least(1, "A") ^ at_least(1, "B")).violations(["A", "B"])
    1
    """

    left: Rule
    right: Rule

    @property
    def parts(self) -> tuple[Rule, ...]:
        """Both rules."""
        return (self.left, self.right)

    def code(self) -> str:
        """The expression that makes this rule."""
        return f"({self.left!r} ^ {self.right!r})"

    def holds(self, obeyed: Sequence[bool]) -> bool:
        """One and not the other."""
        return obeyed[0] != obeyed[1]
