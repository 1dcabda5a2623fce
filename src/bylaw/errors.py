"""Everything that bylaw raises.

One base class. A user's mistake is an `InputError`; it keeps what it knows as fields, and its message says
what was expected, what came, and what to do. A mistake of ours is an `InternalError`.
"""

from __future__ import annotations

from collections.abc import Sequence
from difflib import get_close_matches

__all__ = [
    "AttFormatError",
    "BylawError",
    "ContextError",
    "DtypeError",
    "DuplicateLabelError",
    "DuplicateRuleError",
    "EmptyLabelSetError",
    "EmptySequenceError",
    "EnumerationError",
    "GraphError",
    "InfeasibleError",
    "InputError",
    "InternalError",
    "LabelSetError",
    "LimitError",
    "LossError",
    "MachineError",
    "MissingContextError",
    "MissingExtraError",
    "PatternError",
    "PositionError",
    "PriceError",
    "ProductTooLargeError",
    "RuleError",
    "RuleTooLargeError",
    "ScoreError",
    "ShapeError",
    "SpanError",
    "TokenError",
    "UnboundedError",
    "UnknownLabelError",
    "UnpricedRuleError",
]


class BylawError(Exception):
    """The base of everything that bylaw raises."""


class InputError(BylawError, ValueError):
    """Something the caller gave cannot be used as it is."""


class InternalError(BylawError):
    """A bug in bylaw: two independent computations disagree. Please report it with the data that caused it."""


# --- labels and lattices -------------------------------------------------------------------------------------


class EmptyLabelSetError(InputError):
    """A label set needs at least one label."""

    def __init__(self) -> None:
        super().__init__("a label set needs at least one label, got none")


class DuplicateLabelError(InputError):
    """Two labels of a label set have the same name."""

    def __init__(self, label: str, first: int, second: int) -> None:
        self.label, self.first, self.second = label, first, second
        super().__init__(f"label {label!r} stands at {first} and again at {second}: label names must differ")


class UnknownLabelError(InputError):
    """A label that the label set does not have."""

    def __init__(self, label: str, known: Sequence[str], where: str | None = None) -> None:
        self.label, self.known, self.where = label, tuple(known), where
        close = get_close_matches(str(label), known, n=1)
        hint = f"; did you mean {close[0]!r}?" if close else f"; the labels are {_listing(known)}"
        super().__init__(f"unknown label {label!r}{f' in {where}' if where else ''}{hint}")


class LabelSetError(InputError):
    """A lattice and a decoder that speak of different labels."""

    def __init__(self, expected: Sequence[str], got: Sequence[str]) -> None:
        self.expected, self.got = tuple(expected), tuple(got)
        super().__init__(
            f"the decoder was made for the labels {_listing(expected)}, but the lattice has {_listing(got)}; "
            "give both the same LabelSet"
        )


class ShapeError(InputError):
    """An array does not have the shape that its place needs."""

    def __init__(self, array: str, expected: str, got: Sequence[int]) -> None:
        self.array, self.expected, self.got = array, expected, tuple(got)
        super().__init__(f"{array} must have shape {expected}, got {tuple(got)}")


class DtypeError(InputError):
    """An array holds something other than numbers of the kind that its place needs."""

    def __init__(self, array: str, expected: str, got: str) -> None:
        self.array, self.expected, self.got = array, expected, got
        super().__init__(f"{array} must hold {expected}, got {got}")


class ScoreError(InputError):
    """A score is NaN or +inf. (-inf is welcome: it forbids.)"""

    def __init__(self, array: str, index: Sequence[int], value: float, label: str | None = None) -> None:
        self.array, self.index, self.value, self.label = array, tuple(index), value, label
        place = f"{array}[{', '.join(map(str, index))}]"
        named = f" (label {label!r})" if label is not None else ""
        super().__init__(f"{place}{named} is {value}: scores are finite logs, or -inf for what is forbidden")


class EmptySequenceError(InputError):
    """A sequence without a single token has no labelling to search for."""

    def __init__(self, where: str) -> None:
        self.where = where
        super().__init__(f"{where} is empty: a sequence needs at least one token; leave empty ones out")


class GraphError(InputError):
    """A graph lattice whose states or arcs do not fit together."""

    def __init__(self, message: str, *, arc: int | None = None, state: int | None = None) -> None:
        self.arc, self.state = arc, state
        super().__init__(message)


class UnboundedError(InputError):
    """A cycle of positive weight: going around it for ever raises the score for ever."""

    def __init__(self, cycle: Sequence[int], weight: float) -> None:
        self.cycle, self.weight = tuple(cycle), weight
        path = " -> ".join(map(str, cycle))
        super().__init__(
            f"the best path is infinite: the cycle through states {path} gains {weight:g} each time around; "
            "make its weight 0 or negative, or cut the cycle"
        )


