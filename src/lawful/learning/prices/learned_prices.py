"""Prices that are being learned, for rules tied to a corpus."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from lawful.labels import LabelSet
from lawful.lattice import Lattice
from lawful.lattice.arrays import Floats
from lawful.learning.prices.ruled_corpus import Ids, RuledCorpus
from lawful.rules.ruleset import Rules

__all__ = ["LearnedPrices"]


class LearnedPrices:
    """The prices of rules whose price is "learn", from 0 on, and the sequences that they are learned from.

    Parameters
    ----------
    rules : Rules
        Hard rules and those with a price of their own stay as they are.
    labels : LabelSet
    sequences : sequence of token sequences
    ties : iterable of collections of names
        Rules that share a price.
    contexts : sequence of mappings, optional
        What comes with each sequence by name, for rules that ask for it.

    Attributes
    ----------
    names : list of str
        A rule's name for each of the G learned prices.
    price_of_rule : list of int
        The index of each rule's learned price; -1 if the rule has none.
    corpus : RuledCorpus

    Examples
    --------
    >>> import lawful
    >>> labels = lawful.LabelSet(["A", "B"])
    >>> prices = LearnedPrices(lawful.Rules(lawful.forbid("A").soft("learn", name="no A")), labels, [["x", "y"]])
    >>> lattice = lawful.Lattice([[1.0, 0.0], [3.0, 0.0]], labels=labels)
    >>> prices.best(0, lattice).tolist(), prices.violations(0, [0, 0])
    ([0, 0], array([1.]))
    >>> prices.learned += 2.0
    >>> prices.best(0, lattice).tolist(), prices.rules()
    ([0, 0], Rules(forbid('A').soft(2.0, name='no A')))
    """

    def __init__(
        self,
        rules: Rules,
        labels: LabelSet,
        sequences: Sequence[Sequence[Any]],
        ties: Iterable[Collection[str]] = (),
        contexts: Sequence[Mapping[str, Any]] | None = None,
    ) -> None:
        self.price_of_rule, self.names = _shared_prices(rules, ties)
        self.corpus = RuledCorpus(rules, labels, sequences, contexts)
        self._once = [rule.per == "sequence" for rule in rules]
        self.learned = np.zeros(len(self.names))

    @property
    def learned(self) -> Floats:
        """(G,): the prices as they are now."""
        return self._learned

    @learned.setter
    def learned(self, prices: Floats) -> None:
        self._learned = prices
        every = zip(self.price_of_rule, self.corpus.prices, strict=True)
        self.corpus.set_prices([own if index < 0 else prices[index] for index, own in every])

    def best(self, number: int, lattice: Lattice) -> Ids:
        """The label numbers (T,) of the best labelling of a sequence at the current prices."""
        return self.corpus.best(number, lattice)

    def violations(self, number: int, path: npt.ArrayLike) -> Floats:
        """(G,): how often a labelling of a sequence pays each learned price; once at most for a rule with per="sequence"."""
        paid = np.zeros(len(self.names))
        for rule, count in enumerate(self.corpus.bound[number].count(np.asarray(path)).tolist()):
            index = self.price_of_rule[rule]
            if count and index >= 0:
                paid[index] += 1 if self._once[rule] else count
        return paid

    def rules(self, learned: Floats | None = None) -> Rules:
        """The rules at the current prices, or at others."""
        prices = self.learned if learned is None else learned
        return Rules(
            rule.soft(float(prices[index]), per=rule.per) if index >= 0 else rule
            for rule, index in zip(self.corpus.rules, self.price_of_rule, strict=True)
        )


def _shared_prices(rules: Rules, ties: Iterable[Collection[str]]) -> tuple[list[int], list[str]]:
    """The index of each rule's learned price (-1 if it has none), and a name for each of those prices."""
    tied = {name: number for number, tie in enumerate(ties) for name in tie}
    index_of: dict[object, int] = {}
    names: list[str] = []
    price_of_rule = []
    for rule in rules:
        if rule.price != "learn":
            price_of_rule.append(-1)
            continue
        key: object = tied.get(rule.name, rule.name)
        if key not in index_of:
            index_of[key] = len(names)
            names.append(rule.name)
        price_of_rule.append(index_of[key])
    return price_of_rule, names
