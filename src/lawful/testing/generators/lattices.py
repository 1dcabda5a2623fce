"""Random trellises."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

import numpy as np

from lawful.labels import LabelSet
from lawful.lattice.arrays import Floats
from lawful.lattice.trellis import Lattice
from lawful.testing.generators.label_sets import random_label_set
from lawful.testing.generators.surroundings import random_context, random_tokens

__all__ = ["TransitionShape", "random_lattice", "random_scores"]

TransitionShape = Literal["none", "shared", "per_step", "random"]


def random_scores(
    rng: np.random.Generator, shape: int | tuple[int, ...], *, forbid: float = 0.1, ties: bool = False
) -> Floats:
    """Scores of some shape.

    Parameters
    ----------
    rng : numpy Generator
    shape : int or tuple of int
    forbid : float
        The share of -inf.
    ties : bool
        Whether scores are small whole numbers, so that many label sequences score the same.

    Examples
    --------
    >>> scores = random_scores(np.random.default_rng(3), (2, 100), forbid=0.3, ties=True)
    >>> sorted(set(scores.ravel().tolist()))
    [-inf, -2.0, -1.0, 0.0, 1.0, 2.0]
    """
    scores: Floats = (
        rng.integers(-2, 3, size=shape).astype(np.float64) if ties else rng.normal(size=shape) * 2
    )
    scores[rng.random(shape) < forbid] = -np.inf
    return scores


def random_lattice(
    rng: np.random.Generator,
    *,
    length: int | None = None,
    labels: LabelSet | None = None,
    transitions: TransitionShape = "random",
    boundaries: bool | None = None,
    masked: bool | None = None,
    forbid: float = 0.1,
    ties: bool | None = None,
    tokens: Sequence[Any] | None = None,
    context: Mapping[str, Any] | None = None,
) -> Lattice:
    """A trellis with tokens and context, which suits the rules of `random_rule`.

    Parameters
    ----------
    rng : numpy Generator
    length : int, optional
        The number of tokens T; 1 to 7 if not given.
    labels : LabelSet, optional
    transitions : "none", "shared", "per_step" or "random"
        No transition scores, one matrix, one matrix per step, or any of these.
    boundaries : bool, optional
        Whether there are scores of the first and the last label. None: by chance, as below.
    masked : bool, optional
        Whether there is a mask; it leaves at least one label per token.
    forbid : float
        The share of -inf among the scores.
    ties : bool, optional
        Whether scores are small whole numbers, so that many label sequences score the same.
    tokens : sequence, optional
        Drawn from `VOCABULARY` if not given.
    context : mapping, optional
        Made by `random_context` if not given.

    Examples
    --------
    >>> lattice = random_lattice(np.random.default_rng(0), length=4, labels=LabelSet(["A", "B"]))
    >>> lattice, sorted(lattice.context)
    (Lattice(4 tokens, 2 labels), ['banned', 'groups', 'positions', 'spans', 'verb'])
    """
    size = int(rng.integers(1, 8)) if length is None else length
    names = random_label_set(rng) if labels is None else labels
    count = len(names)
    exact = rng.random() < 0.3 if ties is None else ties
    if transitions == "random":
        transitions = ("none", "shared", "shared", "per_step")[rng.integers(4)]

    def scores(*shape: int) -> Floats:
        return random_scores(rng, shape, forbid=forbid, ties=exact)

    emissions = scores(size, count)
    steps = {"none": None, "shared": (count, count), "per_step": (size - 1, count, count)}[transitions]
    with_boundaries = rng.random() < 0.4 if boundaries is None else boundaries
    with_mask = rng.random() < 0.2 if masked is None else masked
    return Lattice(
        emissions,
        None if steps is None else scores(*steps),
        labels=names,
        start=scores(count) if with_boundaries else None,
        end=scores(count) if with_boundaries else None,
        mask=_mask(rng, size, count) if with_mask else None,
        tokens=random_tokens(rng, size) if tokens is None else tokens,
        context=random_context(rng, size, names) if context is None else context,
    )


def _mask(rng: np.random.Generator, length: int, count: int) -> np.ndarray[Any, np.dtype[np.bool_]]:
    mask = rng.random((length, count)) < 0.8
    mask[np.arange(length), rng.integers(count, size=length)] = True
    return mask
