"""Prices by the perceptron, for a model that stays as it is."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from lawful.errors import InputError
from lawful.lattice import Lattice, Tagger
from lawful.lattice.tagger import lattices_of
from lawful.learning.changing_prices import ChangingPrices
from lawful.models.base.sequences import check_pairs
from lawful.rules.rule import Rule
from lawful.rules.ruleset import Rules

__all__ = ["train_prices"]


def train_prices(
    tagger: Tagger,
    rules: Rules | Rule | Iterable[Rule],
    X: Iterable[Sequence[Any]],
    y: Iterable[Sequence[str]],
    *,
    epochs: int = 10,
    rate: float = 1.0,
    ties: Iterable[Collection[str]] = (),
    contexts: Sequence[Mapping[str, Any]] | None = None,
    random_state: int | None = 0,
) -> Rules:
    """Fill in the prices of rules whose price is "learn" by the averaged perceptron (Tromble & Eisner 2006, section 6.2).

    From 0 on, sequence after sequence is decoded at the current prices; a rule that the answer breaks more often than the
    gold labels becomes dearer, one that it breaks less often cheaper, though never less than 0. The tagger's scores stay.

    Parameters
    ----------
    tagger : Tagger
    rules : Rules, rule or iterable of rules
    X, y : iterables of token sequences and label sequences
        Best such that the tagger was not fitted to: on its own training data it makes few mistakes to learn from.
    epochs : int
    rate : float
        How far one violation moves a price.
    ties : iterable of collections of names
        Rules that share a price.
    contexts : sequence of mappings, optional
    random_state : int, optional
        For the order of sequences, drawn anew for each epoch; None keeps the order in which they come.

    Examples
    --------
    >>> import lawful
    >>> class Undecided:
    ...     labels = lawful.LabelSet(["A", "B"])
    ...     def lattice(self, tokens):
    ...         return lawful.Lattice([[1.0, 0.0]] * len(tokens), labels=self.labels, tokens=tokens)
    >>> rules = lawful.at_most(1, "A").soft("learn", per="violation", name="one A")
    >>> train_prices(Undecided(), rules, [["x", "y", "z"]], [["A", "B", "B"]], epochs=1)
    Rules(at_most(1, 'A').soft(2.0, per='violation', name='one A'))
    """
    if not rate > 0:
        raise InputError(f"rate must be above 0, got {rate!r}")
    tokens, gold = check_pairs(X, y)
    given = rules if isinstance(rules, Rules) else Rules(rules)
    lattices = [_trellis(one) for one in lattices_of(tagger, tokens)]
    prices = ChangingPrices(given, tagger.labels, tokens, ties, contexts)
    right = [np.array(tagger.labels.encode(one), dtype=np.int32) for one in gold]
    kept = [prices.violations(place, path) for place, path in enumerate(right)]
    total, rng = np.zeros_like(prices.learned), np.random.default_rng(random_state)
    for _ in range(epochs):
        updates = 0
        order = np.arange(len(tokens)) if random_state is None else rng.permutation(len(tokens))
        for place in order.tolist():
            found = prices.best(place, lattices[place])
            if (found != right[place]).any():
                change = prices.violations(place, found) - kept[place]
                updates += bool(change.any())
                prices.learned = np.maximum(prices.learned + rate * change, 0.0)
            total += prices.learned
        if not updates:
            total += (epochs - 1 - _) * len(tokens) * prices.learned
            break
    return prices.rules(total / (epochs * len(tokens)))


def _trellis(lattice: object) -> Lattice:
    if not isinstance(lattice, Lattice):
        raise InputError("prices are trained over taggers whose lattices are trellises")
    return lattice
