"""Prices by the averaged perceptron, beside a model that stays as it is."""

from __future__ import annotations

from collections.abc import Collection, Iterable

import numpy as np

from lawful.errors import InputError
from lawful.lattice import Lattice, Tagger
from lawful.lattice.tagger import lattices_of
from lawful.learning.gold import Gold, labelled_sequences
from lawful.learning.prices.learned_prices import LearnedPrices
from lawful.rules.ruleset import Rules
from lawful.support.numbers import check_count, check_number, check_seed

__all__ = ["prices_by_perceptron"]


def prices_by_perceptron(
    rules: Rules,
    gold: Gold,
    tagger: Tagger,
    *,
    epochs: int = 10,
    rate: float = 1.0,
    ties: Iterable[Collection[str]] = (),
    seed: int = 0,
) -> Rules:
    """Method "perceptron" of `estimate_prices` (Tromble & Eisner 2006, section 6.2).

    Examples
    --------
    >>> import lawful
    >>> class Undecided:
    ...     labels = lawful.LabelSet(["A", "B"])
    ...     def lattice(self, tokens):
    ...         return lawful.Lattice([[1.0, 0.0]] * len(tokens), labels=self.labels, tokens=tokens)
    >>> rules = lawful.Rules(lawful.at_most(1, "A").soft("learn", per="violation", name="one A"))
    >>> prices_by_perceptron(rules, [(["x", "y", "z"], ["A", "B", "B"])], Undecided(), epochs=1)
    Rules(at_most(1, 'A').soft(2.0, per='violation', name='one A'))
    """
    check_count("epochs", epochs, least=1)
    check_number("rate", rate, above=0.0)
    check_seed("seed", seed)
    sequences = labelled_sequences(gold)
    if not sequences:
        raise InputError("prices are estimated from labelled sequences, and there are none")
    tokens = [sequence.tokens for sequence in sequences]
    lattices = [_trellis(lattice) for lattice in lattices_of(tagger, tokens)]
    prices = LearnedPrices(rules, tagger.labels, tokens, ties, [sequence.context for sequence in sequences])
    gold_paths = [np.array(tagger.labels.encode(sequence.labels), dtype=np.int32) for sequence in sequences]
    gold_violations = [prices.violations(number, path) for number, path in enumerate(gold_paths)]
    total, rng = np.zeros_like(prices.learned), np.random.default_rng(seed)
    for epoch in range(epochs):
        updates = 0
        for number in rng.permutation(len(sequences)).tolist():
            path = prices.best(number, lattices[number])
            if (path != gold_paths[number]).any():
                change = prices.violations(number, path) - gold_violations[number]
                updates += bool(change.any())
                prices.learned = np.maximum(prices.learned + rate * change, 0.0)
            total += prices.learned
        if not updates:
            # Nothing will change any more: the epochs that are left count with the same prices.
            total += (epochs - 1 - epoch) * len(sequences) * prices.learned
            break
    return prices.rules(total / (epochs * len(sequences)))


def _trellis(lattice: object) -> Lattice:
    if not isinstance(lattice, Lattice):
        raise InputError("the perceptron estimates prices only beside taggers whose lattices are trellises")
    return lattice
