"""What each rule alone does to the answers: what dropping it would change, and regain."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from lawful.decoding import Decoder, Decodings
from lawful.decoding.judge import charge
from lawful.errors import LawfulError
from lawful.explanation.prices import find_prices
from lawful.explanation.subset_answers import SubsetAnswers
from lawful.lattice.sums import add_up
from lawful.report.content import RuleEffect
from lawful.report.numbered_batch import NumberedLabels, numbers_of, path_lengths

__all__ = ["Fee", "find_fees", "measure_effects"]


def measure_effects(
    effects: Sequence[RuleEffect], answers: SubsetAnswers, gold: Sequence[str] | None
) -> bool:
    """Add to the effects what dropping each rule alone would change in one answer, which is proved best.

    Returns whether that could be measured: not beyond a limit of the answers.

    Examples
    --------
    >>> from lawful.decoding import Decoder
    >>> from lawful.models import HMM
    >>> from lawful.rules import starts_with
    >>> model = HMM().fit([["a", "b"]], [["X", "Y"]])
    >>> effect = RuleEffect(starts_with("Y"))
    >>> decoding = Decoder([effect.rule], tagger=model).decode_tokens(["a", "b"])
    >>> measure_effects([effect], SubsetAnswers(decoding), ["X", "Y"])
    True
    >>> effect.sequences, effect.tokens, effect.worse
    (1, 1, 1)
    """
    decoding = answers.decoding
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
    decoder: Decoder,
    answers: Decodings,
    numbered: NumberedLabels,
    unchanged: npt.NDArray[np.int64],
    counts: npt.NDArray[np.int64],
) -> dict[int, Fee]:
    """The fees of answers that are those without rules too, of as many as can be had by decoding once more, all in one call.

    If labels are the best ones without rules, and under the one rule that they break, then they are so under every set of
    rules: dropping that rule regains what they pay for it, and dropping another one nothing. Most answers that pay are such.

    Parameters
    ----------
    decoder : Decoder
    answers : Decodings
        Of the decoder.
    numbered : NumberedLabels
        Their labels.
    unchanged : int array
        The indices of answers that are those without rules.
    counts : array (N, R)
        How often the labels of each answer violate each rule.

    Examples
    --------
    >>> from lawful.lattice import Lattice
    >>> from lawful.rules import at_least, at_most
    >>> decoder = Decoder([at_most(1, "A"), at_least(1, "B").soft(0.5)], labels=["A", "B"])
    >>> answers = decoder.decode_batch([Lattice([[2.0, 0.0]], labels=["A", "B"])])
    >>> labels = NumberedLabels(np.array([0]), np.array([1]))
    >>> find_fees(decoder, answers, labels, np.array([0]), np.array([[0, 1]]))
    {0: Fee(rule=1, price=0.5)}
    """
    optimal = np.array([status == "optimal" for status in answers.statuses], dtype=np.bool_)
    asked = unchanged[optimal[unchanged] & (np.count_nonzero(counts[unchanged], axis=1) == 1)]
    if not len(asked):
        return {}
    broken = counts[asked].argmax(axis=1).tolist()
    decodings = [answers[index] for index in asked.tolist()]
    lattices = [decoding.lattice for decoding in decodings]
    tied = [
        decoder.tie(lattice, decoding.bound_rules.only([rule]))
        for lattice, decoding, rule in zip(lattices, decodings, broken, strict=True)
    ]
    try:
        under_it = decoder.decode_batch(tied, jobs=1)
    except LawfulError:  # a limit of the decoder
        return {}
    labels = numbered.some(asked)
    proved = np.array([status == "optimal" for status in under_it.statuses])
    same = proved & ~labels.differs(numbers_of(under_it, path_lengths(lattices)))
    paths = np.split(labels.flat, labels.starts[1:])
    fees = {}
    for place in np.flatnonzero(same).tolist():
        rule, index = broken[place], int(asked[place])
        terms = lattices[place].terms(paths[place])
        paid = charge(decoder.rules[rule], int(counts[index, rule]))
        fees[index] = Fee(rule, add_up(terms).lead(add_up([*terms, -paid])))
    return fees
