"""The labels of a batch as numbers: without rules, with rules, and the gold ones, side by side."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from lawful.decoding import Decoding, Decodings
from lawful.errors import UnknownLabelError
from lawful.labels import LabelSet, number_labels
from lawful.lattice import AnyLattice
from lawful.rules.compiled_rules import CompiledRules
from lawful.rules.counting_many import count_many, count_seen

__all__ = ["LabelNumbers", "NumberedBatch", "NumberedLabels", "count_violations", "number_batch"]

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
    tokens: Ints = np.array(
        [-1 if lattice.length is None else lattice.length for lattice in lattices], dtype=np.int64
    )
    before, after = _numbered(plain, tokens), _numbered(ruled, tokens)
    known = [labels for labels in gold if labels is not None]
    right = numbers.read(known) if len(known) == len(gold) else None
    if np.array_equal(before.lengths, after.lengths):
        changed = before.any_in_each(before.flat != after.flat)
    else:
        changed = np.array([old != new for old, new in zip(plain.labels, ruled.labels, strict=True)])
    return NumberedBatch(before, after, right, changed, tokens)


def count_violations(
    numbers: LabelNumbers,
    batch: NumberedBatch,
    compiled: CompiledRules,
    ruled: Decodings,
    lattices: Sequence[AnyLattice],
) -> Ints:
    """How often the labels of each sequence without rules, with rules, and the gold ones violate each rule: (N, 3, R)."""
    counts = np.zeros((len(lattices), 3, len(compiled.names)), dtype=np.int64)
    sides, names = batch.sides, numbers.names
    # The paths of a graph may differ in length, a limit may have come before any answer, and a model need not know all labels.
    plain = batch.alike & (batch.before.lengths == batch.tokens)
    if batch.gold is not None:
        plain &= ~batch.gold.any_in_each(batch.gold.flat >= numbers.known)
    # What did not change is counted once, and what is out of the ordinary not here.
    wanted = np.array([plain, plain & batch.changed, plain][: len(sides)]).T
    rows, side = np.nonzero(wanted)
    starts = np.array([labels.starts for labels in sides]).T
    ends_of_sides = np.cumsum([0, *(len(labels.flat) for labels in sides)])
    lengths = batch.before.lengths
    flat = _pick(
        np.concatenate([labels.flat for labels in sides]),
        starts[rows, side] + ends_of_sides[side],
        lengths[rows],
    )
    paths, times = flat.astype(np.int32), wanted.sum(axis=1)
    if ruled.seen is not None:  # then nobody need look at them again
        found = count_seen(
            compiled, ruled.seen, lambda n: (lattices[n].tokens, lattices[n].context), lengths, paths, times
        )
    else:
        some = [lattices[index] for index in np.flatnonzero(plain).tolist()]
        tokens, contexts = [lattice.tokens for lattice in some], [lattice.context for lattice in some]
        found = count_many(compiled, tokens, contexts, lengths[plain], paths, times[plain])
    counts[rows, side] = found
    same = plain & ~batch.changed
    counts[same, 1] = counts[same, 0]
    for index in np.flatnonzero(~plain).tolist():
        for place, labels in enumerate(sides):
            start = int(labels.starts[index])
            of_sequence = labels.flat[start : start + int(labels.lengths[index])].tolist()
            counts[index, place] = _count_alone(ruled[index], [names[label] for label in of_sequence])
    return counts


def _numbered(decodings: Decodings, lengths: Ints) -> NumberedLabels:
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
    try:
        return decoding.bound_rules.count(labels)
    except UnknownLabelError:  # one that the model does not know: no machine reads it
        counts = decoding.rules.violations(labels, lattice.tokens, lattice.context, label_set=lattice.labels)
        return np.array(list(counts.values()), dtype=np.int64)
