"""What every kind of lattice can do: all that solvers, judges and explanations ask of one."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any, ClassVar, NamedTuple, Self

import numpy as np
import numpy.typing as npt

from lawful import _core
from lawful.errors import InputError
from lawful.labels import LabelSet

__all__ = [
    "UNLIMITED",
    "AnyLattice",
    "Block",
    "ChainLattice",
    "as_context",
    "read_only_context",
    "require_lattice",
]

UNLIMITED = _core.Limits()


class Block(NamedTuple):
    """The first position at which a lattice forbids to go on.

    Attributes
    ----------
    position : int
        Of the token; the number of tokens if it is the end.
    what : str
        What is forbidden there, in words.
    """

    position: int
    what: str


class AnyLattice(ABC):
    """The scores of one sequence: a weighted acceptor over labels. Frozen.

    `Lattice` is the usual kind, `GraphLattice` the general one. Another kind has these methods; all solvers that work
    on graphs can then use it.
    """

    __slots__ = ()

    kind: ClassVar[str]
    """What it is, for messages: "trellis", "graph", ..."""

    @property
    @abstractmethod
    def labels(self) -> LabelSet:
        """The K labels."""

    @property
    @abstractmethod
    def tokens(self) -> Sequence[Any] | None:
        """The tokens, if they were given."""

    @property
    @abstractmethod
    def context(self) -> Mapping[str, Any]:
        """What rules need to know about this sequence, by name; read-only."""

    @property
    @abstractmethod
    def length(self) -> int | None:
        """The number of labels of every path; None if paths differ in it."""

    @property
    @abstractmethod
    def longest(self) -> int:
        """No path without a cycle has more labels than this."""

    @abstractmethod
    def with_context(self, context: Mapping[str, Any]) -> Self:
        """The same scores and tokens with another context; the scores are shared, not copied."""

    @abstractmethod
    def with_tokens(self, tokens: Sequence[Any]) -> Self:
        """The same scores and context with other tokens, such as words where a model saw attributes; the scores are shared."""

    @abstractmethod
    def unscored(self) -> Self:
        """The same paths, each with the score 0: what is possible, whatever it is worth."""

    @abstractmethod
    def graph(self, *, keep_dead_ends: bool = False, limits: _core.Limits = UNLIMITED) -> _core.Graph:
        """All paths as a graph, as the kernels take it. Raises `_core.LimitReached` where making it takes too much."""

    @abstractmethod
    def to_build(self) -> tuple[int, int]:
        """How many states and arcs `graph` would have to make; none if the graph is there already."""

    @abstractmethod
    def terms(self, path: npt.NDArray[np.intp]) -> list[float]:
        """What the score of a labelling adds up, by the definition; -inf is among it if the labelling is forbidden.

        This judges what the kernels find, so it shares nothing with them.
        """

    @abstractmethod
    def magnitude(self) -> float:
        """No path's scores add up to more than this, signs ignored."""

    @abstractmethod
    def find_block(self, labels: Sequence[str]) -> Block | None:
        """The first position at which the lattice forbids the labels; None if they are one of its paths."""


class ChainLattice(AnyLattice):
    """A lattice that goes from position to position, so that the compiled engine can take it: a trellis, of whatever."""

    __slots__ = ()

    @property
    @abstractmethod
    def length(self) -> int:
        """The number of tokens T."""

    @property
    @abstractmethod
    def core(self) -> _core.Trellis:
        """What the kernels use."""


def require_lattice(lattice: object) -> None:
    """Refuse anything else, such as tokens or an array of scores.

    Examples
    --------
    >>> require_lattice([[0.0, 1.0]])
    Traceback (most recent call last):
    lawful.errors.InputError: expected a lattice, such as lawful.Lattice(scores, labels=...), got [[0.0, 1.0]]
    """
    if not isinstance(lattice, AnyLattice):
        raise InputError(
            f"expected a lattice, such as lawful.Lattice(scores, labels=...), got {lattice!r:.60}"
        )


def read_only_context(context: Mapping[str, Any]) -> Mapping[str, Any]:
    """A copy that cannot be changed.

    Examples
    --------
    >>> read_only_context({"verb": 3})["verb"]
    3
    """
    return MappingProxyType(as_context(context))


def as_context(context: Mapping[str, Any]) -> dict[str, Any]:
    """A copy, checked.

    Examples
    --------
    >>> as_context({"verb": 3})
    {'verb': 3}
    """
    if not isinstance(context, Mapping):
        raise InputError(f"context must be a mapping of names to values, got {context!r:.60}")
    return dict(context)
