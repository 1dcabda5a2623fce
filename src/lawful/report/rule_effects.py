"""What each rule alone does to the answers: what dropping it would change, and regain."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from lawful.decoding import Decoder, Decoding
from lawful.errors import LawfulError
from lawful.explanation.charges import bill_of
from lawful.explanation.prices import find_prices
from lawful.explanation.subset_answers import SubsetAnswers
from lawful.report.content import RuleEffect
from lawful.support.limits import Limits

__all__ = ["Fee", "find_fees", "measure_effects"]


def measure_effects(
    effects: Sequence[RuleEffect],
    decoding: Decoding,
    gold: Sequence[str] | None,
    *,
    timeout: float | None = None,
    counted: Mapping[tuple[str, ...], Sequence[int]] = MappingProxyType({}),
) -> bool:
    """Add to the effects what dropping each rule alone would change in one answer.

    Returns whether that could be measured: not for labels that may not be optimal, nor beyond a limit. `counted` says how often
    some labels violate each rule, where that is known.

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
    if decoding.status != "optimal":
        return False
    answers = SubsetAnswers(decoding, Limits(timeout=timeout), counted)
    try:
        prices = find_prices(answers)
    except LawfulError:
        return False
    for index, (effect, price) in enumerate(zip(effects, prices, strict=True)):
        if not price.active:
            continue  # another answer with the same score is not an effect of the rule
        other = answers.answer(answers.everything - {index}).labels
        effect.price += price.price
        effect.sequences += bool(price.changes)
        effect.tokens += len(price.changes)
        if gold is None:
            continue
        for t in price.changes:
            with_it, without_it = decoding.labels[t] == gold[t], other[t] == gold[t]
            effect.better += with_it
            effect.worse += without_it
            effect.neither += not (with_it or without_it)
    return True


class Fee(NamedTuple):
    """What an answer pays for one rule, where that is all that any rule does: none moves a label or costs anything else."""

    rule: int
    price: float


def find_fees(
    decoder: Decoder, unchanged: Mapping[int, Decoding], counts: npt.NDArray[np.int64]
) -> dict[int, Fee]:
    """The fees of answers that are those without rules too, of as many as can be had by decoding once more, all in one call.

    If labels are the best ones without rules, and under the one rule that they break, then they are so under every set of
    rules: dropping that rule regains what they pay for it, and dropping another one nothing. Most answers that pay are such.

    Parameters
    ----------
    decoder : Decoder
        It has decoded them.
    unchanged : mapping of index to Decoding
    counts : array (N, R)
        How often the labels of all sequences, by their index, violate each rule.

    Examples
    --------
    >>> from lawful.lattice import Lattice
    >>> from lawful.rules import at_least, at_most
    >>> decoder = Decoder([at_most(1, "A"), at_least(1, "B").soft(0.5)], labels=["A", "B"])
    >>> decoding = decoder.decode(Lattice([[2.0, 0.0]], labels=["A", "B"]))
    >>> find_fees(decoder, {0: decoding}, np.array([[0, 1]]))
    {0: Fee(rule=1, price=0.5)}
    """
    broken = {index: np.flatnonzero(counts[index]).tolist() for index in unchanged}
    asked = [
        index
        for index, decoding in unchanged.items()
        if decoding.status == "optimal" and len(broken[index]) == 1
    ]
    tied = [
        decoder.tie(decoding.lattice, decoding.bound_rules.only(broken[index]))
        for index in asked
        for decoding in [unchanged[index]]
    ]
    under_it = decoder.decode_batch(tied, jobs=1)
    fees = {}
    for index, labels, status in zip(asked, under_it.labels, under_it.statuses, strict=True):
        decoding, [rule] = unchanged[index], broken[index]
        if status == "optimal" and labels == decoding.labels:
            bill = bill_of(decoding.lattice, decoding.rules, labels, counts[index].tolist())
            fees[index] = Fee(rule, bill.under(()).lead(bill.total))
    return fees
