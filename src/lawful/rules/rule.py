"""The base of all rules: a name, a price, a way of counting, and the operators that combine them."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from numbers import Real
from typing import Any, Literal, Self

from lawful.errors import PriceError, RuleError, TokenError
from lawful.labels import LabelSet
from lawful.rules.example import CompiledRule, Example

__all__ = ["Per", "Price", "Rule"]

Price = float | Literal["hard", "learn"]
Per = Literal["sequence", "violation"]

LONGEST_AUTOMATIC_NAME = 100


@dataclass(frozen=True, kw_only=True, repr=False)
class Rule(ABC):
    """What a label sequence should obey. Data only: it prints as the code that made it.

    A rule says what it means twice: `count` in plain Python, and `compile` as a machine. Tests hold the two
    against each other.

    Parameters
    ----------
    name : str
        Empty for an automatic name: the code that makes the rule, without its price.
    price : float, "hard" or "learn"
        What one violation costs. Infinity means hard.
    per : "sequence" or "violation"
        Whether a soft rule is paid for once, or once a violation.

    Examples
    --------
    >>> from lawful.rules.kinds.counts import at_most
    >>> rule = at_most(1, "A").soft(2, per="violation", name="single A")
    >>> rule
    at_most(1, 'A').soft(2.0, per='violation', name='single A')
    >>> rule.violations(["A", "O", "A", "A"])
    2
    """

    name: str = ""
    price: Price = "hard"
    per: Per = "sequence"

    def __post_init__(self) -> None:
        if not isinstance(self.name, str):
            raise RuleError(f"a rule's name must be a string, got {self.name!r}")
        if self.per not in ("sequence", "violation"):
            raise RuleError(f"per must be 'sequence' or 'violation', got {self.per!r}")
        object.__setattr__(self, "name", self.name or self.automatic_name)
        object.__setattr__(self, "price", _checked_price(self.price, self.name))
        if self.price == "hard":  # broken once is broken: there is nothing to count
            object.__setattr__(self, "per", "sequence")

    # --- what a kind of rule must say ---------------------------------------------------------------------

    @abstractmethod
    def code(self) -> str:
        """The call that makes this rule, without its name and price."""

    @abstractmethod
    def count(self, labels: Sequence[str], example: Example) -> int:
        """The reference meaning: the number of violations, in plain Python, without any machine."""

    @abstractmethod
    def compile(self, labels: LabelSet) -> CompiledRule:
        """The machines that count the violations of this rule over a label set."""

    # --- meaning --------------------------------------------------------------------------------------------

    def violations(
        self,
        labels: Sequence[str],
        tokens: Sequence[Any] | None = None,
        context: Mapping[str, Any] | None = None,
        *,
        label_set: LabelSet | None = None,
    ) -> int:
        """How many times a label sequence breaks this rule (the degree, whatever `per` says).

        Parameters
        ----------
        labels : sequence of T label names
        tokens : sequence of T tokens, optional
            Needed by rules that look at tokens.
        context : mapping, optional
            Needed by rules that ask for something by name.
        label_set : LabelSet, optional
            Needed by an `automaton` that reads labels by their place in the label set.
        """
        if tokens is not None and len(tokens) != len(labels):
            raise TokenError(f"there are {len(labels)} labels but {len(tokens)} tokens", rule=self.name)
        return self.count(tuple(labels), Example(len(labels), tokens, context or {}, label_set))

    def describe(self) -> str:
        """What this rule means, in a sentence of plain English."""
        # Imported late: it knows all rules, and they are built on this one.
        from lawful.rules.files.describing import describe

        return describe(self)

    # --- names and prices ---------------------------------------------------------------------------------

    @property
    def automatic_name(self) -> str:
        """The name of this rule if nobody gives it one: its code, cut if it is long."""
        code = self.code()
        return code if len(code) <= LONGEST_AUTOMATIC_NAME else code[: LONGEST_AUTOMATIC_NAME - 3] + "..."

    @property
    def has_own_name(self) -> bool:
        """Whether somebody named this rule. (A rule set numbers equal automatic names: ' #2'.)"""
        automatic = self.automatic_name
        rest = self.name.removeprefix(automatic)
        is_numbered = rest.startswith(" #") and rest[2:].isdecimal()
        return self.name != automatic and not (self.name.startswith(automatic) and is_numbered)

    def soft(self, price: Price, *, per: Per = "sequence", name: str | None = None) -> Self:
        """The rule at a price: breaking it costs that much, once or for each violation."""
        return replace(self, price=price, per=per, name=self.name if name is None else name)

    def hard(self, name: str | None = None) -> Self:
        """The rule without a price: it must hold."""
        return replace(self, price="hard", name=self.name if name is None else name)

    def named(self, name: str) -> Self:
        """The rule under another name."""
        return replace(self, name=name)

    def __repr__(self) -> str:
        name = repr(self.name) if self.has_own_name else None
        if self.price == "hard":
            return self.code() + (f".named({name})" if name else "")
        options = [repr(self.price)]
        if self.per != "sequence":
            options.append(f"per={self.per!r}")
        if name:
            options.append(f"name={name}")
        return f"{self.code()}.soft({', '.join(options)})"

    # --- logic (imported late: logic is built on rules) ---------------------------------------------------

    def __and__(self, other: object) -> Rule:
        from lawful.rules.logic import And

        return And.of(self, other) if isinstance(other, Rule) else NotImplemented

    def __or__(self, other: object) -> Rule:
        from lawful.rules.logic import Or

        return Or.of(self, other) if isinstance(other, Rule) else NotImplemented

    def __xor__(self, other: object) -> Rule:
        from lawful.rules.logic import Xor

        return Xor(self, other) if isinstance(other, Rule) else NotImplemented

    def __invert__(self) -> Rule:
        from lawful.rules.logic import Not

        return Not(self)

    def implies(self, other: Rule) -> Rule:
        """If this rule holds, the other one must hold too."""
        from lawful.rules.logic import Implies

        return Implies(self, other)

    def xor(self, other: Rule) -> Rule:
        """Exactly one of the two rules must hold."""
        from lawful.rules.logic import Xor

        return Xor(self, other)


def _checked_price(price: object, rule: str) -> Price:
    if isinstance(price, str) and price in ("hard", "learn"):
        return price  # type: ignore[return-value]  # narrowed by value, not by type
    if isinstance(price, bool) or not isinstance(price, Real):
        raise PriceError(price, rule)
    try:
        number = float(price)
    except OverflowError:  # an integer of more digits than a double holds
        raise PriceError(price, rule) from None
    if math.isnan(number) or number < 0:
        raise PriceError(price, rule)
    return "hard" if math.isinf(number) else number
