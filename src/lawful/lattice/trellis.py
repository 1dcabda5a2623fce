"""The usual lattice: a score for every label at every position, and for every two neighbours."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from operator import attrgetter
from types import MappingProxyType
from typing import Any

import numpy as np
import numpy.typing as npt

from lawful import _core
from lawful.errors import DtypeError, EmptyLabelSetError, EmptySequenceError, ShapeError
from lawful.labels import LabelSet
from lawful.lattice.arrays import (
    Floats,
    float_array,
    is_masked,
    refuse_illegal,
    refuse_large,
    without_scores,
)
from lawful.lattice.base import UNLIMITED, AnyLattice, Block, ChainLattice, as_context
from lawful.lattice.transitions import Transitions

__all__ = ["SEEN_BY_RULES", "Lattice", "as_trellis"]

SEEN_BY_RULES = attrgetter("_core", "_tokens", "_context")
"""Of a `Lattice`, for who asks many of them: the core's trellis, the tokens or None, and the context as a dict not to be changed."""


class Lattice(ChainLattice):
    """The scores of one sequence. Frozen: every array is copied, and comes back read-only.

    The score of labels y is `start[y_0] + sum(emissions[t, y_t]) + sum(transitions[y_t, y_t+1]) + end[y_T-1]`.
    Scores are logs, higher is better, -inf forbids; NaN and +inf are refused.

    Parameters
    ----------
    emissions : array (T, K)
    transitions : array (K, K) or (T-1, K, K), or `Transitions`, optional
        A `Transitions` object is laid out once for many lattices.
    labels : LabelSet or iterable of str, optional
        The names of the K labels; "0", "1", ... if not given.
    start, end : array (K,), optional
        Scores of the first and of the last label.
    mask : bool array (T, K), optional
        Labels that are False are forbidden. So are the masked cells of scores that are numpy's masked arrays.
    tokens : sequence of length T, optional
        What rules that look at tokens see.
    context : mapping, optional
        What rules need to know about this sequence, by name.

    Examples
    --------
    >>> lattice = Lattice([[1.0, 0.0], [0.0, 2.0]], labels=["O", "Name"], tokens=["by", "Ann"])
    >>> lattice.length, lattice.labels
    (2, LabelSet(['O', 'Name']))
    >>> Lattice([[1.0, float("nan")]], labels=["O", "Name"])
    Traceback (most recent call last):
    lawful.errors.ScoreError: emissions[0, 1] (label 'Name') is nan: scores are finite logs, or -inf for what is forbidden
    """

    kind = "trellis"
    __slots__ = ("_context", "_core", "_end", "_labels", "_start", "_tokens", "_transitions")

    def __init__(
        self,
        emissions: npt.ArrayLike,
        transitions: Transitions | npt.ArrayLike | None = None,
        *,
        labels: LabelSet | Iterable[str] | None = None,
        start: npt.ArrayLike | None = None,
        end: npt.ArrayLike | None = None,
        mask: npt.ArrayLike | None = None,
        tokens: Sequence[Any] | None = None,
        context: Mapping[str, Any] | None = None,
    ) -> None:
        scores = float_array(emissions, "emissions")
        shape = scores.shape
        if shape and not shape[0]:
            raise EmptySequenceError("emissions")
        if len(shape) != 2:
            raise ShapeError("emissions", "(T, K)", shape)
        length, count = shape
        if not count:
            raise EmptyLabelSetError
        if labels is None:
            names = _numbered(count)
        else:
            names = labels if type(labels) is LabelSet else LabelSet(labels)
            if len(names) != count:
                raise ShapeError("emissions", f"(T, {len(names)}) for {len(names)} labels", shape)
        self._labels = names
        self._transitions = None if transitions is None else _steps(transitions, length, names)
        self._start = None if start is None else _boundary(start, "start", count)
        self._end = None if end is None else _boundary(end, "end", count)
        if mask is not None:
            mask = _mask(mask, shape)
        self._tokens = None if tokens is None else _checked_tokens(tokens, length)
        self._context = {} if context is None else as_context(context)
        steps = None if self._transitions is None else self._transitions._core
        try:
            self._core = _core.Trellis(scores, steps, self._start, self._end, mask)
        except (OverflowError, ValueError) as error:
            wrong: Exception = error
        else:
            return
        # Outside the handler: the error names the score, and not that the core refused it.
        refuse_illegal(scores, "emissions", names)
        if self._start is not None:
            refuse_illegal(self._start, "start", names)
        if self._end is not None:
            refuse_illegal(self._end, "end", names)
        if isinstance(wrong, OverflowError):
            arrays = {
                "emissions": scores,
                "transitions": self.transitions,
                "start": self._start,
                "end": self._end,
            }
            refuse_large(arrays, names, length)
        raise wrong

    @property
    def labels(self) -> LabelSet:
        """The K labels."""
        return self._labels

    @property
    def tokens(self) -> tuple[Any, ...] | None:
        """The tokens, if they were given."""
        if isinstance(self._tokens, _core.TokenRows):
            self._tokens = tuple(self._tokens)
        return self._tokens

    @property
    def context(self) -> Mapping[str, Any]:
        """What rules need to know about this sequence, by name; read-only."""
        return MappingProxyType(self._context)

    @property
    def length(self) -> int:
        """The number of tokens T."""
        return self._core.length

    @property
    def core(self) -> _core.Trellis:
        """What the kernels use."""
        return self._core

    @property
    def emissions(self) -> Floats:
        """Scores (T, K), -inf where the mask forbids; read-only."""
        return np.asarray(self._core.emissions)

    @property
    def transitions(self) -> Floats | None:
        """Scores (K, K) or (T-1, K, K), read-only; None if there are none."""
        return None if self._transitions is None else self._transitions.scores

    @property
    def start(self) -> Floats | None:
        """Scores (K,) of the first label, read-only; None if there are none."""
        return self._start

    @property
    def end(self) -> Floats | None:
        """Scores (K,) of the last label, read-only; None if there are none."""
        return self._end

    def with_context(self, context: Mapping[str, Any]) -> Lattice:
        """The same scores and tokens with another context; the scores are shared, not copied.

        Examples
        --------
        >>> Lattice([[1.0, 0.0]]).with_context({"verb": 0}).context["verb"]
        0
        """
        other = object.__new__(Lattice)
        for name in Lattice.__slots__:
            setattr(other, name, getattr(self, name))
        other._context = as_context(context)
        return other

    def with_tokens(self, tokens: Sequence[Any]) -> Lattice:
        """The same scores and context with other tokens, such as words where a model saw attributes; the scores are shared.

        Examples
        --------
        >>> Lattice([[1.0, 0.0]], tokens=[["w=he"]]).with_tokens(["He"]).tokens
        ('He',)
        """
        other = object.__new__(Lattice)
        for name in Lattice.__slots__:
            setattr(other, name, getattr(self, name))
        other._tokens = _checked_tokens(tokens, self.length)
        return other

    def unscored(self) -> Lattice:
        """The same paths, each with the score 0: what is possible, whatever it is worth.

        Examples
        --------
        >>> Lattice([[1.0, float("-inf")]]).unscored().emissions.tolist()
        [[0.0, -inf]]
        """
        transitions, start, end = self.transitions, self._start, self._end
        return Lattice(
            without_scores(self.emissions),
            None if transitions is None else without_scores(transitions),
            labels=self._labels,
            start=None if start is None else without_scores(start),
            end=None if end is None else without_scores(end),
            tokens=self.tokens,
            context=self._context,
        )

    @property
    def shared_transitions(self) -> Transitions | None:
        """The transition scores as an object that lattices may share."""
        return self._transitions

    @property
    def longest(self) -> int:
        """The number of tokens T."""
        return self._core.length

    def graph(self, *, keep_dead_ends: bool = False, limits: _core.Limits = UNLIMITED) -> _core.Graph:
        """All paths as a graph, as the kernels take it."""
        return _core.Graph.from_trellis(self._core, keep_dead_ends=keep_dead_ends, limits=limits)

    def to_build(self) -> tuple[int, int]:
        """How many states and arcs `graph` would have to make."""
        length, count = self._core.length, len(self._labels)
        return 1 + length * count, count + (length - 1) * count * count

    def terms(self, path: npt.NDArray[np.intp]) -> list[float]:
        """What the score of a labelling (T,), given as indices in the label set, adds up."""
        if len(path) != self.length:
            raise ShapeError("labels", f"({self.length},), one for each token", path.shape)
        terms: list[float] = self.emissions[np.arange(len(path)), path].tolist()
        transitions = self.transitions
        if transitions is not None and len(path) > 1:
            steps = (
                (path[:-1], path[1:])
                if transitions.ndim == 2
                else (np.arange(len(path) - 1), path[:-1], path[1:])
            )
            terms += transitions[steps].tolist()
        if self._start is not None:
            terms.append(float(self._start[path[0]]))
        if self._end is not None:
            terms.append(float(self._end[path[-1]]))
        return terms

    def magnitude(self) -> float:
        """No path's scores add up to more than this, signs ignored."""
        return self._core.magnitude

    def find_block(self, labels: Sequence[str]) -> Block | None:
        """The first position at which the lattice forbids the labels; None if they are one of its paths.

        Examples
        --------
        >>> lattice = Lattice([[1.0, 0.0], [0.0, float("-inf")]], labels=["A", "B"])
        >>> lattice.find_block(["A", "B"])
        Block(position=1, what="'B' at token 1")
        """
        path = self._labels.encode(labels)
        emissions, steps = self.emissions, self.transitions
        if self._start is not None and self._start[path[0]] == -np.inf:
            return Block(0, f"{labels[0]!r} as the first label")
        for t, label in enumerate(path):
            if t and steps is not None:
                step = steps if steps.ndim == 2 else steps[t - 1]
                if step[path[t - 1], label] == -np.inf:
                    return Block(t, f"{labels[t - 1]!r} before {labels[t]!r} at token {t}")
            if emissions[t, label] == -np.inf:
                return Block(t, f"{labels[t]!r} at token {t}")
        if self._end is not None and self._end[path[-1]] == -np.inf:
            return Block(len(path), f"{labels[-1]!r} as the last label")
        return None

    def __len__(self) -> int:
        return self._core.length

    def __reduce__(self) -> tuple[Any, ...]:
        """As data: scores, labels, tokens and context."""
        return _lattice_again, (
            np.array(self.emissions),
            self._transitions,
            self._labels,
            self._start,
            self._end,
            self.tokens,
            self._context,
        )

    def __repr__(self) -> str:
        return f"Lattice({self.length} tokens, {len(self._labels)} labels)"