class AttFormatError(InputError):
    """A line of an OpenFst/AT&T text file that cannot be read."""

    def __init__(self, source: str, line: int, message: str) -> None:
        self.source, self.line = source, line
        super().__init__(f"{source}, line {line}: {message}")


# --- rules ---------------------------------------------------------------------------------------------------


class RuleError(InputError):
    """A rule that cannot be used as it is written."""


class MachineError(RuleError):
    """A deterministic machine whose tables do not fit together."""


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
    """A rule whose automaton would have more states than bylaw is willing to build."""

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
    """What a rule found in a sequence's context, or in its tokens, cannot be used."""


class MissingContextError(ContextError):
    """A rule needs something by name that the sequence's context does not have."""

    def __init__(self, name: str, rule: str, known: Sequence[str]) -> None:
        self.name, self.rule, self.known = name, rule, tuple(known)
        has = f"it has {_listing(known)}" if known else "it has none"
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
    """A rule looks at the tokens, but they are missing or lack what it looks at."""

    def __init__(self, message: str, *, rule: str | None = None, position: int | None = None) -> None:
        self.rule, self.position = rule, position
        super().__init__(message)


# --- decoding ------------------------------------------------------------------------------------------------


class InfeasibleError(BylawError):
    """No label sequence obeys all hard rules.

    Attributes
    ----------
    rules : tuple of str
        The smallest set of rules that contradict each other on this sequence. Empty if the lattice alone,
        by its -inf scores, has no path.
    position : int or None
        The first token at which every labelling so far has broken one of them; None if it takes the whole
        sequence (something is still missing at the end).
    sequence : int or None
        Which sequence of a batch.
    """

    def __init__(self, rules: Sequence[str], position: int | None, *, sequence: int | None = None) -> None:
        self.rules, self.position, self.sequence = tuple(rules), position, sequence
        where = "by the end of the sequence" if position is None else f"at token {position}"
        which = "" if sequence is None else f"sequence {sequence}: "
        if not rules:
            what = f"the lattice has no path: its -inf scores forbid every label sequence {where}"
        elif len(rules) == 1:
            what = f"no path of the lattice obeys rule {rules[0]!r} {where}"
        else:
            what = f"rules {_listing(rules)} cannot all hold {where}"
        super().__init__(
            f"{which}{what}; drop one, make it soft, or pass on_infeasible='least_bad' for the answer that "
            "breaks the fewest"
        )


class LimitError(BylawError):
    """A search reached a limit of the call before it had proved its answer."""

    def __init__(self, limit: str, value: float, *, sequence: int | None = None) -> None:
        self.limit, self.value, self.sequence = limit, value, sequence
        which = "" if sequence is None else f"sequence {sequence}: "
        super().__init__(
            f"{which}the search reached {limit}={value:g}; raise the limit, or pass on_limit='bounded' "
            "for the best answer so far with its bound"
        )


class ProductTooLargeError(LimitError):
    """The product of a lattice and its rules, from which sums and n-best lists are made, exceeds a limit of the call.

    Attributes
    ----------
    limit, value : str, float
        Which one, and what it was.
    states : int
        How many states the product had when it was given up.
    during : str
        What made it grow past the limit.
    """

    def __init__(self, limit: str, value: float, states: int, during: str) -> None:
        super().__init__(limit, value)
        self.states, self.during = states, during
        told = f"the product of the lattice and the rules reached {states:,} states, past {limit}={value:g}"
        self.args = (f"{told}, with {during}; raise {limit}, or leave out rules that remember much",)


class EnumerationError(InputError):
    """A lattice that is too large for every label sequence of it to be looked at."""

    def __init__(self, limit: str, value: int) -> None:
        self.limit, self.value = limit, value
        super().__init__(
            f"looking at every label sequence would go past {limit}={value}; take a smaller lattice, raise the "
            "limit, or compare solvers with each other"
        )


class LossError(BylawError):
    """Obeying the rules costs more than the caller allowed."""

    def __init__(self, loss: float, max_loss: float) -> None:
        self.loss, self.max_loss = loss, max_loss
        super().__init__(
            f"obeying the rules costs {loss:g}, more than max_loss={max_loss:g}; raise it, or pass "
            "on_exceed='plain' to take the rule-free answer in such cases"
        )


# --- other packages ------------------------------------------------------------------------------------------


class MissingExtraError(BylawError, ImportError):
    """Something was asked for that needs a package which is not installed."""

    def __init__(self, package: str, extra: str) -> None:
        self.package, self.extra = package, extra
        super().__init__(
            f"this needs the package {package!r}, which is not installed: pip install 'bylaw[{extra}]'"
        )


def _listing(names: Sequence[str], most: int = 12) -> str:
    shown = ", ".join(repr(name) for name in names[:most])
    return shown + (f" and {len(names) - most} more" if len(names) > most else "")
