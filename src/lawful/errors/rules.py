"""Rules and rule files that cannot be used as they are written, or do not fit their sequence."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from lawful.errors.base import InputError, LawfulWarning
from lawful.errors.wording import listing

__all__ = [
    "ContextError",
    "DuplicateRuleError",
    "MachineError",
    "MissingContextError",
    "MissingLabelWarning",
    "PatternError",
    "PositionError",
    "PriceError",
    "RuleError",
    "RuleFileError",
    "RuleProblem",
    "RuleTooLargeError",
    "SpanError",
    "TokenError",
    "UnpricedRuleError",
]


class RuleError(InputError):
    """A rule that cannot be used as it is written."""


class MachineError(RuleError):
    """A deterministic machine whose tables do not fit together."""


class MissingLabelWarning(LawfulWarning):
    """Rules name labels that they declare, but that the model lacks: these never occur.

    Attributes
    ----------
    missing : mapping from the name of a rule to its labels that the model lacks

    Examples
    --------
    >>> print(MissingLabelWarning({"one editor": ("editor",)}))
    the model has no label 'editor' (in rule 'one editor'): it never occurs
    """

    def __init__(self, missing: Mapping[str, Sequence[str]]) -> None:
        self.missing = {rule: tuple(labels) for rule, labels in missing.items()}
        labels = list(dict.fromkeys(label for of_rule in self.missing.values() for label in of_rule))
        one, one_rule = len(labels) == 1, len(self.missing) == 1
        super().__init__(
            f"the model has no label{'' if one else 's'} {listing(labels)} "
            f"(in rule{'' if one_rule else 's'} {listing(self.missing, most=4)}): {'it' if one else 'they'} never "
            f"occur{'s' if one else ''}"
        )


class PriceError(RuleError):
    """A price that is negative, NaN, or not a number."""

    def __init__(self, price: object, rule: str | None = None) -> None:
        self.price, self.rule = price, rule
        of = f" of rule {rule!r}" if rule else ""
        super().__init__(f"the price{of} must be 'hard', 'learn' or a number >= 0, got {price!r}")


class UnpricedRuleError(RuleError):
    """A rule whose price is still to be learned was used for decoding."""

    def __init__(self, rule: str) -> None:
        self.rule = rule
        super().__init__(f"rule {rule!r} has price 'learn': give it a number or make it hard before decoding")


class DuplicateRuleError(RuleError):
    """Two rules of a set have the same name."""

    def __init__(self, name: str) -> None:
        self.name = name
        super().__init__(f"two rules are named {name!r}: give one of them another name")


class RuleTooLargeError(RuleError):
    """A rule whose automaton would have more states than lawful builds."""

    def __init__(self, rule: str, states: int, limit: int) -> None:
        self.rule, self.states, self.limit = rule, states, limit
        super().__init__(
            f"rule {rule!r} needs an automaton of more than {limit} states; split it into simpler rules"
        )


class PatternError(RuleError):
    """A pattern that does not parse. `position` is the character at which it went wrong."""

    def __init__(self, pattern: str, position: int, message: str) -> None:
        self.pattern, self.position, self.problem = pattern, position, message
        super().__init__(f"{message}\n  {pattern}\n  {' ' * position}^")


class ContextError(RuleError):
    """A rule cannot use the context or the tokens of a sequence."""


class MissingContextError(ContextError):
    """A rule needs an entry that the sequence's context does not have."""

    def __init__(self, name: str, rule: str, known: Sequence[str]) -> None:
        self.name, self.rule, self.known = name, rule, tuple(known)
        has = f"it has {listing(known)}" if known else "it has none"
        super().__init__(
            f"rule {rule!r} needs {name!r} in the context of every sequence; {has}: "
            f"pass context={{{name!r}: ...}} to the lattice"
        )


class SpanError(ContextError):
    """A span that does not lie inside its sequence."""

    def __init__(self, span: object, length: int, rule: str) -> None:
        self.span, self.length, self.rule = span, length, rule
        super().__init__(
            f"rule {rule!r}: span {span!r} does not fit a sequence of {length} tokens; "
            f"expected (start, end) with 0 <= start < end <= {length}"
        )


class PositionError(ContextError):
    """A position that does not lie inside its sequence."""

    def __init__(self, position: object, length: int, rule: str) -> None:
        self.position, self.length, self.rule = position, length, rule
        super().__init__(
            f"rule {rule!r}: position {position!r} does not fit a sequence of {length} tokens; "
            f"expected {-length} to {length - 1}"
        )


class TokenError(ContextError):
    """A rule reads the tokens, but they are missing or lack the field that it reads."""

    def __init__(self, message: str, *, rule: str | None = None, position: int | None = None) -> None:
        self.rule, self.position = rule, position
        super().__init__(message)


class RuleProblem(NamedTuple):
    """One mistake in a rule file: where it is, and what to do.

    Attributes
    ----------
    source : str
        The file, or the caller's name for the text.
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
        location = [self.source, f"line {self.line}" if self.line else "", self.rule or ""]
        location.append(f"key {self.key!r}" if self.key else "")
        return f"{', '.join(filter(None, location))}: {self.message}"


class RuleFileError(RuleError):
    """A rule file that cannot be read. `problems` lists everything that is wrong in it, in order."""

    def __init__(self, problems: Sequence[RuleProblem]) -> None:
        self.problems = tuple(problems)
        super().__init__("\n".join(map(str, problems)))
