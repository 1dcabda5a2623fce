"""What labelled sequences look like, counted once, for all kinds of rules that may be proposed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
import numpy.typing as npt

from lawful.labels import LabelSet
from lawful.learning.gold import Labelled
from lawful.learning.mining.vocabulary import Vocabulary
from lawful.rules.tokens.tests import TokenTest
from lawful.rules.tokens.values import text_of

__all__ = ["Statistics"]

AT_ONCE = 10_000  # sequences

Ints = npt.NDArray[np.int64]
Bools = npt.NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class Statistics:
    """N labelled sequences over K labels.

    Examples
    --------
    >>> from lawful.learning.gold import labelled_sequences
    >>> gold = labelled_sequences([(["a", "b", "c"], ["X", "Y", "X"])])
    >>> statistics = Statistics(gold, LabelSet(["X", "Y"]))
    >>> statistics.segments.tolist(), statistics.first.tolist(), statistics.last.tolist()
    ([[2, 1]], [[0, 1]], [[2, 1]])
    """

    gold: Sequence[Labelled]
    labels: LabelSet
    vocabulary: Vocabulary = field(default_factory=Vocabulary)
    """Of these sequences and of all others that came from them: what was asked about a word need not be asked again."""

    def of(self, some: Sequence[Labelled]) -> Statistics:
        """Those of other sequences, or of some of these, with the same labels."""
        other = Statistics(some, self.labels, self.vocabulary)
        known = self._numbers_of_sequences
        if all(id(one) in known for one in some):  # then they have been read
            numbers = [known[id(one)] for one in some]
            vars(other)["indices"] = [self.indices[number] for number in numbers]
            vars(other)["_places_in_each"] = [self._places_in_each[number] for number in numbers]
        return other

    def passing(self, test: TokenTest) -> Bools:
        """Which positions pass a test."""
        places = self._places  # first: it makes the words known
        return self.vocabulary.passing(test)[places]

    @cached_property
    def indices(self) -> list[Ints]:
        """The labels of each sequence as numbers, arrays (T,)."""
        number = {name: place for place, name in enumerate(self.labels)}
        return [np.array([number[label] for label in one.labels], dtype=np.int64) for one in self.gold]

    @cached_property
    def flat(self) -> Ints:
        """All labels in one row."""
        return np.concatenate(self.indices) if self.gold else np.zeros(0, dtype=np.int64)

    @cached_property
    def words(self) -> list[str]:
        """The different texts of the tokens, by their first appearance."""
        first, _ = self._words
        return self.vocabulary.words(self._places[first])

    @cached_property
    def word_ids(self) -> Ints:
        """The place of each token's text in `words`."""
        return self._words[1]

    @cached_property
    def _words(self) -> tuple[Ints, Ints]:
        """Where each word first stands, in this order, and for each token the number of its word in this order."""
        _, first, number = np.unique(self._places, return_index=True, return_inverse=True)
        order = np.argsort(first)
        rank = np.empty_like(order)
        rank[order] = np.arange(len(order))
        return first[order], rank[number]

    @cached_property
    def _places(self) -> Ints:
        """The place of each token's text in the vocabulary."""
        return np.concatenate(self._places_in_each) if self.gold else np.zeros(0, dtype=np.int64)

    @cached_property
    def _places_in_each(self) -> list[Ints]:
        return [self.vocabulary.number(map(text_of, one.tokens)) for one in self.gold]

    @cached_property
    def _numbers_of_sequences(self) -> dict[int, int]:
        return {id(one): number for number, one in enumerate(self.gold)}

    @cached_property
    def owner(self) -> Ints:
        """The sequence of each position."""
        return np.repeat(np.arange(len(self.gold)), [len(one) for one in self.indices])

    @cached_property
    def begins(self) -> Bools:
        """Whether a position is the first of its sequence."""
        starts = np.ones(len(self.flat), dtype=np.bool_)
        starts[1:] = self.owner[1:] != self.owner[:-1]
        return starts

    @cached_property
    def changes(self) -> Bools:
        """Whether a position has another label than the one before it in its sequence."""
        changed = np.zeros(len(self.flat), dtype=np.bool_)
        changed[1:] = (self.flat[1:] != self.flat[:-1]) & ~self.begins[1:]
        return changed

    @cached_property
    def counts(self) -> Ints:
        """How often each label stands in each sequence (N, K)."""
        return self._tabulate(np.ones(len(self.flat), dtype=np.bool_))

    @cached_property
    def present(self) -> Bools:
        """Whether each label stands in each sequence (N, K)."""
        return self.counts > 0

    @cached_property
    def meetings(self) -> Ints:
        """In how many sequences two labels stand, (K, K); on the diagonal, in how many one does."""
        found = np.zeros((len(self.labels),) * 2, dtype=np.int64)
        for first in range(0, len(self.gold), AT_ONCE):
            here = self.present[first : first + AT_ONCE].astype(
                np.float32
            )  # exact: no count passes 2**24 here
            found += (here.T @ here).astype(np.int64)
        return found

    @cached_property
    def segments(self) -> Ints:
        """How many segments of each label each sequence has (N, K)."""
        return self._tabulate(self.begins | self.changes)

    @cached_property
    def first(self) -> Ints:
        """Where each label first stands in each sequence (N, K); past every end if nowhere."""
        found = np.full((len(self.gold), len(self.labels)), np.iinfo(np.int64).max)
        np.minimum.at(found, (self.owner, self.flat), self._offsets)
        return found

    @cached_property
    def last(self) -> Ints:
        """Where each label last stands in each sequence (N, K); -1 if nowhere."""
        found = np.full((len(self.gold), len(self.labels)), -1)
        np.maximum.at(found, (self.owner, self.flat), self._offsets)
        return found

    @cached_property
    def starts(self) -> Ints:
        """The first label of each sequence (N,)."""
        return self.flat[self.begins]

    @cached_property
    def ends(self) -> Ints:
        """The last label of each sequence (N,)."""
        return self.flat[np.roll(self.begins, -1)]

    @cached_property
    def steps(self) -> Ints:
        """How often label j follows label i (K, K)."""
        found = np.zeros((len(self.labels),) * 2, dtype=np.int64)
        inside = ~self.begins[1:]
        np.add.at(found, (self.flat[:-1][inside], self.flat[1:][inside]), 1)
        return found

    @cached_property
    def runs(self) -> tuple[Ints, Ints]:
        """The label and the length of every segment."""
        starts = np.flatnonzero(self.begins | self.changes)
        return self.flat[starts], np.diff(np.append(starts, len(self.flat)))

    def lengths(self, place: int) -> Ints:
        """The lengths of all segments of a label."""
        lengths, ends = self._lengths
        return lengths[ends[place] : ends[place + 1]]

    @cached_property
    def _lengths(self) -> tuple[Ints, Ints]:
        of, lengths = self.runs
        order = np.argsort(of, kind="stable")
        ends = np.searchsorted(of[order], np.arange(len(self.labels) + 1))
        return lengths[order], ends.astype(np.int64)

    @cached_property
    def _offsets(self) -> Ints:
        here = np.arange(len(self.flat))
        return here - here[self.begins][self.owner]

    def _tabulate(self, which: Bools) -> Ints:
        found = np.zeros((len(self.gold), len(self.labels)), dtype=np.int64)
        np.add.at(found, (self.owner[which], self.flat[which]), 1)
        return found