def _lattice_again(
    emissions: Floats,
    transitions: Transitions | None,
    labels: LabelSet,
    start: Floats | None,
    end: Floats | None,
    tokens: Sequence[Any] | None,
    context: Mapping[str, Any],
) -> Lattice:
    return Lattice(
        emissions, transitions, labels=labels, start=start, end=end, tokens=tokens, context=context
    )


def as_trellis(lattice: AnyLattice) -> Lattice | None:
    """The lattice if it is a trellis, else None.

    Examples
    --------
    >>> as_trellis(Lattice([[1.0, 0.0]]))
    Lattice(1 tokens, 2 labels)
    """
    return lattice if isinstance(lattice, Lattice) else None


@lru_cache(maxsize=256)
def _numbered(count: int) -> LabelSet:
    return LabelSet(map(str, range(count)))


def _steps(transitions: Transitions | npt.ArrayLike, length: int, labels: LabelSet) -> Transitions | None:
    if isinstance(transitions, Transitions):
        one_a_step = False
    else:
        scores = float_array(transitions, "transitions")
        one_a_step = scores.ndim == 3
        transitions = Transitions(scores, labels=labels)
    core = transitions._core
    k, steps = len(labels), length - 1
    if core.labels != k or (core.matrices != steps and (one_a_step or core.matrices != 1)):
        raise ShapeError("transitions", f"({k}, {k}) or ({steps}, {k}, {k})", transitions.scores.shape)
    return transitions if core.matrices else None


