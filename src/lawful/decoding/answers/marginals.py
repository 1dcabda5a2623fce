"""Probabilities of labels, spans, segments and whole labellings under rules."""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from lawful import _core
from lawful.decoding.answers.levels import LARGE, levelled
from lawful.decoding.answers.product import ProductBuilder
from lawful.decoding.answers.sampling import NO_LIMITS, draw, draw_array
from lawful.errors import InputError, ShapeError
from lawful.lattice.trellis import as_trellis
from lawful.solvers.problem import Limits, Problem

__all__ = ["Marginals", "distribution_of"]


class Marginals:
    """The distribution over the label sequences of one lattice under its rules.

    A sequence has a probability proportional to exp(score), where the score is the lattice's less the prices of
    the soft rules that it breaks; one that breaks a hard rule has probability 0. Everything here is exact.

    Attributes
    ----------
    label_set : LabelSet
        The K labels, in the order of the columns of `labels`.
    length : int
        The number of tokens T; in a graph whose paths differ in length, that of the longest.
    log_partition : float
        The log of the sum of exp(score) over all legal label sequences.

    Examples
    --------
    >>> import lawful
    >>> lattice = lawful.Lattice([[0.0, 0.0], [0.0, 0.0]], labels=["A", "B"])
    >>> marginals = lawful.marginals(lattice, lawful.at_least(1, "A"))
    >>> marginals.labels.round(3).tolist()
    [[0.667, 0.333], [0.667, 0.333]]
    >>> round(marginals.span(0, 2, "A"), 3), round(marginals.segment(0, 1, "A"), 3), marginals.confidence(["B", "B"])
    (0.333, 0.333, 0.0)
    """

    def __init__(self, problem: Problem, distribution: _core.Distribution, *, lost: float = 0.0) -> None:
        self.label_set, self.length = problem.lattice.labels, distribution.length
        self.log_partition = distribution.log_partition + lost
        self._problem, self._distribution = problem, distribution

    @cached_property
    def labels(self) -> npt.NDArray[np.float64]:
        """Read-only array (T, K): the probability of each label at each token.

        In a graph whose paths differ in length, a row sums to the probability that the sequence is that long.
        """
        table = self._distribution.label_marginals()
        table.setflags(write=False)
        return table

    def span(self, start: int, end: int, label: str) -> float:
        """The probability that all tokens from `start` up to `end` (exclusive) have the label.

        Their neighbours may have it too: for a segment that is exactly there, see `segment`.
        """
        self._check_span(start, end)
        return self.window(start, [label] * (end - start))

    def segment(self, start: int, end: int, label: str) -> float:
        """The probability of a segment exactly there: a longest run of the label from `start` up to `end` (exclusive)."""
        self._check_span(start, end)
        others = [name for name in self.label_set if name != label]
        choices: list[str | Collection[str]] = [label] * (end - start)
        if start > 0:
            choices.insert(0, others)
        return self.window(max(0, start - 1), [*choices, others], or_end=True)

    def window(self, start: int, choices: Sequence[str | Collection[str]], *, or_end: bool = False) -> float:
        """The probability that the tokens from `start` on have such labels.

        Parameters
        ----------
        start : int
        choices : sequence of (label, or collection of labels)
            One entry per token: the label that it has, or the labels of which it has one.
        or_end : bool
            Whether it also counts if the sequence ends before the last of these tokens.

        Examples
        --------
        The confidence of a field in the BIO scheme: it starts, goes on, and does not go on any further.

        >>> import lawful
        >>> lattice = lawful.Lattice([[0.0, 1.0, 0.0], [0.0, 0.0, 2.0]], labels=["O", "B", "I"])
        >>> marginals = lawful.marginals(lattice, lawful.valid_tags("BIO"))
        >>> round(marginals.window(0, ["B", "I", ["O", "B"]], or_end=True), 3)
        0.73
        """
        last = self.length - len(choices) + or_end
        if not 0 <= start <= last:
            raise InputError(
                f"a window of {len(choices)} tokens from {start} on does not fit a sequence of {self.length} tokens"
            )
        table = np.zeros((len(choices), len(self.label_set)), dtype=np.uint8)
        for row, choice in zip(table, choices, strict=True):
            row[list(self.label_set.encode([choice] if isinstance(choice, str) else choice))] = 1
        return self._distribution.window(start, table, may_end=or_end)

    def confidence(self, labels: Sequence[str]) -> float:
        """The probability of a whole labelling; 0 if the lattice or a hard rule forbids it."""
        if self._problem.lattice.length is not None and len(labels) != self.length:
            raise ShapeError("labels", f"({self.length},), one for each token", (len(labels),))
        path = np.array(self.label_set.encode(labels), dtype=np.int32)
        return math.exp(min(0.0, self._distribution.log_probability(path)))

    def sample(self, n: int = 1, *, seed: int | np.random.Generator | None = None) -> list[tuple[str, ...]]:
        """Random labellings, each drawn with exactly its probability, independent of each other.

        Parameters
        ----------
        n : int
        seed : int or numpy Generator, optional
            The same seed gives the same samples.
        """
        return self.sample_within(NO_LIMITS, n, seed)

    def sample_array(self, n: int, *, seed: int | np.random.Generator | None = None) -> npt.NDArray[np.int32]:
        """The same as numbers of labels (n, T), for a lattice whose label sequences all have one length."""
        return draw_array(self._distribution, n, seed)

    def sample_within(
        self, limits: Limits, n: int, seed: int | np.random.Generator | None
    ) -> list[tuple[str, ...]]:
        """The same within what is left of limits."""
        return [self.label_set.decode(labels) for labels in draw(self._distribution, n, seed, limits)]

    def __repr__(self) -> str:
        return f"Marginals({self.length} tokens, {len(self.label_set)} labels, log_partition={self.log_partition:.6g})"

    def __reduce__(self) -> tuple[Any, ...]:
        """As data: lattice and rules; the sums are taken again, without a clock."""
        limits = replace(self._problem.limits, timeout=None, since=None)
        return _marginals_again, (replace(self._problem, limits=limits),)

    def _check_span(self, start: int, end: int) -> None:
        if not 0 <= start < end <= self.length:
            raise InputError(
                f"span ({start}, {end}) does not fit a sequence of {self.length} tokens; expected "
                f"0 <= start < end <= {self.length}"
            )


def distribution_of(problem: Problem) -> tuple[_core.Distribution | None, float]:
    """The sums over all label sequences that obey the hard rules, None if there are none; and what large scores lost, so
    that sums of them can be compared.

    Examples
    --------
    >>> from lawful.lattice import Lattice
    >>> distribution, lost = distribution_of(Problem(Lattice([[0.0], [0.0]])))
    >>> distribution.length, lost
    (2, 0.0)
    """
    lattice, lost = as_trellis(problem.lattice), 0.0
    if lattice is not None and lattice.magnitude() > LARGE * lattice.length:
        lattice, lost = levelled(lattice)
        problem = replace(problem, lattice=lattice)
    builder = ProductBuilder(problem)
    graph = builder.with_positions(builder.deterministic(builder.build()))
    return builder.distribution(graph) if graph.states else None, lost


def _marginals_again(problem: Problem) -> Marginals:
    distribution, lost = distribution_of(problem)
    assert distribution is not None  # noqa: S101 - there was one before
    return Marginals(problem, distribution, lost=lost)
