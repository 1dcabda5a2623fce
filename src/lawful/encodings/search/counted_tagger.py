"""Trying encodings with a hidden Markov model: tokens are numbered once, and a trial is a few counts."""

from __future__ import annotations

from typing import NamedTuple

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

    def predict(self, encoding: Encoding) -> list[list[str]]:
        """The labels of the held-out data."""
        labels, gold = seen_tags(self.train, encoding)
        size = len(labels)
        groups = backoff_groups(labels, self.model.backoff)
        start, steps, end = self.model.estimate_chain(*count_labels(self._flat, gold, size))
        totals = np.bincount(gold, minlength=size).astype(np.float64)
        emissions: Floats = np.zeros((int(self.held_out.offsets[-1]), size))
        for table in self._tables:
            emissions += table.scores(gold, totals, groups)
        return best_labels(self.held_out, encoding, TagScores(labels, emissions, steps, start, end))


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
    where: Ints  # training tokens, and rare ones once more for their class
    row_at: Ints
    rare: Ints  # training tokens that count twice
    size: int
    smoothing: float

    @classmethod
    def of(cls, vocabulary: Vocabulary, ids: Ints, asked: Ints, smoothing: float) -> _Table:
        used, row_of = np.unique(asked, return_inverse=True)
        row = np.full(vocabulary.size, -1, dtype=np.int64)
        row[used] = np.arange(len(used))
        words = len(vocabulary.words)
        class_of = np.append(vocabulary.class_of, np.full(vocabulary.size - words, -1))
        rare = np.flatnonzero(class_of[ids] >= 0)
        where = np.concatenate([np.arange(len(ids)), rare])
        row_at = row[np.concatenate([ids, words + class_of[ids[rare]]])]
        shown = row_at >= 0
        return cls(
            len(used), row_of.reshape(-1), where[shown], row_at[shown], rare, vocabulary.size, smoothing
        )

    def scores(self, gold: Ints, totals: Floats, groups: Floats | None) -> Floats:
        """(held-out tokens, K): log-probabilities of the tokens' symbols."""
        size = len(totals)
        counted = np.bincount(self.row_at * size + gold[self.where], minlength=self.rows * size)
        counts = counted.reshape(self.rows, size).astype(np.float64)
        totals = totals + np.bincount(gold[self.rare], minlength=size)
        estimates = self._shares(counts, totals)
        if groups is not None:
            pooled = self._shares(counts @ groups.T, totals @ groups.T)
            estimates = (estimates + pooled @ groups) / (1 + groups.sum(axis=0))
        scores: Floats = log(estimates)[self.row_of]
        return scores

    def _shares(self, counts: Floats, totals: Floats) -> Floats:
        added, of = counts + self.smoothing, totals + self.smoothing * self.size
        shares: Floats = np.divide(added, of, out=np.zeros_like(added), where=of > 0)
        return shares
