"""What a report says, as data."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from lawful.evaluation import Evaluation
from lawful.explanation import Change, RulePrice
from lawful.labels import LabelSet
from lawful.rules.files.describing import describe
from lawful.rules.rule import Rule

__all__ = ["Report", "RuleEffect", "ShownSequence"]


@dataclass
class RuleEffect:
    """What one rule did to the answers of a corpus.

    Attributes
    ----------
    rule : Rule
    broken_before, broken_after, broken_gold : int
        Sequences whose rule-free labels, final labels and gold labels break it.
    sequences, tokens : int
        What would be labelled otherwise if this rule alone were dropped.
    better, worse, neither : int
        Those tokens by what the rule does to them: right only with it, right only without it, wrong both times.
    price : float
        The score that dropping it alone would regain, over all sequences.
    """

    rule: Rule
    broken_before: int = 0
    broken_after: int = 0
    broken_gold: int = 0
    sequences: int = 0
    tokens: int = 0
    better: int = 0
    worse: int = 0
    neither: int = 0
    price: float = 0.0

    def to_dict(self) -> dict[str, Any]:
        """Ready for JSON."""
        counts = {name: value for name, value in vars(self).items() if name != "rule"}
        rule = self.rule
        return {"rule": rule.name, "means": describe(rule), "cost": rule.price, "per": rule.per, **counts}


@dataclass(frozen=True)
class ShownSequence:
    """One sequence, before and after.

    Attributes
    ----------
    number : int
        Its place in the corpus, from 1.
    place : str
        File and line, or "".
    tokens, before, after : tuples of T str
    gold : tuple of T str, or None
    loss : float
        The score given up.
    status : str
        "optimal", "bounded" or "infeasible".
    broken : tuple of str
        The rules that the rule-free labels break.
    still_broken : tuple of str
        Those that the final labels break.
    changes : tuple of Change
        With their reasons; empty if they were not looked for.
    prices : tuple of RulePrice
    contradiction : tuple of str
        The smallest set of rules that cannot all hold here.
    probabilities : array (T, K), or None
        Of each label, by the model alone.
    """

    number: int
    place: str
    tokens: tuple[str, ...]
    before: tuple[str, ...]
    after: tuple[str, ...]
    gold: tuple[str, ...] | None
    loss: float
    status: str
    broken: tuple[str, ...] = ()
    still_broken: tuple[str, ...] = ()
    changes: tuple[Change, ...] = ()
    prices: tuple[RulePrice, ...] = ()
    contradiction: tuple[str, ...] = ()
    probabilities: npt.NDArray[np.float64] | None = None

    @property
    def changed(self) -> tuple[int, ...]:
        """The positions whose labels the rules changed."""
        pairs = zip(self.before, self.after, strict=True)
        return tuple(place for place, (old, new) in enumerate(pairs) if old != new)

    def to_dict(self) -> dict[str, Any]:
        """Ready for JSON."""
        return {
            "number": self.number,
            "place": self.place,
            "tokens": list(self.tokens),
            "before": list(self.before),
            "after": list(self.after),
            "gold": None if self.gold is None else list(self.gold),
            "changed": list(self.changed),
            "loss": self.loss,
            "status": self.status,
            "broken_before": list(self.broken),
            "broken_after": list(self.still_broken),
            "contradiction": list(self.contradiction),
            "changes": [one.to_dict() for one in self.changes],
            "prices": [one.to_dict() for one in self.prices if one.active],
        }


@dataclass
class Report:
    """A corpus labelled with and without rules, and what the rules did.

    Attributes
    ----------
    source, model : str
        What was labelled, and by what.
    labels : LabelSet
    sequences, tokens : int
    changed_sequences, changed_tokens : int
    infeasible, unproved : int
        Sequences on which the hard rules contradict each other, or whose answer was not proved best in time.
    losses : list of float
        The score given up in each sequence that the rules changed.
    judged : int
        Sequences that the effects were measured on: the first of those that rules changed or charged, if proved best.
    effects : list of RuleEffect
    shown : list of ShownSequence
        The most telling ones first.
    before, after : Evaluation or None
        Against gold labels.
    contradictions : mapping of rules to sequences
        Smallest sets of rules that could not all hold, and how often.
    """

    source: str
    model: str
    labels: LabelSet
    effects: list[RuleEffect]
    sequences: int = 0
    tokens: int = 0
    changed_sequences: int = 0
    changed_tokens: int = 0
    infeasible: int = 0
    unproved: int = 0
    judged: int = 0
    losses: list[float] = field(default_factory=list)
    shown: list[ShownSequence] = field(default_factory=list)
    before: Evaluation | None = None
    after: Evaluation | None = None
    contradictions: Mapping[tuple[str, ...], int] = field(default_factory=dict)

    @property
    def rules(self) -> Sequence[Rule]:
        """The rules, in order."""
        return [one.rule for one in self.effects]

    def to_dict(self) -> dict[str, Any]:
        """Ready for JSON."""
        return {
            "source": self.source,
            "model": self.model,
            "labels": list(self.labels),
            "sequences": self.sequences,
            "tokens": self.tokens,
            "changed_sequences": self.changed_sequences,
            "changed_tokens": self.changed_tokens,
            "infeasible": self.infeasible,
            "unproved": self.unproved,
            "judged": self.judged,
            "loss": float(sum(self.losses)),
            "rules": [one.to_dict() for one in self.effects],
            "contradictions": [
                {"rules": list(rules), "sequences": count} for rules, count in self.contradictions.items()
            ],
            "before": None if self.before is None else self.before.to_dict(),
            "after": None if self.after is None else self.after.to_dict(),
            "shown": [one.to_dict() for one in self.shown],
        }
