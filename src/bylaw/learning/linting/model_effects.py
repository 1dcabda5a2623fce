"""What each rule would change in a model's answers, for better and for worse."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from bylaw.decoding import Decoder
from bylaw.lattice import Tagger
from bylaw.lattice.tagger import lattices_of
from bylaw.learning.gold import Labelled
from bylaw.rules.rule import Rule

__all__ = ["Effect", "effects_of"]


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
    lattices = list(lattices_of(model, [one.tokens for one in gold]))
    plain = [one.labels for one in Decoder(tagger=model).decode_batch(lattices)]
    found = {}
    for rule in rules:
        asked = rule.hard() if rule.price == "learn" else rule
        decoder = Decoder(asked, tagger=model, on_infeasible="least_bad")
        answers = decoder.decode_batch(lattices)
        better = worse = neither = sequences = infeasible = 0
        for one, before, answer in zip(gold, plain, answers, strict=True):
            infeasible += answer.status == "infeasible"
            changed = [
                (old == right, new == right)
                for old, new, right in zip(before, answer.labels, one.labels, strict=True)
                if old != new
            ]
            better += sum(new for _, new in changed)
            worse += sum(old for old, _ in changed)
            neither += sum(not (old or new) for old, new in changed)
            sequences += bool(changed)
        found[rule.name] = Effect(better, worse, neither, sequences, infeasible)
    return found
