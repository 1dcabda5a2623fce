"""Prices for rules beside a model, from parts of the data that a model of its kind was not fitted to."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from lawful.errors import InputError
from lawful.lattice import AnyLattice
from lawful.lattice.tagger import lattices_of
from lawful.learning.gold import Labelled
from lawful.learning.linting.model_effects import Effect, effect_of
from lawful.learning.prices.cross_fitting import model_like
from lawful.learning.prices.drawn_labellings import DrawnLabellings
from lawful.learning.prices.likelihood import WORTHLESS, with_prices
from lawful.models.base.estimator import SequenceModel
from lawful.rules.ruleset import Rules

__all__ = ["Beside", "price_beside"]

PARTS = 5
ENOUGH = 1000  # sequences; with so many in fewer parts, the model is fitted less often


class Beside(NamedTuple):
    """Rules, all of them, at prices that go with a model; and what they change in its answers.

    Attributes
    ----------
    prices : tuple of float
        Of each rule; infinite if it is hard, 0 if the model does not need it.
    effect : Effect
        On sequences that neither the model nor the prices were fitted to (the rules themselves were found in all of them).
    """

    prices: tuple[float, ...]
    effect: Effect


def price_beside(
    model: SequenceModel,
    rules: Rules,
    gold: Sequence[Labelled],
    *,
    seed: int = 0,
    on_part: Callable[[int, int], None] | None = None,
) -> Beside:
    """Fit a model of the same kind to most of the data, draw labellings for the rest, part after part; then fit prices to them.

    Parameters
    ----------
    model : SequenceModel
        Only its parameters and labels count: it stays as it is.
    rules : Rules
        With prices, which are the most that each may cost.
    gold : sequence of Labelled
        What the model was fitted to.
    seed : int
    on_part : function, optional
        Is told how many models are fitted, and of how many.

    Examples
    --------
    >>> import lawful
    >>> from lawful.learning.gold import labelled_sequences
    >>> from lawful.tasks import generate_citations
    >>> gold = labelled_sequences(generate_citations(40, seed=1))
    >>> model = lawful.HMM().fit([one.tokens for one in gold], [one.labels for one in gold])
    >>> rules = lawful.Rules(lawful.starts_with("author").soft(4.0), lawful.at_most_segments(1, "date").soft(4.0))
    >>> found = price_beside(model, rules, gold)
    >>> [round(price, 1) for price in found.prices], found.effect.better > found.effect.worse
    ([0.0, 4.0], True)
    """
    unknown = {label for sequence in gold for label in sequence.labels}.difference(model.labels)
    if unknown:
        raise InputError(
            f"the model does not know the label {min(unknown)!r} of the data: give the model that was trained on this data"
        )
    order = np.random.default_rng(seed).permutation(len(gold))
    parts = np.array_split(order, min(PARTS, len(gold)))[: math.ceil(ENOUGH * PARTS / len(gold))]
    drawn = DrawnLabellings(rules, seed=seed)
    asked: list[Labelled] = []
    lattices: list[AnyLattice] = []
    part_of: list[int] = []
    for number, part in enumerate(parts):
        if on_part is not None:
            on_part(number, len(parts))
        left_out = set(part.tolist())
        like = model_like(model, model.labels).fit(
            [sequence.tokens for index, sequence in enumerate(gold) if index not in left_out],
            [sequence.labels for index, sequence in enumerate(gold) if index not in left_out],
        )
        here = [gold[index] for index in part]
        scored = list(lattices_of(like, [item.tokens for item in here], [item.context for item in here]))
        drawn.add(scored, here)
        asked, lattices = asked + here, lattices + scored
        part_of += [number] * len(here)
    chosen = np.array(part_of)
    effects = []
    for number in range(len(parts)):
        # With one part only, its halves ask each other.
        mine = chosen == number if len(parts) > 1 else np.arange(len(chosen)) % 2 == 0
        for judged in (mine,) if len(parts) > 1 else (mine, ~mine):
            kept = _worthwhile(with_prices(rules, drawn.fit(which=~judged)))
            indices = np.flatnonzero(judged)
            effects.append(
                effect_of(kept, [lattices[index] for index in indices], [asked[index] for index in indices])
            )
    fitted = with_prices(rules, drawn.fit())
    prices = (math.inf if rule.price == "hard" else float(rule.price) for rule in fitted)
    total = Effect(
        *(sum(column) for column in zip(*(vars(sequence).values() for sequence in effects), strict=True))
    )
    return Beside(tuple(price if price >= WORTHLESS else 0.0 for price in prices), total)


def _worthwhile(rules: Rules) -> Rules:
    return Rules(rule for rule in rules if rule.price == "hard" or float(rule.price) >= WORTHLESS)
