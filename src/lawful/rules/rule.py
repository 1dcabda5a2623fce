"""The base class of all rules, and the logic that combines them: `&`, `|`, `~`, `^` and `implies`.

The operators of `Rule` return subclasses of `Rule`, so both are in one module.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from numbers import Real
from typing import Any, ClassVar, Literal, Self, SupportsIndex

from lawful.errors import PriceError, RuleError, TokenError
from lawful.labels import LabelSet
from lawful.rules.compiled.joined import LogicRule
from lawful.rules.contexts import Context
from lawful.rules.example import CompiledRule, Example
from lawful.rules.tokens.tests import TokenTest, functions_in
from lawful.support.pickling import has_importable_name, sends_functions_by_value

__all__ = ["And", "Declaring", "Implies", "Logic", "Not", "Or", "Per", "Price", "Rule", "Xor"]

Price = float | Literal["hard", "learn"]
Per = Literal["sequence", "violation"]

FIELDS_OF_LABELS = ("labels", "a", "b")
LONGEST_AUTOMATIC_NAME = 100
DEEPEST_LOGIC = 100  # Python's own stack ends at about a thousand calls
LARGEST_LOGIC = 10_000  # rules in one expression; a rule that occurs twice counts twice


@dataclass(frozen=True, kw_only=True, repr=False)
class Rule(ABC):
    """A rule that label sequences should obey. It is plain data, and prints as the code that made it.

    Its meaning is defined twice: `count` in plain Python, and `compile` as a machine. Tests compare the two.

    Parameters
    ----------
    name : str
        If empty, the name is the code that makes the rule, without its price.
    price : float, "hard" or "learn"
        The cost of one violation. Infinity means hard.
    per : "sequence" or "violation"
        Whether the price of a soft rule is paid once, or once per violation.
    declared : tuple of str
        Labels of the task, as a rule file declares them. One of them that a model lacks never occurs; any other that
        a rule names is a mistake. It does not count when rules are compared.

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
    declared: tuple[str, ...] = field(default=(), compare=False)

    def __post_init__(self) -> None:
        if not isinstance(self.name, str):
            raise RuleError(f"a rule's name must be a string, got {self.name!r}")
        if self.per not in ("sequence", "violation"):
            raise RuleError(f"per must be 'sequence' or 'violation', got {self.per!r}")
        object.__setattr__(self, "name", self.name or self.automatic_name)
        object.__setattr__(self, "price", _checked_price(self.price, self.name))
        if self.price == "hard":  # broken once is broken: there is nothing to count
            object.__setattr__(self, "per", "sequence")

    # --- what a kind of rule must define ---------------------------------------------------------------------

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
        """How many times a label sequence breaks this rule, whatever its `per`.

        Parameters
        ----------
        labels : sequence of T label names
        tokens : sequence of T tokens, optional
            Needed by rules that look at tokens.
        context : mapping, optional
            Needed by rules that use a `context`.
        label_set : LabelSet, optional
            Needed by an `automaton` that reads labels by their index in the label set.
        """
        if tokens is not None and len(tokens) != len(labels):
            raise TokenError(f"there are {len(labels)} labels but {len(tokens)} tokens", rule=self.name)
        return self.count(tuple(labels), Example(len(labels), tokens, context or {}, label_set))

    @property
    def operands(self) -> tuple[Rule, ...]:
        """The rules that this one combines; none unless it is logic."""
        return ()

    @cached_property
    def depth(self) -> int:
        """How many levels of logic there are in this rule; 0 if it is none."""
        return 1 + max((operand.depth for operand in self.operands), default=-1)

    @cached_property
    def size(self) -> int:
        """How many rules there are in this one, itself included."""
        return 1 + sum(operand.size for operand in self.operands)

    # --- what `check` and pictures ask, before any data ---------------------------------------------------

    kind_names: ClassVar[tuple[str, ...]] = ()
    """The names of the kinds of tokens that the rule's machine distinguishes, in order."""

    @property
    def token_tests(self) -> tuple[TokenTest, ...]:
        """The token tests that this rule uses."""
        return tuple(test for operand in self.operands for test in operand.token_tests)

    def labels_named(self, labels: LabelSet) -> set[str]:
        """The labels that this rule names; all labels of the label set if it concerns all, as `valid_tags` does.

        Examples
        --------
        >>> from lawful.rules import before, forbid
        >>> sorted((before("A", "B") & ~forbid("C")).labels_named(LabelSet(["A", "B", "C", "D"])))
        ['A', 'B', 'C']
        """
        named = {label for operand in self.operands for label in operand.labels_named(labels)}
        for attribute in fields(self):
            value = getattr(self, attribute.name)
            if attribute.name in FIELDS_OF_LABELS and not isinstance(value, Context):
                named |= set(value)
        return named

    @cached_property
    def declared_labels(self) -> tuple[str, ...]:
        """The labels that this rule declares, or the rules that it combines."""
        inside = (label for operand in self.operands for label in operand.declared_labels)
        return tuple(dict.fromkeys((*self.declared, *inside)))

    def compile_among(self, labels: LabelSet) -> CompiledRule:
        """`compile` for a label set that may lack labels which the rule declares: they never occur.

        Examples
        --------
        >>> from lawful.rules import Rules, at_least
        >>> [rule] = Rules(at_least(1, "A", "B"), labels=["A", "B"])
        >>> [bound] = rule.compile_among(LabelSet(["O", "A"])).bind(Example(0))
        >>> bound.machine.count(bound.table[0, [0, 0]])
        1
        """
        return self.compile(labels.knowing(self.declared_labels))

    # --- names and prices ---------------------------------------------------------------------------------

    # Cached, because the code of nested logic asks every rule in it whether it has a name of its own: computing
    # the name anew each time would double the work with each level.
    @cached_property
    def automatic_name(self) -> str:
        """The name of this rule unless it is given another: its code, shortened if it is long."""
        code = self.code()
        return code if len(code) <= LONGEST_AUTOMATIC_NAME else code[: LONGEST_AUTOMATIC_NAME - 3] + "..."

    @property
    def has_own_name(self) -> bool:
        """Whether this rule was given a name. (A rule set numbers equal automatic names: ' #2'.)"""
        automatic = self.automatic_name
        rest = self.name.removeprefix(automatic)
        is_numbered = rest.startswith(" #") and rest[2:].isdecimal()
        return self.name != automatic and not (self.name.startswith(automatic) and is_numbered)

    def soft(self, price: Price, *, per: Per = "sequence", name: str | None = None) -> Self:
        """The rule at a price: breaking it costs that much, once per sequence or once per violation."""
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

    # --- copies ---------------------------------------------------------------------------------------------

    def __copy__(self) -> Self:
        return self  # frozen data

    def __deepcopy__(self, memo: object) -> Self:
        return self

    def __reduce_ex__(self, protocol: SupportsIndex) -> str | tuple[Any, ...]:
        """As data; a function without a name that another process could import is refused by the rule's name."""
        for test in self.token_tests:
            for inner in functions_in(test):
                if not has_importable_name(inner.function) and not sends_functions_by_value():
                    raise RuleError(
                        f"rule {self.name!r} cannot be pickled: it calls {inner.function!r}, which another process cannot "
                        "import by name; define it with def at the top level of a module, or use a test such as "
                        "token.matches"
                    )
        return super().__reduce_ex__(protocol)

    # --- logic ----------------------------------------------------------------------------------------------

    def __bool__(self) -> bool:
        """Refused: `one and other` would be the other rule alone, and `not one` False."""
        raise RuleError(
            f"rule {self.name!r} is neither true nor false: combine rules with &, | and ~, not with and, or and not"
        )

    def __and__(self, other: object) -> Rule:
        return And.of(self, other) if isinstance(other, Rule) else NotImplemented

    def __or__(self, other: object) -> Rule:
        return Or.of(self, other) if isinstance(other, Rule) else NotImplemented

    def __xor__(self, other: object) -> Rule:
        return Xor(self, other) if isinstance(other, Rule) else NotImplemented

    def __invert__(self) -> Rule:
        return Not(self)

    def implies(self, other: Rule) -> Rule:
        """If this rule holds, the other one must hold too."""
        return Implies(self, other)

    def xor(self, other: Rule) -> Rule:
        """Exactly one of the two rules must hold."""
        return Xor(self, other)


