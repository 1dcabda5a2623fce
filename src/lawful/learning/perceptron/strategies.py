"""The strategies of learning with rules, and one pass over the data by any of them: Algorithm 3 of paper C."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, get_args

import numpy as np

from lawful.errors import InputError
from lawful.lattice.arrays import Floats
from lawful.learning.prices.learned_prices import LearnedPrices
from lawful.models.perceptron.structured_learner import StructuredLearner

__all__ = ["Epoch", "Strategy", "Trainer", "check_strategy"]

Strategy = Literal["L", "L+I", "IBT", "JIBT"]


@dataclass(frozen=True)
class Epoch:
    """One pass over the labelled data.

    Attributes
    ----------
    number : int
        From 1.
    wrong : float
        The share of labels that were wrong when their sequence came.
    updates : int
        How many sequences changed the weights.
    prices : dict of str to float
        What each rule whose price is learned costs after it, not averaged.
    seconds : float

    Examples
    --------
    >>> print(Epoch(3, wrong=0.125, updates=2, seconds=0.5))
    epoch 3, 12.5% of the labels wrong, 2 updates, 0.5 s
    """

    number: int
    wrong: float
    updates: int
    prices: Mapping[str, float] = field(default_factory=dict)
    seconds: float = 0.0

    def __str__(self) -> str:
        return (
            f"epoch {self.number}, {self.wrong:.1%} of the labels wrong, {self.updates} updates, "
            f"{self.seconds:.1f} s"
        )


class Trainer:
    """Weights and prices that learn together, one sequence at a time, both averaged.

    Parameters
    ----------
    model : StructuredLearner
    prices : LearnedPrices, optional
        The rules under which sequences are decoded; without any, the best labels by the model alone.
    learn_prices : bool
        Whether prices are updated too.

    Notes
    -----
    Line 6 of the algorithm is printed as rho + d(x, y*) - d(x, y^). With the score of Eq. 14, from which rho d is
    subtracted, that would make a rule cheaper the more the prediction breaks it; the perceptron's own update has the
    other sign, rho + d(x, y^) - d(x, y*), and it is what is done here. A price that would become negative is 0.
    """

    def __init__(self, model: StructuredLearner, prices: LearnedPrices, *, learn_prices: bool) -> None:
        self.model, self.prices, self.learn_prices = model, prices, learn_prices
        self._gold: list[Floats | None] = [None] * len(model)
        self._behind = np.zeros_like(prices.learned)
        self._steps = 0

    def see(self, number: int) -> int:
        """One sequence: predict, compare, update. How many of its labels were wrong."""
        model, prices = self.model, self.prices
        gold, path = model.gold[number], prices.best(number, model.lattice(number))
        wrong = int((path != gold).sum())
        if wrong:
            model.update(number, path)
            if self.learn_prices:
                self._update_prices(number, prices.violations(number, path))
        model.advance()
        self._steps += 1
        return wrong

    def _update_prices(self, number: int, paid: Floats) -> None:
        gold_paid = self._gold[number]
        if gold_paid is None:
            gold_paid = self._gold[number] = self.prices.violations(number, self.model.gold[number])
        before = self.prices.learned
        self.prices.learned = np.maximum(before + paid - gold_paid, 0.0)
        self._behind += self._steps * (self.prices.learned - before)

    def epoch(self, numbers: Sequence[int] | Any) -> tuple[float, int]:
        """One pass over some sequences, in this order: the share of wrong labels, and the number of updates."""
        wrong = [self.see(int(number)) for number in numbers]
        tokens = sum(len(self.model.gold[int(number)]) for number in numbers)
        return sum(wrong) / tokens, sum(mistakes > 0 for mistakes in wrong)

    @property
    def averaged_prices(self) -> Floats:
        """The mean of the prices after each step."""
        return self.prices.learned - self._behind / self._steps if self._steps else self.prices.learned.copy()

    def restart(self, weights: Floats, prices: Floats) -> None:
        """Begin anew from weights and prices, with nothing to average yet."""
        self.model.restart(weights)
        self.prices.learned, self._steps = prices.copy(), 0
        self._behind = np.zeros_like(prices)


def check_strategy(strategy: object) -> Strategy:
    """One of the four, checked.

    Examples
    --------
    >>> check_strategy("IBT")
    'IBT'
    >>> check_strategy("I+L")
    Traceback (most recent call last):
    lawful.errors.InputError: strategy must be 'L', 'L+I', 'IBT' or 'JIBT', got 'I+L'
    """
    if strategy not in get_args(Strategy):
        raise InputError(f"strategy must be 'L', 'L+I', 'IBT' or 'JIBT', got {strategy!r}")
    return strategy  # type: ignore[return-value]
