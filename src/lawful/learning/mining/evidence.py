"""What speaks for a rule and against it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

import numpy as np
import numpy.typing as npt

from lawful.learning.linting.model_effects import Effect
from lawful.learning.mining.statistics import Statistics
from lawful.learning.prices.log_odds import log_odds
from lawful.rules.files.describing import describe
from lawful.rules.rule import Rule

__all__ = ["Evidence", "MinedRule", "Proposal", "Thresholds"]


class Thresholds(NamedTuple):
    """How much must speak for a rule before it is proposed.

    Attributes
    ----------
    support : int
        The least number of occasions on which it could have been broken.
    exceptions : float
        The largest share of these on which it may be.
    """

    support: int
    exceptions: float

    def may_pass(
        self, exceptions: npt.NDArray[np.integer], occasions: npt.NDArray[np.number]
    ) -> npt.NDArray[np.bool_]:
        """Which of many are worth measuring: all that `Evidence.meets` accepts, and perhaps one on the very edge."""
        found: npt.NDArray[np.bool_] = exceptions <= self.exceptions * occasions + 1e-9
        return found


@dataclass(frozen=True)
class Evidence:
    """How often a rule could have been broken, and how often it was.

    Examples
    --------
    >>> print(Evidence(60, 3, "sequences"))
    3 exceptions in 60 sequences
    >>> Evidence(60, 3, "sequences").rate
    0.05
    """

    occasions: int
    exceptions: int
    unit: str

    @property
    def rate(self) -> float:
        """The share of exceptions; 0 without occasions."""
        return self.exceptions / self.occasions if self.occasions else 0.0

    def log_odds(self, *, smoothing: float = 0.5) -> float:
        """How much more likely keeping the rule is than breaking it, on an occasion."""
        return log_odds(self.occasions - self.exceptions, self.exceptions, smoothing=smoothing)

    def meets(self, thresholds: Thresholds) -> bool:
        """Whether enough speaks for the rule, and not too much against it."""
        return self.occasions >= thresholds.support and self.rate <= thresholds.exceptions

    def __str__(self) -> str:
        told = {0: "no exceptions", 1: "1 exception"}.get(self.exceptions, f"{self.exceptions:,} exceptions")
        return f"{told} in {self.occasions:,} {self.unit}"


@dataclass(frozen=True, eq=False)
class Proposal:
    """A rule, and how to see what speaks for it in any data.

    Attributes
    ----------
    rule : Rule
        Its name is its code, or says it in words.
    per : "sequence" or "violation"
    measure : function
    firm : bool
        Whether the rule may be hard. A bound that few have reached may be passed by the next one.
    question : str
        What the rule answers, such as "length of author": other data may answer it with another rule. Its name if not given.
    """

    rule: Rule
    per: Literal["sequence", "violation"]
    measure: Callable[[Statistics], Evidence]
    firm: bool = True
    question: str = ""

    def __post_init__(self) -> None:
        object.__setattr__(self, "question", self.question or self.rule.name)


@dataclass(frozen=True)
class MinedRule:
    """A rule with the evidence for it.

    Attributes
    ----------
    rule : Rule
        Hard where nothing speaks against it and enough for it; otherwise soft, at the log odds of keeping it, or less beside
        a model that knows some of it.
    family : str
        The kind of regularity: "once", "order", ...
    mined, held_out : Evidence
        In the part of the data that it was found in, and in the part that had no say in it.
    refuted : bool
        Whether the held-out part breaks it more often than was asked for.
    tally : Effect or None
        Beside a model: what it changes in answers to sequences that neither the model nor the rule comes from, when it
        is added to all others that were not dropped before it.
    """

    rule: Rule
    family: str
    mined: Evidence
    held_out: Evidence
    refuted: bool
    tally: Effect | None = None

    def to_dict(self) -> dict[str, Any]:
        """Ready for JSON."""
        return {
            "rule": repr(self.rule),
            "name": self.rule.name,
            "means": describe(self.rule),
            "family": self.family,
            "price": self.rule.price,
            "mined": vars(self.mined),
            "held_out": vars(self.held_out),
            "refuted": self.refuted,
            "tally": None if self.tally is None else self.tally.to_dict(),
        }
