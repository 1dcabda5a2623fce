"""Legal sequences of segment tags, in any of the usual schemes: `valid_tags("BIO")`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from lawful.errors import RuleError
from lawful.labels import LabelSet
from lawful.rules.arguments import spell
from lawful.rules.compiled.forms import StaticRule
from lawful.rules.example import CompiledRule, Example
from lawful.rules.kinds.transitions import transition_bound
from lawful.rules.rule import Rule

__all__ = ["SCHEMES", "Scheme", "ValidTags", "valid_tags"]


class Scheme(NamedTuple):
    """What a scheme asks of two neighbours, by their prefixes.

    A tag whose prefix is in `goes_on` must stand before one of the same type whose prefix is in `inner`; a tag
    whose prefix is in `comes_from` must stand after one of the same type whose prefix is in `outer`.
    """

    prefixes: str
    goes_on: str = ""
    inner: str = ""
    comes_from: str = ""
    outer: str = ""


def _closed(begin: str, middle: str, end: str, single: str, outside: str) -> Scheme:
    return Scheme(
        begin + middle + end + single + outside, begin + middle, middle + end, middle + end, begin + middle
    )


SCHEMES = {
    "IO": Scheme("IO"),
    "IOB1": Scheme("IOB", comes_from="B", outer="IB"),
    "IOB2": Scheme("IOB", comes_from="I", outer="IB"),
    "BIO": Scheme("IOB", comes_from="I", outer="IB"),
    "IOE1": Scheme("IOE", goes_on="E", inner="IE"),
    "IOE2": Scheme("IOE", goes_on="I", inner="IE"),
    "IOBES": _closed("B", "I", "E", "S", "O"),
    "BIOES": _closed("B", "I", "E", "S", "O"),
    "BILOU": _closed("B", "I", "L", "U", "O"),
    "BMES": _closed("B", "M", "E", "S", "O"),
    "BMEWO": _closed("B", "M", "E", "W", "O"),
}


@dataclass(frozen=True, repr=False)
class ValidTags(Rule):
    """The labels are legal tags of a scheme. A violation is each bad step, the start and the end included.

    Examples
    --------
    >>> ValidTags("BIO")
    valid_tags('BIO')
    """

    scheme: str
    separator: str = "-"

    def __post_init__(self) -> None:
        if self.scheme not in SCHEMES:
            raise RuleError(f"unknown scheme {self.scheme!r}; the schemes are {', '.join(SCHEMES)}")
        if not self.separator or not isinstance(self.separator, str):
            raise RuleError(f"the separator of valid must be a string, got {self.separator!r}")
        super().__post_init__()

    def code(self) -> str:
        """The call that makes this rule."""
        options = {} if self.separator == "-" else {"separator": self.separator}
        return spell("valid_tags", self.scheme, **options)

    def parse(self, label: str) -> tuple[str, str]:
        """A label as its prefix and its type.

        Examples
        --------
        >>> ValidTags("BIO").parse("B-PER"), ValidTags("BIO").parse("O")
        (('B', 'PER'), ('O', ''))
        """
        prefix, _, kind = label.partition(self.separator)
        if len(prefix) != 1 or prefix not in SCHEMES[self.scheme].prefixes or (prefix == "O" and kind):
            expected = ", ".join(SCHEMES[self.scheme].prefixes)
            raise RuleError(
                f"label {label!r} does not fit {self.name!r}: its tags are one of {expected}, and (except O) "
                f"{self.separator!r} with a type"
            )
        return prefix, kind

    def count(self, labels: Sequence[str], example: Example) -> int:
        """Bad steps, read off the prefixes case by case."""
        tags = [("O", ""), *map(self.parse, labels), ("O", "")]  # both ends behave like O
        return sum(_is_bad_step(self.scheme, *tags[t], *tags[t + 1]) for t in range(len(tags) - 1))

    def labels_named(self, labels: LabelSet) -> set[str]:
        """All labels: each of them must be a tag of the scheme."""
        return set(labels)

    def compile(self, labels: LabelSet) -> CompiledRule:
        """A machine whose state is the last tag, as far as it matters."""
        scheme = SCHEMES[self.scheme]
        tags = [("O", ""), *map(self.parse, labels)]
        steps = np.array([[_may_follow(scheme, tag, following) for following in tags] for tag in tags])
        return StaticRule(transition_bound(steps[1:, 1:], start=steps[0, 1:], end=steps[1:, 0]))


def _may_follow(scheme: Scheme, tag: tuple[str, str], following: tuple[str, str]) -> bool:
    same_type = tag[1] == following[1]
    if tag[0] in scheme.goes_on and not (same_type and following[0] in scheme.inner):
        return False
    return following[0] not in scheme.comes_from or (same_type and tag[0] in scheme.outer)


def _is_bad_step(scheme: str, prefix: str, kind: str, next_prefix: str, next_kind: str) -> bool:
    if scheme == "IO":
        return False
    if scheme == "IOB1":  # B only parts two neighbours of one type
        return next_prefix == "B" and (prefix == "O" or kind != next_kind)
    if scheme in ("IOB2", "BIO"):
        return next_prefix == "I" and (prefix == "O" or kind != next_kind)
    if scheme == "IOE1":  # E only parts two neighbours of one type
        return prefix == "E" and (next_prefix == "O" or kind != next_kind)
    if scheme == "IOE2":
        return prefix == "I" and (next_prefix == "O" or kind != next_kind)
    is_open = prefix in "BIM"
    continues = next_prefix in "IMEL"
    return is_open != continues or (is_open and kind != next_kind)


def valid_tags(scheme: str, *, separator: str = "-") -> ValidTags:
    """The labels are legal tags of a scheme.

    Parameters
    ----------
    scheme : str
        "IOB1", "IOB2" (or "BIO"), "IOE1", "IOE2", "IOBES" (or "BIOES"), "BILOU", "BMES", "BMEWO", "IO".
    separator : str
        What stands between the prefix and the type.

    Examples
    --------
    >>> valid_tags("BIO").violations(["O", "I-PER", "I-PER", "B-LOC", "I-PER"])
    2
    """
    return ValidTags(scheme, separator)
