"""The columns of a trellis over tags: which tag each is, which label it stands for, and which may follow each other."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from lawful import _core
from lawful.errors import DtypeError, EmptyLabelSetError, LabelSetError, ShapeError
from lawful.labels import LabelSet
from lawful.lattice.arrays import Floats
from lawful.lattice.transitions import Transitions
from lawful.lattice.trellis import Lattice

__all__ = ["Columns"]

MOST_CACHED = 8

Bools = npt.NDArray[np.bool_]


class Columns:
    """How a trellis over tags is read as labels. Frozen; share one among all lattices of a corpus.

    Parameters
    ----------
    pairs : iterable of (tag, label), or mapping from tag to label
        One for each column. A tag that stands now for one label, now for another, has several.
    tags : LabelSet or iterable of str
        The labels of the trellises to come.
    labels : LabelSet or iterable of str
        What the columns stand for.
    steps : bool array (C, C), optional
        Whether the second column may follow the first; any may if not given.
    first, last : bool array (C,), optional
        Whether a sequence may begin, or end, with each.

    Attributes
    ----------
    tag_of, label_of : int32 arrays (C,)
        The tag and the label of each column, by index. Columns are in the order of their labels.

    Examples
    --------
    >>> columns = Columns({"B.1": "B", "B.2": "B", "O": "O"}, tags=["O", "B.1", "B.2"], labels=["B", "O"])
    >>> columns.tag_of.tolist(), columns.label_of.tolist()
    ([1, 2, 0], [0, 0, 1])
    """

    def __init__(
        self,
        pairs: Mapping[str, str] | Iterable[tuple[str, str]],
        *,
        tags: LabelSet | Iterable[str],
        labels: LabelSet | Iterable[str],
        steps: npt.ArrayLike | None = None,
        first: npt.ArrayLike | None = None,
        last: npt.ArrayLike | None = None,
    ) -> None:
        self.tags, self.labels = LabelSet(tags), LabelSet(labels)
        listed = list(pairs.items() if isinstance(pairs, Mapping) else pairs)
        if not listed:
            raise EmptyLabelSetError
        tag_of = np.array(self.tags.encode([tag for tag, _ in listed]), dtype=np.int32)
        label_of = np.array(self.labels.encode([label for _, label in listed]), dtype=np.int32)
        # In the order of labels, so that ties break by it.
        order = np.argsort(label_of, kind="stable")
        self.tag_of, self.label_of = tag_of[order], label_of[order]
        count = len(listed)
        allowed = None if steps is None else _bools(steps, "steps", (count, count))[np.ix_(order, order)]
        self.steps = None if allowed is None or allowed.all() else allowed
        ends = [
            None if ok is None else _bools(ok, name, (count,))[order]
            for name, ok in (("first", first), ("last", last))
        ]
        self.first, self.last = (None if end is None or end.all() else end for end in ends)
        self.reading = _core.Reading(self.label_of, len(self.labels))
        self._spread: OrderedDict[int | None, tuple[Transitions | None, _core.Spreading]] = OrderedDict()

    def __len__(self) -> int:
        return len(self.tag_of)

    @property
    def names(self) -> LabelSet:
        """A name for each column: its tag, with its label if the tag has several."""
        tags, labels = self.tags.decode(self.tag_of), self.labels.decode(self.label_of)
        names: dict[str, None] = {}
        for tag, label in zip(tags, labels, strict=True):
            name = tag if tags.count(tag) == 1 else f"{tag} as {label}"
            number = 1
            while (spelled := name if number == 1 else f"{name} ({number})") in names:
                number += 1
            names[spelled] = None
        return LabelSet(names)

    def require_tags(self, trellis: Lattice) -> None:
        """Refuse a trellis over other tags."""
        if trellis.labels is not self.tags and trellis.labels != self.tags:
            raise LabelSetError(self.tags, trellis.labels)

    def spread(self, trellis: Lattice, mask: Bools | None = None) -> _core.Trellis:
        """A trellis over the tags as one over the columns, for the kernels; columns that are False in the mask (T, C) are forbidden."""
        shared = trellis.shared_transitions
        known = self._spread.get(None if shared is None else id(shared))
        spreading = self._spreading(shared) if known is None else known[1]
        start, end = trellis.start, trellis.end
        if start is None and end is None:
            return spreading(trellis.core, None, None, mask)
        first = None if start is None else self.spread_end(start, self.first)
        last = None if end is None else self.spread_end(end, self.last)
        return spreading(trellis.core, first, last, mask)

    def _spreading(self, shared: Transitions | None) -> _core.Spreading:
        """The columns with the transitions of a trellis. Lattices that share theirs share these."""
        steps = None
        if shared is not None or self.steps is not None:
            steps = Transitions(self.spread_steps(None if shared is None else shared.scores)).core
        first, last = (self.spread_end(None, allowed) for allowed in (self.first, self.last))
        spreading = _core.Spreading(len(self.tags), self.tag_of, steps, first, last, self.reading)
        self._spread[None if shared is None else id(shared)] = (
            shared,
            spreading,
        )  # `shared` stays alive, and its id its own
        if len(self._spread) > MOST_CACHED:
            self._spread.popitem(last=False)
        return spreading

    def spread_steps(self, scores: Floats | None) -> Floats:
        """Scores of steps between tags (K, K) or (T-1, K, K) as those between columns."""
        count = len(self)
        spread = (
            np.zeros((count, count)) if scores is None else scores[..., self.tag_of[:, None], self.tag_of]
        )
        return spread if self.steps is None else np.where(self.steps, spread, -np.inf)

    def spread_end(self, scores: Floats | None, allowed: Bools | None) -> Floats | None:
        """Scores of the first or the last tag (K,) as those of columns; None if there is nothing to say."""
        if scores is None:
            return None if allowed is None else np.where(allowed, 0.0, -np.inf)
        spread: Floats = scores[self.tag_of]
        return spread if allowed is None else np.where(allowed, spread, -np.inf)

    def __reduce__(self) -> tuple[Any, ...]:
        """As data."""
        tags, labels = self.tags.decode(self.tag_of), self.labels.decode(self.label_of)
        pairs = list(zip(tags, labels, strict=True))
        return _columns_again, (pairs, self.tags, self.labels, self.steps, self.first, self.last)

    def __repr__(self) -> str:
        return f"Columns({len(self)} for {len(self.tags)} tags and {len(self.labels)} labels)"


def _columns_again(
    pairs: list[tuple[str, str]],
    tags: LabelSet,
    labels: LabelSet,
    steps: Bools | None,
    first: Bools | None,
    last: Bools | None,
) -> Columns:
    return Columns(pairs, tags=tags, labels=labels, steps=steps, first=first, last=last)


def _bools(values: npt.ArrayLike, name: str, shape: tuple[int, ...]) -> Bools:
    array = np.asarray(values)
    if array.dtype != np.bool_:
        raise DtypeError(name, "True and False", f"dtype {array.dtype}")
    if array.shape != shape:
        raise ShapeError(name, str(shape), array.shape)
    return array
