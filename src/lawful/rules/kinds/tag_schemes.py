"""The labels are a legal tag sequence of a chunk scheme: `valid_tags("BIO")`."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from lawful.errors import RuleError
from lawful.labels import LabelSet
from lawful.rules.arguments import spell
from lawful.rules.compiled.forms import StaticRule
from lawful.rules.example import CompiledRule, Example
from lawful.rules.kinds.transitions import transition_machine
from lawful.rules.rule import Rule
from lawful.schemes.table import SCHEMES

__all__ = ["ValidTags", "valid_tags"]


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
            raise RuleError(f"the separator of valid_tags must be a string, got {self.separator!r}")
        super().__post_init__()

    def code(self) -> str:
        """The call that makes this rule."""
        options = {} if self.separator == "-" else {"separator": self.separator}
        return spell("valid_tags", self.scheme, **options)

    def parse(self, label: str) -> tuple[str, str]:
        """The tag of a label, spelled as in IOBES, and its type.

        Examples
        --------
        >>> ValidTags("BILOU").parse("L-PER"), ValidTags("BIO").parse("O")
        (('E', 'PER'), ('O', ''))
        """
        scheme = SCHEMES[self.scheme]
        tag_and_type = scheme.split(label, self.separator)
        if tag_and_type is None:
            raise RuleError(
                f"label {label!r} does not fit {self.name!r}: its tags are one of {', '.join(scheme.tags)}, and "
                f"(except O) {self.separator!r} with a type"
            )
        return tag_and_type

    def count(self, labels: Sequence[str], example: Example) -> int:
        """Illegal steps, one by one."""
        legal = SCHEMES[self.scheme].legal
        parsed = {label: self.parse(label) for label in dict.fromkeys(labels)}
        tags = [("O", ""), *map(parsed.__getitem__, labels), ("O", "")]  # both ends behave like O
        return sum(
            (tag, next_tag, span_type == next_type) not in legal
            for (tag, span_type), (next_tag, next_type) in itertools.pairwise(tags)
        )

    def labels_named(self, labels: LabelSet) -> set[str]:
        """All labels: each of them must be a tag of the scheme."""
        return set(labels)

    def compile(self, labels: LabelSet) -> CompiledRule:
        """A machine whose state is the last tag, as far as it matters."""
        legal = SCHEMES[self.scheme].legal
        tags = [("O", ""), *map(self.parse, labels)]
        steps = np.array(
            [
                [(tag, next_tag, span_type == next_type) in legal for next_tag, next_type in tags]
                for tag, span_type in tags
            ]
        )
        return StaticRule(transition_machine(steps[1:, 1:], start=steps[0, 1:], end=steps[1:, 0]))


def valid_tags(scheme: str, *, separator: str = "-") -> ValidTags:
    """The labels are legal tags of a scheme.

    Parameters
    ----------
    scheme : str
        "IOB1", "IOB2" (or "BIO"), "IOE1", "IOE2", "IOBES" (or "BIOES"), "BILOU", "BMES", "BMEWO", "IO".
    separator : str
        What stands between tag and type.

    Examples
    --------
    >>> valid_tags("BIO").violations(["O", "I-PER", "I-PER", "B-LOC", "I-PER"])
    2
    """
    return ValidTags(scheme, separator)