class Declaring:
    """Makes rules that declare labels, and so do the rules that they combine.

    Examples
    --------
    >>> from lawful.rules import forbid
    >>> rule = Declaring(("A", "B"))(~forbid("A"))
    >>> rule, rule.operands[0].declared
    ((~forbid('A')), ('A', 'B'))
    """

    def __init__(self, labels: tuple[str, ...]) -> None:
        self.labels = labels
        self._done: dict[
            int, tuple[Rule, Rule]
        ] = {}  # by id, with the rule itself, so that the id stays its own

    def __call__(self, rule: Rule) -> Rule:
        """The same rule, with these labels declared."""
        known = self._done.get(id(rule))
        if known is None:
            # Not `replace`: names and code, which may be long, stay as they are.
            other = object.__new__(type(rule))
            vars(other).update(vars(rule))
            vars(other).pop("declared_labels", None)
            for name, value in list(vars(other).items()):
                if isinstance(value, Rule):
                    vars(other)[name] = self(value)
                elif isinstance(value, tuple) and value and isinstance(value[0], Rule):
                    vars(other)[name] = tuple(map(self, value))
            vars(other)["declared"] = self.labels
            known = self._done[id(rule)] = rule, other
        return known[1]


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


class Logic(Rule):
    """A rule that combines others, its operands. A violation is the end of the sequence, once."""

    def __post_init__(self) -> None:
        for operand in self.operands:
            if not isinstance(operand, Rule):
                raise RuleError(f"logic combines rules, got {operand!r}")
            if operand.price != "hard":
                raise RuleError(
                    f"logic combines hard rules, but {operand.name!r} has price {operand.price!r}: "
                    "combine first, then give the whole a price"
                )
        # Before the name is made: the code of a rule that refers to others many times over can be endless.
        if self.depth > DEEPEST_LOGIC:
            raise RuleError(
                f"logic may be nested {DEEPEST_LOGIC} levels deep, got {self.depth}: split it into several rules"
            )
        if self.size > LARGEST_LOGIC:
            raise RuleError(
                f"logic may combine {LARGEST_LOGIC} rules, got {self.size}, counting repeated ones each time: "
                "split it into several rules"
            )
        super().__post_init__()

    @property
    @abstractmethod
    def operands(self) -> tuple[Rule, ...]:
        """The rules that this one combines."""

    @abstractmethod
    def holds(self, obeyed: Sequence[bool]) -> bool:
        """Whether this rule holds, given which of its operands do."""

    def count(self, labels: Sequence[str], example: Example) -> int:
        """1 unless it holds."""
        return int(not self.holds([operand.count(labels, example) == 0 for operand in self.operands]))

    def compile(self, labels: LabelSet) -> CompiledRule:
        """The machines of the operands, joined into one."""
        compiled = tuple(operand.compile(labels) for operand in self.operands)
        return LogicRule(compiled, self.holds, self.name, len(labels))


