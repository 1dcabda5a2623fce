"""Trying encodings with a hidden Markov model: tokens are numbered once, and a trial is a few counts."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from functools import partial
from hashlib import blake2b
from typing import Generic, NamedTuple, TypeVar

import numpy as np
import numpy.typing as npt

from lawful.encodings.encoding import Encoding
from lawful.encodings.search.encodable import EncodableCorpus, Labelled
from lawful.encodings.search.flat_decoding import TagScores, best_labels
from lawful.labels import LabelSet
from lawful.lattice.arrays import Floats
from lawful.models.hmm.counts import count_labels
from lawful.models.hmm.emission import Vocabulary
from lawful.models.hmm.estimates import backoff_groups, log
from lawful.models.hmm.model import HMM

__all__ = ["CountedTagger", "seen_tags"]

Ints = npt.NDArray[np.int64]
T = TypeVar("T")

# Of tags in one encoding or another, the scores of all held-out tokens; where there is back-off also their probabilities.
MOST_COLUMNS, MOST_ESTIMATES = 400, 100


class CountedTagger:
    """Trains an HMM in one encoding after another, and labels held-out data; the same as `Encoded` would.

    Examples
    --------
    >>> from lawful.encodings import identity_encoding
    >>> data = Labelled([["a", "b"]], [["A", "B"]])
    >>> CountedTagger(HMM(), data, data).predict(identity_encoding(["A", "B"]))
    [['A', 'B']]
    """

    def __init__(self, model: HMM, train: Labelled, held_out: Labelled) -> None:
        self.model = model
        self.train = EncodableCorpus(train.tokens, train.labels)
        self.held_out = EncodableCorpus(held_out.tokens, held_out.labels)
        model = model.unfitted().prepare(train.tokens, ["any"])
        self._flat, seen = model.flatten(train.tokens), model.flatten(held_out.tokens)
        self._tables = [
            _Table.of(vocabulary, ids, asked, model.smoothing_of(vocabulary.emission))
            for vocabulary, ids, asked in zip(
                model.vocabularies_, self._flat.symbols, seen.symbols, strict=True
            )
        ]

        self._forget()

    def _forget(self) -> None:
        self._columns = _Kept[Floats](MOST_COLUMNS)
        self._estimates = _Kept[list[Floats]](MOST_ESTIMATES)

    def smooth(self, smoothing: float) -> None:
        """Add another number to all counts of emissions from now on; nothing is read again."""
        self._tables = [table._replace(smoothing=smoothing) for table in self._tables]
        self._forget()

    def predict(self, encoding: Encoding) -> list[list[str]]:
        """The labels of the held-out data."""
        labels, gold = seen_tags(self.train, encoding)
        size = len(labels)
        groups = backoff_groups(labels, self.model.backoff)
        start, steps, end = self.model.estimate_chain(*count_labels(self._flat, gold, size))
        members = [_Members.of(gold == label) for label in range(size)]
        pooled = [_Members.of(group[gold] > 0) for group in (() if groups is None else groups)]
        emissions: Floats = np.empty((int(self.held_out.offsets[-1]), size))
        for label, own in enumerate(members):
            inside = [] if groups is None else [pooled[at] for at in np.flatnonzero(groups[:, label])]
            emissions[:, label] = self._column(own, inside)
        return best_labels(self.held_out, encoding, TagScores(labels, emissions, steps, start, end))

    def _column(self, own: _Members, groups: list[_Members]) -> Floats:
        """(held-out tokens,): what a tag emits; it depends only on the tokens that have it, and on those of its groups."""

        def make() -> Floats:
            if not groups:
                return self._emitted([table.shares(own.tokens) for table in self._tables])
            known = [self._estimates.find(part.key, partial(self._shares, part)) for part in (own, *groups)]
            # Added up as `smooth_emissions` does it: ties stay ties.
            return self._emitted(
                [(of_own + sum(pooled)) / len(known) for of_own, *pooled in zip(*known, strict=True)]
            )

        return self._columns.find(b"|".join(part.key for part in (own, *groups)), make)

    def _shares(self, part: _Members) -> list[Floats]:
        return [table.shares(part.tokens) for table in self._tables]

    def _emitted(self, shares: list[Floats]) -> Floats:
        total = np.zeros(int(self.held_out.offsets[-1]))
        for table, of_table in zip(self._tables, shares, strict=True):
            total += log(of_table)[table.row_of]
        return total


class _Members(NamedTuple):
    """The training tokens that have a tag, or a tag of a group; a move changes few of them."""

    tokens: Ints
    key: bytes

    @classmethod
    def of(cls, which: npt.NDArray[np.bool_]) -> _Members:
        return cls(np.flatnonzero(which), blake2b(np.packbits(which).tobytes(), digest_size=20).digest())


class _Kept(Generic[T]):
    """What was made lately."""

    def __init__(self, most: int) -> None:
        self._most, self._kept = most, OrderedDict[bytes, T]()

    def find(self, key: bytes, make: Callable[[], T]) -> T:
        """What was made for the key, or is made now."""
        if key in self._kept:
            self._kept.move_to_end(key)
            return self._kept[key]
        self._kept[key] = made = make()
        if len(self._kept) > self._most:
            self._kept.popitem(last=False)
        return made


def seen_tags(corpus: EncodableCorpus, encoding: Encoding) -> tuple[LabelSet, Ints]:
    """The tags that a corpus shows in an encoding, in the order in which models number them, and those of all tokens.

    Examples
    --------
    >>> from lawful.encodings import identity_encoding
    >>> seen_tags(EncodableCorpus([["x", "x"]], [["C", "A"]]), identity_encoding(["A", "B", "C"]))
    (LabelSet(['A', 'C']), array([1, 0]))
    """
    tags = corpus.tags(encoding)
    seen = np.unique(tags)
    names = LabelSet(sorted(encoding.tags[int(tag)] for tag in seen))
    numbers = np.zeros(len(encoding.tags), dtype=np.int64)
    numbers[seen] = [names.index(encoding.tags[int(tag)]) for tag in seen]
    return names, numbers[tags]


class _Table(NamedTuple):
    """One emission: only the rows of symbols that the held-out data show, and what all rows add up to."""

    rows: int
    row_of: Ints  # of each held-out token
    row_at: Ints  # of each training token; `rows` if the held-out data do not show its symbol
    class_at: Ints  # the same of the class of unknown words of training tokens that are rare
    rare: npt.NDArray[np.bool_]  # training tokens that count twice, for their class too
    size: int
    smoothing: float

    @classmethod
    def of(cls, vocabulary: Vocabulary, ids: Ints, asked: Ints, smoothing: float) -> _Table:
        used, row_of = np.unique(asked, return_inverse=True)
        rows = len(used)
        row = np.full(vocabulary.size, rows, dtype=np.int64)
        row[used] = np.arange(rows)
        words = len(vocabulary.words)
        class_of = np.append(vocabulary.class_of, np.full(vocabulary.size - words, -1))[ids]
        rare = class_of >= 0
        class_at = np.where(rare, row[words + np.maximum(class_of, 0)], rows)
        return cls(rows, row_of.reshape(-1), row[ids], class_at, rare, vocabulary.size, smoothing)

    def shares(self, tokens: Ints) -> Floats:
        """(rows,): the probability of each symbol, given a tag that these training tokens have."""
        both = np.concatenate([self.row_at[tokens], self.class_at[tokens]])
        counts: Floats = np.bincount(both, minlength=self.rows + 1)[: self.rows].astype(np.float64)
        total = len(tokens) + int(self.rare[tokens].sum()) + self.smoothing * self.size
        shares: Floats = (counts + self.smoothing) / total if total else np.zeros(self.rows)
        return shares
