"""Several taggers' trellises as one: a column for each tuple of theirs that stands for the same label."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from lawful.errors import MachineError
from lawful.labels import LabelSet
from lawful.lattice import Columns, Lattice, TagLattice, Transitions
from lawful.lattice.arrays import Floats

__all__ = ["MOST_CACHED", "MOST_COLUMNS", "MergedColumns"]

Bools = npt.NDArray[np.bool_]
Ints = npt.NDArray[np.int64]
Tuple = tuple[int, ...]

MOST_COLUMNS = 512  # more, and a graph of the states that a sequence reaches is smaller
MOST_CACHED = 8


class _Reading(NamedTuple):
    """How the trellis of one tagger is read: for each of its columns the tag and the label, and which may follow each other."""

    tag_of: Ints
    label_of: Ints
    steps: Bools | None
    first: Bools | None
    last: Bools | None

    @classmethod
    def of(cls, lattice: Lattice | TagLattice, labels: LabelSet) -> _Reading:
        if isinstance(lattice, Lattice):
            read = np.array([labels.index(label) for label in lattice.labels])
            return cls(np.arange(len(read)), read, None, None, None)
        columns = lattice.columns
        names = np.array([labels.index(label) for label in columns.labels])
        tag_of = columns.tag_of.astype(np.int64)
        return cls(tag_of, names[columns.label_of], columns.steps, columns.first, columns.last)

    def standing_for(self, label: int, after: int | None) -> list[int]:
        """The columns that stand for a label and may come after a column, or first."""
        allowed = self.label_of == label
        rest = self.first if after is None else None if self.steps is None else self.steps[after]
        return np.flatnonzero(allowed if rest is None else allowed & rest).tolist()


class MergedColumns:
    """Makes the trellis of a log-linear vote from those of taggers in different encodings.

    A path of the vote is a path of each tagger, all of which spell the same labels. So a label sequence has the weighted sum of what
    each tagger's best tags for it score, and the compiled engine finds the best one, under rules too.

    Parameters
    ----------
    lattices : sequence of Lattice or TagLattice
        What the taggers say of any sequence: the others to come must be over the same columns.
    weights : sequence of float
        Above 0.
    labels : LabelSet
        The canonical labels.

    Raises `MachineError` if that would take more than `MOST_COLUMNS` columns, or if there is nothing on which all of them have a say.

    Examples
    --------
    >>> import lawful
    >>> from lawful.encodings import ComposedLattices, scheme_encoding
    >>> labels = lawful.LabelSet(["B", "I", "O"])
    >>> first = lawful.Lattice([[0.0, 1.0, 0.0], [0.0, 3.0, 1.0]], labels=labels)
    >>> tags = lawful.Lattice([[2.0, 0.0, 1.0], [0.0, 0.0, 4.0]], labels=["E", "I", "O"])
    >>> second = ComposedLattices(scheme_encoding("IOB1", "IOE2"), tags.labels)(tags)
    >>> vote = MergedColumns([first, second], [0.5, 0.5], labels)([first, second])
    >>> len(vote.columns), lawful.decode(vote)
    (5, Decoding(['I', 'O'], score=4, status='optimal'))
    """

    def __init__(
        self, lattices: Sequence[Lattice | TagLattice], weights: Sequence[float], labels: LabelSet
    ) -> None:
        self._weights = np.asarray(weights, dtype=np.float64)
        self._readings = [_Reading.of(lattice, labels) for lattice in lattices]
        tuples, following = self._reachable(len(labels))
        steps = np.zeros((len(tuples), len(tuples)), dtype=np.bool_)
        for source, targets in enumerate(following):
            steps[source, targets] = True
        members = np.array(tuples, dtype=np.int64)
        # Taggers that write tags late guess what is to come: where their guesses differ, nothing does.
        going_on = _completable(steps, self._all("last", members))
        if not going_on.any():
            raise MachineError("the taggers have no label sequence in common")
        members, steps = members[going_on], steps[np.ix_(going_on, going_on)]
        order = np.argsort(self._readings[0].label_of[members[:, 0]], kind="stable")  # as `Columns` puts them
        self._members, steps = members[order], steps[np.ix_(order, order)]
        self._tags = [
            reading.tag_of[column] for reading, column in zip(self._readings, self._members.T, strict=True)
        ]
        self._names = LabelSet([str(number) for number in range(len(members))])
        read = labels.decode(self._readings[0].label_of[self._members[:, 0]])
        self.columns = Columns(
            zip(self._names, read, strict=True),
            tags=self._names,
            labels=labels,
            steps=steps,
            first=self._all("first", self._members),
            last=self._all("last", self._members),
        )
        self._kept: dict[Tuple, tuple[object, Transitions]] = {}

    def _reachable(self, labels: int) -> tuple[list[Tuple], list[list[int]]]:
        """The tuples of columns that something leads to, and by number what may follow each."""
        number: dict[Tuple, int] = {}
        queue: list[Tuple] = []

        def numbered(tuples: Iterator[Tuple]) -> list[int]:
            found = []
            for one in tuples:
                if one not in number:
                    if len(number) >= MOST_COLUMNS:
                        raise MachineError(f"the trellis of the vote has more than {MOST_COLUMNS} columns")
                    number[one] = len(number)
                    queue.append(one)
                found.append(number[one])
            return found

        def after(columns: Sequence[int | None]) -> Iterator[Tuple]:
            for label in range(labels):
                yield from product(
                    *(
                        reading.standing_for(label, column)
                        for reading, column in zip(self._readings, columns, strict=True)
                    )
                )

        numbered(after([None] * len(self._readings)))
        if not number:
            raise MachineError("the taggers have no label in common that a sequence may begin with")
        following = [numbered(after(columns)) for columns in queue]  # which grows meanwhile
        return queue, following

    def _all(self, which: str, members: Ints) -> Bools:
        allowed = np.ones(len(members), dtype=np.bool_)
        for reading, column in zip(self._readings, members.T, strict=True):
            of_reading: Bools | None = getattr(reading, which)
            if of_reading is not None:
                allowed &= of_reading[column]
        return allowed

    def __call__(self, lattices: Sequence[Lattice | TagLattice]) -> TagLattice:
        """The lattice of the vote on one sequence."""
        scores = [lattice.tags if isinstance(lattice, TagLattice) else lattice for lattice in lattices]
        emissions = self._sum(
            [of.emissions.take(tag, axis=1) for of, tag in zip(scores, self._tags, strict=True)]
        )
        for lattice, column in zip(lattices, self._members.T, strict=True):
            mask = lattice.mask if type(lattice) is TagLattice else None
            if mask is not None:
                emissions[~mask[:, column]] = -np.inf
        first = lattices[0]
        trellis = Lattice(
            emissions,
            self._steps(scores),
            labels=self._names,
            start=self._ends([of.start for of in scores]),
            end=self._ends([of.end for of in scores]),
            tokens=first.tokens,
            context=first.context,
        )
        return TagLattice(trellis, self.columns)

    def _sum(self, parts: list[Floats]) -> Floats:
        total: Floats = self._weights[0] * parts[0]
        for weight, part in zip(self._weights[1:], parts[1:], strict=True):
            total = total + weight * part  # all weights are above 0: what one forbids stays forbidden
        return total

    def _ends(self, scores: list[Floats | None]) -> Floats | None:
        if all(of is None for of in scores):
            return None
        size = len(self._members)
        return self._sum(
            [np.zeros(size) if of is None else of[tag] for of, tag in zip(scores, self._tags, strict=True)]
        )

    def _steps(self, scores: list[Lattice]) -> Transitions | Floats | None:
        """Transitions that sequences share are combined once."""
        shared = [of.shared_transitions for of in scores]
        key = tuple(map(id, shared))
        if key in self._kept:
            return self._kept[key][1]
        if all(steps is None for steps in shared):
            return None
        parts = [
            np.zeros((len(tag), len(tag))) if steps is None else steps.scores[..., tag[:, None], tag]
            for steps, tag in zip(shared, self._tags, strict=True)
        ]
        total = self._sum(parts)
        if total.ndim > 2:  # steps of one sequence only
            return total
        if len(self._kept) >= MOST_CACHED:
            self._kept.pop(next(iter(self._kept)))
        combined = Transitions(total, labels=self._names)
        self._kept[key] = shared, combined  # which stay alive, so that their ids stay their own
        return combined


def _completable(steps: Bools, last: Bools) -> Bools:
    """The columns from which some way leads to one that may be the last."""
    found = last
    while True:
        more = found | (steps @ found)
        if (more == found).all():
            return found
        found = more
