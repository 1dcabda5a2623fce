"""The scores of all segmentations of one sequence, as a semi-Markov model gives them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any, ClassVar, NamedTuple

import numpy as np
import numpy.typing as npt

from lawful import _core
from lawful.errors import InputError
from lawful.labels import LabelSet
from lawful.lattice.arrays import without_scores
from lawful.lattice.base import UNLIMITED, AnyLattice, Block, read_only_context
from lawful.lattice.graph import Arcs, GraphLattice

__all__ = ["SegmentLattice"]

FIRST, ONLY, INNER, LAST = range(4)  # of the four tags of a segment's label


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class SegmentLattice(AnyLattice):
    """Ways to cut a sequence into segments with labels, each with its score. Frozen.

    It means what the graph of all segmentations means (`whole`), but is far smaller than that, knows its best path, and can leave out
    what scores too little to matter (`least`).

    Attributes
    ----------
    scores : lawful._core.SegmentScores
        What the kernels use.
    labels : LabelSet
        Of the tokens.
    tokens : sequence
    context : mapping
        What rules need to know about this sequence, by name; read-only.
    least : float
        Only segmentations that score at least this much are certain to be in `graph`.

    Examples
    --------
    >>> import numpy as np
    >>> scores = _core.SegmentScores.from_arrays(
    ...     np.array([2, 1], np.int32),  # segments of label A have two tokens at most, those of B one
    ...     np.array([[0.0, 1.0, 3.0], [0.0, 0.5, 0.0]]),  # at each token: A, B; two tokens of A
    ...     np.zeros((2, 2)), np.zeros(2), np.zeros(2), np.array([0, 0, 0, 0, 1, 1, 1, 1], np.int32),
    ... )
    >>> lattice = SegmentLattice(scores, LabelSet(["A", "B"]), ["x", "y"])
    >>> lattice.scores.score, lattice.scores.tags
    (3.0, [0, 0])
    >>> lattice.terms(np.array([1, 0]))
    [0.0, 1.0, 0.0, 0.0, 0.0]
    """

    kind: ClassVar[str] = "segmentation"

    scores: _core.SegmentScores
    labels: LabelSet = field()  # a field without a default: the property of the base is none
    tokens: Sequence[Any] = field()
    context: Mapping[str, Any] = field(default_factory=dict)
    least: float = -np.inf

    def __post_init__(self) -> None:
        if len(self.tokens) != self.scores.length:
            raise InputError(f"expected {self.scores.length} tokens, got {len(self.tokens)}")
        object.__setattr__(self, "tokens", tuple(self.tokens))
        object.__setattr__(self, "context", read_only_context(self.context))
        if not self.scores.magnitude <= _core.MOST_SCORE:
            self.whole()  # which is refused by name if it is true

    def __reduce__(self) -> tuple[Any, ...]:
        """As data: arrays, labels, tokens and context."""
        fields = (self.labels, self.tokens, dict(self.context), self.least)
        return _lattice_again, (self.scores.as_arrays(), *fields)

    @property
    def length(self) -> int:
        """The number of tokens."""
        return self.scores.length

    @property
    def longest(self) -> int:
        """The number of tokens."""
        return self.scores.length

    @property
    def rounding(self) -> float:
        """By how much the sums of one path can differ, added up in different orders."""
        return self.scores.rounding

    def with_context(self, context: Mapping[str, Any]) -> SegmentLattice:
        """The same scores and tokens with another context; the scores are shared, not copied."""
        return replace(self, context=context)

    def with_tokens(self, tokens: Sequence[Any]) -> SegmentLattice:
        """The same scores and context with other tokens; the scores are shared."""
        return replace(self, tokens=tokens)

    def unscored(self) -> SegmentLattice:
        """The same paths, each with the score 0: what is possible, whatever it is worth."""
        longest, cells, edges, first, last, tags = self.scores.as_arrays()
        cells, edges, first, last = map(without_scores, (cells, edges, first, last))
        arrays = _core.SegmentScores.from_arrays(longest, cells, edges, first, last, tags)
        return replace(self, scores=arrays, least=-np.inf)

    def whole(self) -> GraphLattice:
        """The graph of all segmentations, with its arcs as arrays."""
        source, target, tag, weight, final = self.scores.arcs()
        arcs = Arcs(source, target, tag, weight)
        return GraphLattice(arcs, final, self.labels, 0, range(len(final)), self.tokens, self.context)

    def graph(self, *, keep_dead_ends: bool = False, limits: _core.Limits = UNLIMITED) -> _core.Graph:
        """The segmentations that score at least `least`, and some that do not, as the kernels take them."""
        least = self.least - self.rounding
        return self.scores.graph(len(self.labels), least, keep_dead_ends=keep_dead_ends, limits=limits)

    def to_build(self) -> tuple[int, int]:
        """The size of the graph of all segmentations, at most."""
        states = self.length * self.scores.width
        return 1 + states, 2 * states + 2 * self.length * self.scores.labels**2

    def magnitude(self) -> float:
        """No path's scores add up to more than this, signs ignored."""
        return self.scores.magnitude

    def find_block(self, labels: Sequence[str]) -> Block | None:
        """The first position at which no path goes on with the labels; None if they are one of its paths."""
        return self.whole().find_block(labels)

    # --- one labelling --------------------------------------------------------------------------------------

    def terms(self, path: npt.NDArray[np.intp]) -> list[float]:
        """The scores of the best segments that spell a labelling, given as indices in the label set.

        This judges the kernels, so it works from the arrays, by the definition.
        """
        longest, cells, edges, first, last, tags = self.scores.as_arrays()
        spelled, tags_of = path.tolist(), tags.reshape(-1, 4).tolist()
        columns = _columns(tuple(longest.tolist()))
        beginning: dict[int, list[int]] = {}  # by tag: the labels of segments that begin with it
        for k, four in enumerate(tags_of):
            for tag in {four[FIRST], four[ONLY]}:
                beginning.setdefault(tag, []).append(k)
        best: list[dict[int, _Reached]] = [{} for _ in range(self.length + 1)]  # by end and label
        best[0] = {-1: _Reached(0.0, 0, -1, ())}
        for start in range(self.length):
            for k in beginning.get(spelled[start], ()) if best[start] else ():
                ends = _ends(spelled, start, int(longest[k]), tags_of[k])
                if not ends:
                    continue
                steps = {j: float(edges[j, k]) if start else float(first[k]) for j in best[start]}
                before = max(steps, key=lambda j: best[start][j].score + steps[j])
                for end in ends:
                    cell = float(cells[start, columns[end - start, k]])
                    score = best[start][before].score + steps[before] + cell
                    if score > -np.inf and (k not in best[end] or score > best[end][k].score):
                        best[end][k] = _Reached(score, start, before, (cell, steps[before]))
        if not best[-1]:
            return [-np.inf]
        label = max(best[-1], key=lambda k: best[-1][k].score + last[k])
        terms, end = [float(last[label])], self.length
        while end:
            reached = best[end][label]
            terms += reached.terms
            end, label = reached.start, reached.before
        return terms[::-1]

    def __repr__(self) -> str:
        return f"SegmentLattice({self.length} tokens, {len(self.labels)} labels)"


class _Reached(NamedTuple):
    """The best segments up to some token: their score, and of the last of them its start, the label before it and its terms."""

    score: float
    start: int
    before: int
    terms: tuple[float, ...]


@lru_cache(maxsize=8)
def _columns(longest: tuple[int, ...]) -> dict[tuple[int, int], int]:
    """The column of each length and label of segments, by length first."""
    pairs = (
        (size, k) for size in range(1, max(longest) + 1) for k, most in enumerate(longest) if size <= most
    )
    return {pair: column for column, pair in enumerate(pairs)}


def _ends(spelled: Sequence[int], start: int, longest: int, four: Sequence[int]) -> list[int]:
    """Where a segment that begins there can end, given what is spelled."""
    ends = [start + 1] if spelled[start] == four[ONLY] else []
    if spelled[start] != four[FIRST]:
        return ends
    for end in range(start + 2, min(start + longest, len(spelled)) + 1):
        if spelled[end - 1] == four[LAST]:
            ends.append(end)
        if spelled[end - 1] != four[INNER]:
            break
    return ends


def _lattice_again(arrays: Sequence[Any], *fields: Any) -> SegmentLattice:
    return SegmentLattice(_core.SegmentScores.from_arrays(*arrays), *fields)