def _boundary(scores: npt.ArrayLike, name: str, count: int) -> Floats:
    copied: Floats = float_array(scores, name).copy()
    if copied.shape != (count,):
        raise ShapeError(name, f"({count},)", copied.shape)
    copied.setflags(write=False)
    return copied


def _checked_tokens(tokens: Sequence[Any], length: int) -> tuple[Any, ...] | _core.TokenRows:
    if isinstance(tokens, _core.TokenRows) and len(tokens) == length:  # which nobody may want to look at
        return tokens
    if isinstance(tokens, str) or not isinstance(tokens, Iterable):
        raise DtypeError("tokens", "a list of tokens", repr(tokens)[:60])
    checked = tuple(tokens)
    if len(checked) != length:
        raise ShapeError("tokens", f"({length},), one for each row of emissions", (len(checked),))
    return checked


def _mask(mask: npt.ArrayLike, shape: tuple[int, ...]) -> npt.NDArray[np.bool_]:
    try:
        array = np.asarray(mask)
    except ValueError:
        raise DtypeError("mask", "True and False", "rows of different lengths") from None
    if is_masked(mask):
        raise DtypeError("mask", "True and False", "a masked array, which leaves some cells open")
    if array.dtype != np.bool_:
        raise DtypeError("mask", "True and False", f"dtype {array.dtype}")
    if array.shape != shape:
        raise ShapeError("mask", str(shape), array.shape)
    return array
