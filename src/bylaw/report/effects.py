"""What each rule did: every changed sequence is decoded again without it."""

from __future__ import annotations

from collections.abc import Sequence

from bylaw.corpus import Sentence
from bylaw.decoding import Decoder, Decoding
from bylaw.explanation.charges import same
from bylaw.lattice import Tagger
from bylaw.report.content import RuleEffect
from bylaw.rules.ruleset import Rules

__all__ = ["Effects"]


class Effects:
    """Adds to effects what leaving out each rule alone would change.

    Examples
    --------
    >>> from bylaw.models import HMM
    >>> from bylaw.rules import starts_with
    >>> model = HMM().fit([["a", "b"]], [["X", "Y"]])
    >>> effect = RuleEffect(starts_with("Y"))
    >>> found = Decoder([effect.rule], tagger=model).decode_tokens(["a", "b"])
    >>> Effects([effect], model).measure([(found, Sentence(("a", "b"), ("X", "Y")))])
    >>> effect.sequences, effect.tokens, effect.worse
    (1, 1, 1)
    """

    def __init__(
        self, effects: Sequence[RuleEffect], tagger: Tagger, *, timeout: float | None = None
    ) -> None:
        self.effects, self.tagger, self.timeout = effects, tagger, timeout
        self._decoders: dict[str, Decoder] = {}

    def measure(self, affected: Sequence[tuple[Decoding, Sentence]]) -> None:
        """Count for every rule what it does to these sequences, which rules did change."""
        if not affected:
            return
        for effect in self.effects:
            answers = self._without(effect).decode_batch([found.lattice for found, _ in affected])
            for (found, sentence), other in zip(affected, answers, strict=True):
                _count(effect, found, other, sentence.labels)

    def _without(self, effect: RuleEffect) -> Decoder:
        name = effect.rule.name
        if name not in self._decoders:
            others = Rules(one.rule for one in self.effects if one is not effect)
            self._decoders[name] = Decoder(
                others,
                tagger=self.tagger,
                timeout=self.timeout,
                on_limit="bounded",
                on_infeasible="least_bad",
            )
        return self._decoders[name]


def _count(effect: RuleEffect, found: Decoding, other: Decoding, gold: Sequence[str] | None) -> None:
    if same(found.lattice, found.score, other.score) and found.status == other.status:
        return  # an equally good answer that differs is no effect of the rule
    if found.status == other.status == "optimal":
        effect.price += max(0.0, other.score - found.score)
    places = [t for t, (a, b) in enumerate(zip(found.labels, other.labels, strict=False)) if a != b]
    effect.sequences += bool(places)
    effect.tokens += len(places)
    if gold is None:
        return
    for t in places:
        with_it, without_it = found.labels[t] == gold[t], other.labels[t] == gold[t]
        effect.better += with_it
        effect.worse += without_it
        effect.neither += not (with_it or without_it)
