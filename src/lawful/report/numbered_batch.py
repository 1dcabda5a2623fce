"""The labels of a batch as numbers: without rules, with rules, and the gold ones, side by side."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from lawful.decoding import Decoding, Decodings
from lawful.labels import LabelSet, number_labels
from lawful.lattice import AnyLattice
from lawful.rules.compiled_rules import CompiledRules
from lawful.rules.counting_many import count_seen, see_many

__all__ = [
    "LabelNumbers",
    "NumberedBatch",
    "NumberedLabels",
    "count_violations",
    "number_batch",
    "numbers_of",
    "path_lengths",
]

Ints = npt.NDArray[np.int64]


class LabelNumbers:
    """A number for every label: those of a model in their order, and then the ones that it does not know.

    Examples
    --------
    >>> numbers = LabelNumbers(LabelSet(["A", "B"]))
    >>> numbers.read([("B", "?"), ("A",)]).flat.tolist(), numbers.names
    ([1, 2, 0], ['A', 'B', '?'])
    """

    def __init__(self, labels: LabelSet) -> None:
        self.known = len(labels)
        self._number = {label: number for number, label in enumerate(labels)}

    @property
    def names(self) -> list[str]:
        """The labels, by number."""
        return list(self._number)

    def read(self, labellings: Sequence[Sequence[str]]) -> NumberedLabels:
        """Labels as numbers."""
        lengths = np.array(list(map(len, labellings)), dtype=np.int64)
        try:
            return NumberedLabels(number_labels(self._number, labellings), lengths)
        except KeyError:
            for label in dict.fromkeys(chain.from_iterable(labellings)):
                self._number.setdefault(label, len(self._number))
            return self.read(labellings)


class NumberedLabels(NamedTuple):
    """The labels of N sequences, end to end, and how many each sequence has."""

    flat: Ints
    lengths: Ints

    @property
    def starts(self) -> Ints:
        """Where each sequence begins."""
        return np.cumsum(self.lengths) - self.lengths

    def some(self, sequences: Ints) -> NumberedLabels:
        """Those of some of the sequences.

        Examples
        --------
        >>> NumberedLabels(np.array([5, 6, 7, 8]), np.array([1, 2, 1])).some(np.array([1])).flat.tolist()
        [6, 7]
        """
        lengths = self.lengths[sequences]
        return NumberedLabels(_pick(self.flat, self.starts[sequences], lengths), lengths)

    def differs(self, other: NumberedLabels) -> npt.NDArray[np.bool_]:
        """Whether each sequence has other labels there.

        Examples
        --------
        >>> one, other = NumberedLabels(np.array([5, 6]), np.array([1, 1])), NumberedLabels(np.array([5]), np.array([1, 0]))
        >>> one.differs(other).tolist()
        [False, True]
        """
        if np.array_equal(self.lengths, other.lengths):
            return self.any_in_each(self.flat != other.flat)
        cut = [np.split(labels.flat, labels.starts[1:]) for labels in (self, other)]
        return np.array([not np.array_equal(ours, theirs) for ours, theirs in zip(*cut, strict=True)])

    def any_in_each(self, which: npt.NDArray[np.bool_]) -> npt.NDArray[np.bool_]:
        """Of each sequence, whether something holds for one of its labels."""
        owner = np.repeat(np.arange(len(self.lengths)), self.lengths)
        return np.bincount(owner[which], minlength=len(self.lengths)) > 0


class NumberedBatch(NamedTuple):
    """The labels of N sequences.

    Attributes
    ----------
    before, after : NumberedLabels
        Without rules, and with rules.
    gold : NumberedLabels or None
        None if some sequence has no gold labels.
    changed : bool array (N,)
    tokens : int array (N,)
        The length of each lattice; -1 for a graph whose paths differ in length.
    """

    before: NumberedLabels
    after: NumberedLabels
    gold: NumberedLabels | None
    changed: npt.NDArray[np.bool_]
    tokens: Ints

    @property
    def sides(self) -> list[NumberedLabels]:
        """Those that there are, in order."""
        return [self.before, self.after, *([] if self.gold is None else [self.gold])]

    @property
    def alike(self) -> npt.NDArray[np.bool_]:
        """Whether a sequence has as many labels on every side."""
        alike = np.ones(len(self.changed), dtype=np.bool_)
        for side in self.sides:
            alike &= side.lengths == self.before.lengths
        return alike


def number_batch(
    numbers: LabelNumbers,
    lattices: Sequence[AnyLattice],
    plain: Decodings,
    ruled: Decodings,
    gold: Sequence[Sequence[str] | None],
) -> NumberedBatch:
    """The labels of a batch that was decoded without rules and with them."""
    tokens = path_lengths(lattices)
    before, after = numbers_of(plain, tokens), numbers_of(ruled, tokens)
    known = [labels for labels in gold if labels is not None]
    right = numbers.read(known) if len(known) == len(gold) else None
    return NumberedBatch(before, after, right, before.differs(after), tokens)


def count_violations(
    numbers: LabelNumbers,
    batch: NumberedBatch,
    compiled: CompiledRules,
    ruled: Decodings,
    lattices: Sequence[AnyLattice],
) -> Ints:
    """How often the labels of each sequence without rules, with rules, and the gold ones violate each rule: (N, 3, R)."""
    counts = np.zeros((len(lattices), 3, len(compiled.names)), dtype=np.int64)
    sides, names, lengths = batch.sides, numbers.names, batch.before.lengths
    # The paths of a graph may differ in length, and a limit may have come before any answer.
    usual = batch.alike & (lengths == batch.tokens)
    # What did not change is counted once; a gold label that the model does not know is read by no machine.
    wanted = [usual, usual & batch.changed, usual]
    if batch.gold is not None:
        wanted[2] = usual & ~batch.gold.any_in_each(batch.gold.flat >= numbers.known)
    among = np.arange(len(lattices)) if ruled.seen is not None else np.flatnonzero(usual)

    def look_at(place: int) -> tuple[Sequence[Any] | None, Mapping[str, Any]]:
        lattice = lattices[among[place]]
        return lattice.tokens, lattice.context

    seen = ruled.seen  # by the decoder: then nobody need look again
    if seen is None:
        tokens, contexts = zip(*map(look_at, range(len(among))), strict=True) if len(among) else ((), ())
        seen = see_many(compiled, list(tokens), list(contexts), lengths[among])
    for side, (labels, which) in enumerate(zip(sides, wanted[: len(sides)], strict=True)):
        paths = labels.flat if which.all() else labels.some(np.flatnonzero(which)).flat
        times = which[among].astype(np.int64)
        counts[which, side] = count_seen(
            compiled, seen, look_at, lengths[among], paths.astype(np.int32), times
        )
    same = usual & ~batch.changed
    counts[same, 1] = counts[same, 0]
    for side, labels in enumerate(sides):
        for index in np.flatnonzero(~(usual if side == 1 else wanted[side])).tolist():
            of_sequence = labels.some(np.array([index])).flat.tolist()
            counts[index, side] = _count_alone(ruled[index], [names[label] for label in of_sequence])
    return counts


def path_lengths(lattices: Iterable[AnyLattice]) -> Ints:
    """How many labels every path of a lattice has; -1 for a graph whose paths differ in length."""
    lengths = (lattice.length for lattice in lattices)
    return np.array([-1 if length is None else length for length in lengths], dtype=np.int64)


def numbers_of(decodings: Decodings, lengths: Ints) -> NumberedLabels:
    """The labels of answers, where each token of sequences of these lengths has one."""
    if (lengths < 0).any() or set(decodings.statuses) != {"optimal"}:
        lengths = np.array(list(map(len, decodings.labels)), dtype=np.int64)
    return NumberedLabels(decodings.numbers.astype(np.int64), lengths)


def _pick(flat: Ints, starts: Ints, lengths: Ints) -> Ints:
    """Some stretches of an array, end to end.

    Examples
    --------
    >>> _pick(np.arange(9), np.array([7, 1]), np.array([2, 3])).tolist()
    [7, 8, 1, 2, 3]
    """
    total, ends = int(lengths.sum()), np.cumsum(lengths)
    picked: Ints = flat[np.arange(total) + np.repeat(starts - (ends - lengths), lengths)]
    return picked


def _count_alone(decoding: Decoding, labels: Sequence[str]) -> Ints:
    lattice = decoding.lattice
    if all(label in lattice.labels for label in labels):
        return decoding.bound_rules.count(labels)
    # No machine reads a label that the model does not know.
    counts = decoding.rules.violations(labels, lattice.tokens, lattice.context, label_set=lattice.labels)
    return np.array(list(counts.values()), dtype=np.int64)
