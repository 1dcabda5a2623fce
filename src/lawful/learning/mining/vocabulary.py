"""The words of labelled data, and which of them pass a test: asked once, however the data is divided."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice

import numpy as np
import numpy.typing as npt

from lawful.rules.tokens.tests import TokenTest

__all__ = ["Vocabulary"]


class Vocabulary:
    """Words by number, in the order in which they first came.

    Examples
    --------
    >>> from lawful.rules.token import matches
    >>> vocabulary = Vocabulary()
    >>> vocabulary.number(["a", "7", "a"]).tolist(), vocabulary.passing(matches("[0-9]")).tolist()
    ([0, 1, 0], [False, True])
    >>> vocabulary.number(["8"]).tolist(), vocabulary.passing(matches("[0-9]")).tolist()
    ([2], [False, True, True])
    """

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {}
        self._passing: dict[TokenTest, npt.NDArray[np.bool_]] = {}

    def number(self, words: Iterable[str]) -> npt.NDArray[np.int64]:
        """The number of each word; new ones get the next numbers."""
        numbers = self._numbers
        return np.array([numbers.setdefault(word, len(numbers)) for word in words], dtype=np.int64)

    def words(self, numbers: npt.NDArray[np.int64]) -> list[str]:
        """The words that have these numbers."""
        words = list(self._numbers)
        return [words[number] for number in numbers.tolist()]

    def passing(self, test: TokenTest) -> npt.NDArray[np.bool_]:
        """Whether each word passes a test."""
        asked = self._passing.get(test, np.zeros(0, dtype=np.bool_))
        if len(asked) < len(self._numbers):
            new = list(islice(self._numbers, len(asked), None))
            asked = np.append(asked, np.array(test.of_texts(new), dtype=np.bool_))
            self._passing[test] = asked
        return asked
