"""Confusion of labels: gold against predicted."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from lawful.evaluation.numbered import Numbered

__all__ = ["Confusion", "count_confusion"]


@dataclass(frozen=True, eq=False)
class Confusion:
    """The number of tokens for each gold label and each predicted label.

    Attributes
    ----------
    labels : tuple of str
        K labels, sorted.
    counts : array of int, shape (K, K)
        Rows are gold, columns are predicted.

    Examples
    --------
    >>> from lawful.evaluation.pairs import Pair
    >>> count_confusion(Numbered([Pair(("A", "B"), ("A", "A"), None, {})], ["A", "B"], "flat")).counts.tolist()
    [[1, 0], [1, 0]]
    """

    labels: tuple[str, ...]
    counts: npt.NDArray[np.int64]

    def most_confused(self, count: int = 10) -> list[tuple[str, str, int]]:
        """The most frequent mistakes: gold label, predicted label, number of tokens.

        Examples
        --------
        >>> from lawful.evaluation.pairs import Pair
        >>> count_confusion(Numbered([Pair(("A", "B"), ("A", "A"), None, {})], ["A", "B"], "flat")).most_confused()
        [('B', 'A', 1)]
        """
        wrong = self.counts.copy()
        np.fill_diagonal(wrong, 0)
        order = np.argsort(-wrong, axis=None, kind="stable")[:count]
        size = len(self.labels)
        mistakes = [
            (self.labels[index // size], self.labels[index % size], int(wrong.flat[index]))
            for index in order.tolist()
        ]
        return [mistake for mistake in mistakes if mistake[2]]

    def to_dict(self) -> dict[str, object]:
        """The labels and the counts as lists."""
        return {"labels": list(self.labels), "counts": self.counts.tolist()}


def count_confusion(numbered: Numbered) -> Confusion:
    """Count the pairs of gold and predicted labels.

    Examples
    --------
    >>> from lawful.evaluation.pairs import Pair
    >>> count_confusion(Numbered([Pair(("B", "A"), ("A", "A"), None, {})], ["A", "B"], "flat")).labels
    ('A', 'B')
    """
    counts = numbered.confusion
    counts.setflags(write=False)
    return Confusion(tuple(numbered.names), counts)