@dataclass(frozen=True, repr=False)
class _Chain(Logic):
    rules: tuple[Rule, ...]
    sign: ClassVar[str]

    def __post_init__(self) -> None:
        if len(self.rules) < 2:
            raise RuleError(f"{type(self).__name__} needs at least two rules, got {len(self.rules)}")
        super().__post_init__()

    @classmethod
    def of(cls, *rules: Rule) -> Self:
        """Combine, merging unnamed rules of the same kind: `a & b & c` is one rule with three operands."""
        flat: list[Rule] = []
        for rule in rules:
            inner = isinstance(rule, cls) and not rule.has_own_name and rule.price == "hard"
            flat.extend(rule.rules if inner else [rule])  # type: ignore[attr-defined]  # it is a `cls`
        return cls(tuple(flat))

    @property
    def operands(self) -> tuple[Rule, ...]:
        return self.rules

    def code(self) -> str:
        return f"({f' {self.sign} '.join(map(repr, self.rules))})"


class And(_Chain):
    """All rules hold.

    Examples
    --------
    >>> from lawful.rules import at_most, forbid
    >>> at_most(1, "A") & forbid("B")
    (at_most(1, 'A') & forbid('B'))
    """

    sign = "&"

    def holds(self, obeyed: Sequence[bool]) -> bool:
        """If all operands do."""
        return all(obeyed)


class Or(_Chain):
    """At least one of the rules holds.

    Examples
    --------
    >>> from lawful.rules import at_least, forbid
    >>> (at_least(2, "A") | forbid("A")).violations(["A", "B"])
    1
    """

    sign = "|"

    def holds(self, obeyed: Sequence[bool]) -> bool:
        """If any operand does."""
        return any(obeyed)


@dataclass(frozen=True, repr=False)
class Not(Logic):
    """The rule does not hold.

    Examples
    --------
    >>> from lawful.rules import forbid
    >>> (~forbid("A")).violations(["A", "B"])
    0
    """

    rule: Rule

    @property
    def operands(self) -> tuple[Rule, ...]:
        """The rule alone."""
        return (self.rule,)

    def code(self) -> str:
        """The expression that makes this rule, in parentheses so that a method call takes the whole."""
        return f"(~{self.rule!r})"

    def holds(self, obeyed: Sequence[bool]) -> bool:
        """If the operand does not."""
        return not obeyed[0]


@dataclass(frozen=True, repr=False)
class Implies(Logic):
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
    def operands(self) -> tuple[Rule, ...]:
        """The condition and the consequence."""
        return (self.condition, self.consequence)

    def code(self) -> str:
        """The expression that makes this rule."""
        return f"{self.condition!r}.implies({self.consequence!r})"

    def holds(self, obeyed: Sequence[bool]) -> bool:
        """Unless the condition holds and the consequence does not."""
        return not obeyed[0] or obeyed[1]


@dataclass(frozen=True, repr=False)
class Xor(Logic):
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
    def operands(self) -> tuple[Rule, ...]:
        """Both rules."""
        return (self.left, self.right)

    def code(self) -> str:
        """The expression that makes this rule."""
        return f"({self.left!r} ^ {self.right!r})"

    def holds(self, obeyed: Sequence[bool]) -> bool:
        """If one operand does and the other does not."""
        return obeyed[0] != obeyed[1]
