"""Precision, recall and F1 from counts."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

__all__ = ["Average", "Score", "macro_average", "micro_average", "weighted_average"]


@dataclass(frozen=True, slots=True)
class Score:
    """The numbers of predicted, gold and correct items, with precision, recall and F1.

    Each is 0 if it cannot be computed because nothing was predicted or there is no gold item.

    Examples
    --------
    >>> score = Score(correct=6, predicted=8, gold=12)
    >>> score.precision, score.recall, score.f1
    (0.75, 0.5, 0.6)
    """

    correct: int
    predicted: int
    gold: int

    @property
    def precision(self) -> float:
        """The share of the predicted items that are correct."""
        return self.correct / self.predicted if self.predicted else 0.0

    @property
    def recall(self) -> float:
        """The share of the gold items that were predicted."""
        return self.correct / self.gold if self.gold else 0.0

    @property
    def f1(self) -> float:
        """The harmonic mean of precision and recall."""
        total = self.predicted + self.gold
        return 2 * self.correct / total if total else 0.0

    def to_dict(self) -> dict[str, float]:
        """All numbers by name."""
        counts = {"correct": self.correct, "predicted": self.predicted, "gold": self.gold}
        return {"precision": self.precision, "recall": self.recall, "f1": self.f1, **counts}


@dataclass(frozen=True, slots=True)
class Average:
    """The mean of several scores.

    Examples
    --------
    >>> Average(0.5, 0.25, 0.3).f1
    0.3
    """

    precision: float
    recall: float
    f1: float

    def to_dict(self) -> dict[str, float]:
        """All numbers by name."""
        return {"precision": self.precision, "recall": self.recall, "f1": self.f1}


def micro_average(scores: Collection[Score]) -> Score:
    """The score of all items together.

    Examples
    --------
    >>> micro_average([Score(1, 1, 2), Score(2, 3, 2)])
    Score(correct=3, predicted=4, gold=4)
    """
    return Score(
        sum(score.correct for score in scores),
        sum(score.predicted for score in scores),
        sum(score.gold for score in scores),
    )


def macro_average(scores: Collection[Score]) -> Average:
    """The mean over types, each with the same weight.

    Examples
    --------
    >>> macro_average([Score(1, 1, 2), Score(1, 1, 1)]).recall
    0.75
    """
    return _mean(scores, [1.0] * len(scores))


def weighted_average(scores: Collection[Score]) -> Average:
    """The mean over types, weighted by the number of gold items.

    Examples
    --------
    >>> weighted_average([Score(1, 1, 3), Score(1, 1, 1)]).recall
    0.5
    """
    return _mean(scores, [float(score.gold) for score in scores])


def _mean(scores: Collection[Score], weights: list[float]) -> Average:
    total = sum(weights)
    if not total:
        return Average(0.0, 0.0, 0.0)
    values = [(score.precision, score.recall, score.f1) for score in scores]
    means = [
        sum(weight * value for weight, value in zip(weights, column, strict=True)) / total
        for column in zip(*values, strict=True)
    ]
    return Average(means[0], means[1], means[2])
