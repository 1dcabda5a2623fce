"""What each rule would change in a model's answers, for better and for worse."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from lawful.decoding import Decoder
from lawful.labels import LabelSet
from lawful.lattice import AnyLattice, Tagger
from lawful.lattice.tagger import lattices_of
from lawful.learning.gold import Labelled
from lawful.rules.rule import Rule
from lawful.rules.ruleset import Rules

__all__ = ["Effect", "effect_of", "effects_of"]


@dataclass(frozen=True)
class Effect:
    """Tokens whose label a rule changes, against the model without rules.

    Attributes
    ----------
    better, worse, neither : int
        Wrong before and right now; right before and wrong now; wrong both times.
    sequences : int
        Sequences with a change.
    infeasible : int
        Sequences in which no labels keep the rule.

    Examples
    --------
    >>> print(Effect(better=5, worse=1, neither=2, sequences=3, infeasible=0))
    5 better, 1 worse, 2 neither, in 3 sequences
    """

    better: int
    worse: int
    neither: int
    sequences: int
    infeasible: int

    def __str__(self) -> str:
        told = (
            f"{self.better} better, {self.worse} worse, {self.neither} neither, in {self.sequences} sequences"
        )
        return told + (f"; {self.infeasible} sequences cannot keep it" if self.infeasible else "")

    def to_dict(self) -> dict[str, Any]:
        """Ready for JSON."""
        return dict(vars(self))


def effects_of(rules: Sequence[Rule], model: Tagger, gold: Sequence[Labelled]) -> dict[str, Effect]:
    """The effect of each rule on its own; the price of a rule that is still to be learned counts as hard."""
    lattices = list(lattices_of(model, [item.tokens for item in gold], [item.context for item in gold]))
    plain = [item.labels for item in Decoder(tagger=model).decode_batch(lattices)]
    return {
        rule.name: effect_of(
            rule.hard() if rule.price == "learn" else rule, lattices, gold, labels=model.labels, plain=plain
        )
        for rule in rules
    }


def effect_of(
    rules: Rules | Rule,
    lattices: Sequence[AnyLattice],
    gold: Sequence[Labelled],
    *,
    labels: LabelSet | None = None,
    plain: Sequence[Sequence[str]] | None = None,
) -> Effect:
    """What rules change together, against the answers without rules.

    Examples
    --------
    >>> import lawful
    >>> from lawful.learning.gold import labelled_sequences
    >>> lattice = lawful.Lattice([[1.0, 0.0], [2.0, 0.0]], labels=["A", "B"])
    >>> print(effect_of(lawful.at_most(1, "A"), [lattice], labelled_sequences([(["x", "y"], ["B", "A"])])))
    1 better, 0 worse, 0 neither, in 1 sequences
    """
    known = lattices[0].labels if labels is None else labels
    if plain is None:
        plain = [sequence.labels for sequence in Decoder(labels=known).decode_batch(lattices)]
    answers = Decoder(rules, labels=known, on_infeasible="least_bad").decode_batch(lattices)
    better = worse = neither = sequences = infeasible = 0
    for sequence, before, answer in zip(gold, plain, answers, strict=True):
        infeasible += answer.status == "infeasible"
        changed = [
            (old == right, new == right)
            for old, new, right in zip(before, answer.labels, sequence.labels, strict=True)
            if old != new
        ]
        better += sum(new for _, new in changed)
        worse += sum(old for old, _ in changed)
        neither += sum(not (old or new) for old, new in changed)
        sequences += bool(changed)
    return Effect(better, worse, neither, sequences, infeasible)
