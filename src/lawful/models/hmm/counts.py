"""The counts that an HMM is estimated from, observed or expected."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from lawful.errors import InputError
from lawful.labels import LabelSet
from lawful.lattice.arrays import Floats
from lawful.models.hmm.emission import Vocabulary

__all__ = ["Counts", "Flat", "count", "count_labels", "flatten"]

Ints = npt.NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Counts:
    """How often labels start, follow each other, end, and emit each symbol. Counts may be fractional.

    Attributes
    ----------
    start, end : array (K,)
    transitions : array (K, K)
        `[i, j]`: label j after label i.
    emissions : tuple of arrays (symbols, K)
        One for each emission: the words, the classes of unknown words, and all others.
    """

    start: Floats
    transitions: Floats
    end: Floats
    emissions: tuple[Floats, ...]

    def plus(self, other: Counts, times: float = 1.0) -> Counts:
        """The sum with other counts over the same labels and vocabularies, multiplied by `times`."""
        return Counts(
            self.start + times * other.start,
            self.transitions + times * other.transitions,
            self.end + times * other.end,
            tuple(
                mine + times * theirs for mine, theirs in zip(self.emissions, other.emissions, strict=True)
            ),
        )


@dataclass(frozen=True, eq=False)
class Flat:
    """Sequences one after another in flat arrays: where each begins, and the symbols of all tokens.

    Attributes
    ----------
    offsets : int array (N + 1,)
    symbols : tuple of int arrays (M,)
        One for each emission.
    """

    offsets: Ints
    symbols: tuple[Ints, ...]

    @property
    def firsts(self) -> Ints:
        """The index of the first token of each sequence."""
        return self.offsets[:-1]

    @property
    def lasts(self) -> Ints:
        """The index of the last token of each sequence."""
        return self.offsets[1:] - 1

    @property
    def lengths(self) -> Ints:
        """The number of tokens of each sequence."""
        return np.diff(self.offsets)


def flatten(sequences: Sequence[Sequence[Any]], vocabularies: Sequence[Vocabulary]) -> Flat:
    """Sequences as numbers. None of them may be empty.

    Examples
    --------
    >>> from lawful.models.hmm.emission import Emission
    >>> flat = flatten([["a"], ["b", "a"]], [Vocabulary.of(Emission(), [["a", "b"]])])
    >>> flat.offsets.tolist(), flat.symbols[0].tolist()
    ([0, 1, 3], [0, 1, 0])
    """
    offsets = np.zeros(len(sequences) + 1, dtype=np.int64)
    np.cumsum([len(tokens) for tokens in sequences], out=offsets[1:])
    return Flat(offsets, tuple(vocabulary.ids(sequences) for vocabulary in vocabularies))


def count(
    flat: Flat,
    y: Sequence[Sequence[str]],
    labels: LabelSet,
    vocabularies: Sequence[Vocabulary],
    weights: Floats | None = None,
) -> Counts:
    """The counts of labelled sequences.

    Parameters
    ----------
    weights : array (N,), optional
        How much each sequence counts; 1 if not given.

    Examples
    --------
    >>> from lawful.models.hmm.emission import Emission
    >>> words = [Vocabulary.of(Emission(), [["a", "b"]])]
    >>> counts = count(flatten([["a", "b"]], words), [["X", "Y"]], LabelSet(["X", "Y"]), words)
    >>> counts.transitions.tolist(), counts.emissions[0].tolist()
    ([[0.0, 1.0], [0.0, 0.0]], [[1.0, 0.0], [0.0, 1.0], [0.0, 0.0]])
    """
    gold = np.array([number for sequence in y for number in labels.encode(sequence)], dtype=np.int64)
    start, transitions, end = count_labels(flat, gold, len(labels), _checked(flat, weights))
    heavy = None if weights is None else np.repeat(weights, flat.lengths)
    return Counts(
        start,
        transitions,
        end,
        tuple(
            _tally(ids * len(labels) + gold, heavy, words.size * len(labels)).reshape(-1, len(labels))
            for ids, words in zip(flat.symbols, vocabularies, strict=True)
        ),
    )


def _checked(flat: Flat, weights: Floats | None) -> Floats | None:
    fits = weights is None or (
        weights.shape == flat.lengths.shape and np.all((weights >= 0) & np.isfinite(weights))
    )
    if not fits:
        raise InputError(
            f"sample_weight must be {len(flat.lengths)} finite numbers of 0 or more, one per sequence"
        )
    return weights


def count_labels(
    flat: Flat, gold: Ints, size: int, weights: Floats | None = None
) -> tuple[Floats, Floats, Floats]:
    """How often each of `size` labels starts a sequence (K,), follows each other one (K, K), and ends it (K,).

    Examples
    --------
    >>> start, transitions, _ = count_labels(Flat(np.array([0, 2]), ()), np.array([0, 1]), 2)
    >>> start.tolist(), transitions.tolist()
    ([1.0, 0.0], [[0.0, 1.0], [0.0, 0.0]])
    """
    inside = np.ones(len(gold), dtype=bool)
    inside[flat.lasts] = False
    before = np.flatnonzero(inside)
    pairs = gold[before] * size + gold[before + 1]
    heavy = None if weights is None else np.repeat(weights, flat.lengths)[before]
    return (
        _tally(gold[flat.firsts], weights, size),
        _tally(pairs, heavy, size * size).reshape(size, size),
        _tally(gold[flat.lasts], weights, size),
    )


def _tally(numbers: Ints, weights: Floats | None, size: int) -> Floats:
    return np.bincount(numbers, weights, size).astype(np.float64, copy=False)
