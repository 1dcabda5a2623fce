"""The content of a report, as data."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from lawful.evaluation import Comparison, Evaluation
from lawful.explanation import Change, RulePrice
from lawful.labels import LabelSet
from lawful.report.sentence_view import SentenceView
from lawful.rules.files.describing import describe
from lawful.rules.rule import Rule
from lawful.voting import VoteExplanation

__all__ = ["Report", "RuleEffect", "ShownSequence"]


@dataclass
class RuleEffect:
    """What one rule changed in a corpus.

    Attributes
    ----------
    rule : Rule
    broken_before, broken_after, broken_gold : int
        The number of sequences whose labels without rules, final labels and gold labels break it.
    sequences, tokens : int
        How many would get other labels if this rule alone were dropped.
    better, worse, neither : int
        These tokens by what the rule does to them: right only with it, right only without it, wrong either way.
    price : float
        The score that dropping it alone would regain, summed over all sequences.
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
    """One sequence, before and after the rules.

    Attributes
    ----------
    number : int
        Its number in the corpus, from 1.
    location : str
        File and line, or "".
    tokens, before, after : tuples of T str
    gold : tuple of T str, or None
    loss : float
        The score given up.
    status : str
        "optimal", "bounded" or "infeasible".
    broken : tuple of str
        The rules that the labels without rules break.
    still_broken : tuple of str
        The rules that the final labels break.
    changes : tuple of Change
        The changes with their reasons; empty if these are not known.
    prices : tuple of RulePrice
    contradiction : tuple of str
        A smallest set of rules that cannot all hold here.
    probabilities : array (T, K), or None
        The probability of each label by the model alone.
    view : SentenceView or None
        The words that the tokens stand for, over which arguments are drawn.
    vote : VoteExplanation or None
        For an ensemble: what each tagger wanted, who won, and at what price.
    """

    number: int
    location: str
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
    view: SentenceView | None = None
    vote: VoteExplanation | None = None

    @cached_property
    def changed(self) -> tuple[int, ...]:
        """The positions whose labels the rules changed."""
        pairs = zip(self.before, self.after, strict=True)
        return tuple(position for position, (old, new) in enumerate(pairs) if old != new)

    @property
    def judged(self) -> tuple[int, int]:
        """How many changed tokens became right, and how many wrong; no token did if there is no gold."""
        if self.gold is None:
            return 0, 0
        better = sum(self.after[t] == self.gold[t] for t in self.changed)
        return better, sum(self.before[t] == self.gold[t] for t in self.changed)

    def to_dict(self) -> dict[str, Any]:
        """Ready for JSON."""
        return {
            "number": self.number,
            "location": self.location,
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
            "changes": [change.to_dict() for change in self.changes],
            "prices": [price.to_dict() for price in self.prices if price.active],
            **({} if self.view is None else {"arguments": self._arguments(self.view)}),
            **({} if self.vote is None else {"vote": self.vote.to_dict()}),
        }

    def _arguments(self, view: SentenceView) -> dict[str, Any]:
        return view.to_dict(before=self.before, after=self.after, gold=self.gold)


@dataclass
class Report:
    """A corpus labelled with and without rules, and what the rules changed.

    Attributes
    ----------
    source, model : str
        The names of the corpus and of the model.
    labels : LabelSet
    sequences, tokens : int
    changed_sequences, changed_tokens : int
    infeasible, unproved : int
        Sequences in which the hard rules contradict each other, or whose labels may not be optimal: the time ran out.
    losses : list of float
        The score given up in each sequence that the rules changed.
    judged : int
        The number of sequences on which the effects were measured: the first ones that the rules changed or charged.
    effects : list of RuleEffect
    shown : list of ShownSequence
        The most interesting ones first.
    before, after : Evaluation or None
        The scores against gold labels, without and with rules.
    comparison : Comparison or None
        Whether the change of the span F1 is more than chance.
    contradictions : mapping of rules to sequences
        Smallest sets of rules that cannot all hold, with the number of sequences in which they cannot.
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
    comparison: Comparison | None = None
    contradictions: Mapping[tuple[str, ...], int] = field(default_factory=dict)

    @property
    def rules(self) -> Sequence[Rule]:
        """The rules, in order."""
        return [effect.rule for effect in self.effects]

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
            "rules": [effect.to_dict() for effect in self.effects],
            "contradictions": [
                {"rules": list(rules), "sequences": count} for rules, count in self.contradictions.items()
            ],
            "before": None if self.before is None else self.before.to_dict(),
            "after": None if self.after is None else self.after.to_dict(),
            "comparison": None if self.comparison is None else self.comparison.to_dict(),
            "shown": [sequence.to_dict() for sequence in self.shown],
        }
