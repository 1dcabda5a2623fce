"""What each rule did: every changed sequence is decoded again without it."""

from __future__ import annotations

from collections.abc import Sequence

from lawful.decoding import Decoding
from lawful.errors import LawfulError
from lawful.explanation.prices import find_prices
from lawful.explanation.subset_answers import SubsetAnswers
from lawful.report.content import RuleEffect
from lawful.solvers.problem import Limits

__all__ = ["measure_effects"]


def measure_effects(
    effects: Sequence[RuleEffect],
    found: Decoding,
    gold: Sequence[str] | None,
    *,
    timeout: float | None = None,
) -> bool:
    """Add to effects what leaving out each rule alone would change in one answer.

    Gives whether that could be told: not for an answer that is not proved best, nor beyond a limit.

    Examples
    --------
    >>> from lawful.decoding import Decoder
    >>> from lawful.models import HMM
    >>> from lawful.rules import starts_with
    >>> model = HMM().fit([["a", "b"]], [["X", "Y"]])
    >>> effect = RuleEffect(starts_with("Y"))
    >>> measure_effects([effect], Decoder([effect.rule], tagger=model).decode_tokens(["a", "b"]), ["X", "Y"])
    True
    >>> effect.sequences, effect.tokens, effect.worse
    (1, 1, 1)
    """
    if found.status != "optimal":
        return False
    left = SubsetAnswers(found, Limits(timeout=timeout))
    try:
        prices = find_prices(left)
    except LawfulError:
        return False
    for place, (effect, price) in enumerate(zip(effects, prices, strict=True)):
        if not price.active:
            continue  # an equally good answer that differs is no effect of the rule
        other = left.answer(left.everything - {place}).labels
        effect.price += price.price
        effect.sequences += bool(price.changes)
        effect.tokens += len(price.changes)
        if gold is None:
            continue
        for t in price.changes:
            with_it, without_it = found.labels[t] == gold[t], other[t] == gold[t]
            effect.better += with_it
            effect.worse += without_it
            effect.neither += not (with_it or without_it)
    return True
