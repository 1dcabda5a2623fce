"""A trellis over tags that is read as labels: what a model in an output encoding says of a sequence."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from lawful import _core
from lawful.errors import ShapeError
from lawful.labels import LabelSet
from lawful.lattice.arrays import Floats
from lawful.lattice.base import UNLIMITED, Block, ChainLattice
from lawful.lattice.columns import Columns
from lawful.lattice.trellis import Lattice

__all__ = ["TagLattice"]


class _Spread(NamedTuple):
    """The scores of columns, by the definition."""

    emissions: Floats
    transitions: Floats | None
    start: Floats | None
    end: Floats | None


class TagLattice(ChainLattice):
    """The scores of one sequence over tags, each of which stands for a label. Frozen.

    Rules, answers and explanations speak of the labels; the compiled engine searches among the tags. Labels score what
    the best tags score that stand for them.

    Parameters
    ----------
    tags : Lattice
        The scores, over `columns.tags`.
    columns : Columns
        What the tags stand for, and which may follow each other.
    mask : bool array (T, C), optional
        Columns that are False are forbidden at that token.

    Examples
    --------
    Two kinds of A, of which one must follow the other:

    >>> import lawful
    >>> columns = Columns({"A.1": "A", "A.2": "A", "B": "B"}, tags=["A.1", "A.2", "B"], labels=["A", "B"],
    ...     steps=[[False, True, True], [True, False, True], [True, True, True]], first=[True, False, True])
    >>> scores = lawful.Lattice([[1.0, 3.0, 0.0], [1.0, 0.0, 0.5], [1.0, 0.0, 0.5]], labels=["A.1", "A.2", "B"])
    >>> lattice = TagLattice(scores, columns)
    >>> lawful.decode(lattice), lawful.decode(lattice, lawful.at_most(1, "A"))
    (Decoding(['A', 'B', 'A'], score=2.5, status='optimal'), Decoding(['A', 'B', 'B'], score=2, status='optimal'))
    """

    kind = "trellis of tags"
    __slots__ = ("_columns", "_core", "_mask", "_tags")

    def __init__(self, tags: Lattice, columns: Columns, mask: npt.NDArray[np.bool_] | None = None) -> None:
        columns.require_tags(tags)
        self._tags, self._columns, self._mask = tags, columns, mask
        self._core: _core.Trellis | None = None  # made when it is asked for: a vote does without it

    @property
    def tags(self) -> Lattice:
        """The scores of the tags themselves, whether they fit together or not."""
        return self._tags

    @property
    def columns(self) -> Columns:
        """What the tags stand for, and which may follow each other."""
        return self._columns

    @property
    def mask(self) -> npt.NDArray[np.bool_] | None:
        """The columns (T, C) that may stand at each token; None if all may."""
        return self._mask

    @property
    def labels(self) -> LabelSet:
        """The K labels that the tags stand for."""
        return self._columns.labels

    @property
    def tokens(self) -> tuple[Any, ...] | None:
        """The tokens, if they were given."""
        return self._tags.tokens

    @property
    def context(self) -> Mapping[str, Any]:
        """What rules need to know about this sequence, by name; read-only."""
        return self._tags.context

    @property
    def length(self) -> int:
        """The number of tokens T."""
        return self._tags.length

    @property
    def longest(self) -> int:
        """The number of tokens T."""
        return self._tags.length

    @property
    def core(self) -> _core.Trellis:
        """What the kernels use."""
        if self._core is None:
            self._core = self._columns.spread(self._tags, self._mask)
        return self._core

    def with_context(self, context: Mapping[str, Any]) -> TagLattice:
        """The same scores and tokens with another context; the scores are shared, not copied."""
        return self._with_tags(self._tags.with_context(context))

    def with_tokens(self, tokens: Sequence[Any]) -> TagLattice:
        """The same scores and context with other tokens, such as words where a model saw attributes; the scores are shared."""
        return self._with_tags(self._tags.with_tokens(tokens))

    def _with_tags(self, tags: Lattice) -> TagLattice:
        other = object.__new__(TagLattice)
        for name in TagLattice.__slots__:
            setattr(other, name, getattr(self, name))
        other._tags = tags
        return other

    def unscored(self) -> TagLattice:
        """The same paths, each with the score 0: what is possible, whatever it is worth."""
        return TagLattice(self._tags.unscored(), self._columns, self._mask)

    def spread(self) -> Lattice:
        """The same as a trellis with a label for each column, named by its tag.

        Examples
        --------
        >>> columns = Columns({"A.1": "A", "A.2": "A"}, tags=["A.1", "A.2"], labels=["A"])
        >>> TagLattice(Lattice([[0.0, 1.0]], labels=["A.1", "A.2"]), columns).spread().labels
        LabelSet(['A.1', 'A.2'])
        """
        scores = self._spread()
        return Lattice(
            scores.emissions,
            scores.transitions if self.length > 1 else None,
            labels=self._columns.names,
            start=scores.start,
            end=scores.end,
            tokens=self.tokens,
            context=self.context,
        )

    def _spread(self) -> _Spread:
        tags, columns = self._tags, self._columns
        emissions = tags.emissions[:, columns.tag_of]
        if self._mask is not None:
            emissions = np.where(self._mask, emissions, -np.inf)
        some = tags.transitions is not None or columns.steps is not None
        return _Spread(
            emissions,
            columns.spread_steps(tags.transitions) if some else None,
            columns.spread_end(tags.start, columns.first),
            columns.spread_end(tags.end, columns.last),
        )

    def graph(self, *, keep_dead_ends: bool = False, limits: _core.Limits = UNLIMITED) -> _core.Graph:
        """All paths as a graph over the labels, as the kernels take it."""
        return _core.Graph.from_trellis(self.core, keep_dead_ends=keep_dead_ends, limits=limits)

    def to_build(self) -> tuple[int, int]:
        """How many states and arcs `graph` would have to make."""
        length, count = self.length, len(self._columns)
        return 1 + length * count, count + (length - 1) * count * count

    def terms(self, path: npt.NDArray[np.intp]) -> list[float]:
        """What the score of a labelling (T,), given as indices in the label set, adds up along the best of its tags."""
        if len(path) != self.length:
            raise ShapeError("labels", f"({self.length},), one for each token", path.shape)
        best = self._best_tags(path)
        return [-np.inf] if best is None else self._tags.terms(self._columns.tag_of[best].astype(np.intp))

    def tags_of(self, labels: Sequence[str]) -> tuple[str, ...] | None:
        """The best tags that stand for labels; None if there are none.

        Examples
        --------
        >>> columns = Columns({"A.1": "A", "A.2": "A"}, tags=["A.1", "A.2"], labels=["A"])
        >>> TagLattice(Lattice([[0.0, 1.0]], labels=["A.1", "A.2"]), columns).tags_of(["A"])
        ('A.2',)
        """
        best = self._best_tags(np.array(self.labels.encode(labels), dtype=np.intp))
        return None if best is None else self._columns.tags.decode(self._columns.tag_of[best])

    def _best_tags(self, path: npt.NDArray[np.intp]) -> npt.NDArray[np.intp] | None:
        """The best columns that stand for labels."""
        scores = self._spread()
        allowed = self._columns.label_of == path[:, None]
        arrived = np.where(allowed[0], scores.emissions[0], -np.inf)
        if scores.start is not None:
            arrived = arrived + scores.start
        before: list[npt.NDArray[np.intp]] = []
        for t in range(1, len(path)):
            onwards = np.broadcast_to(arrived[:, None], (len(arrived), len(arrived)))
            if scores.transitions is not None:
                steps = scores.transitions
                onwards = onwards + (steps if steps.ndim == 2 else steps[t - 1])
            before.append(onwards.argmax(axis=0))
            arrived = np.where(allowed[t], onwards.max(axis=0) + scores.emissions[t], -np.inf)
        if scores.end is not None:
            arrived = arrived + scores.end
        if arrived.max() == -np.inf:
            return None
        columns = [int(arrived.argmax())]
        for came_from in reversed(before):
            columns.append(int(came_from[columns[-1]]))
        return np.array(columns[::-1], dtype=np.intp)

    def magnitude(self) -> float:
        """No path's scores add up to more than this, signs ignored."""
        return self._tags.magnitude()  # every score is one of theirs, or none

    def find_block(self, labels: Sequence[str]) -> Block | None:
        """The first position at which the lattice forbids the labels; None if they are one of its paths.

        Examples
        --------
        >>> columns = Columns({"A.1": "A"}, tags=["A.1"], labels=["A", "B"])
        >>> TagLattice(Lattice([[0.0]], labels=["A.1"]), columns).find_block(["B"])
        Block(position=0, what="'B' at token 0")
        """
        path = self.labels.encode(labels)
        scores = self._spread()
        everything = np.ones(len(self._columns), dtype=np.bool_)
        alive: npt.NDArray[np.bool_] = everything if scores.start is None else scores.start > -np.inf
        for t, label in enumerate(path):
            if t and scores.transitions is None:
                alive = everything
            elif t and scores.transitions is not None:
                steps = scores.transitions if scores.transitions.ndim == 2 else scores.transitions[t - 1]
                alive = np.any((steps > -np.inf) & alive[:, None], axis=0)
            alive = alive & (self._columns.label_of == label)
            here = alive & (scores.emissions[t] > -np.inf)
            if not here.any():
                after = f" after {labels[t - 1]!r}" if t and not alive.any() else ""
                return Block(t, f"{labels[t]!r} at token {t}{after}")
            alive = here
        if scores.end is not None and not (alive & (scores.end > -np.inf)).any():
            return Block(len(path), f"{labels[-1]!r} as the last label")
        return None

    def __len__(self) -> int:
        return self._tags.length

    def __reduce__(self) -> tuple[Any, ...]:
        """As data: the scores of tags, and what they stand for."""
        return TagLattice, (self._tags, self._columns, self._mask)

    def __repr__(self) -> str:
        return (
            f"TagLattice({self.length} tokens, {len(self._columns.tags)} tags for {len(self.labels)} labels)"
        )
