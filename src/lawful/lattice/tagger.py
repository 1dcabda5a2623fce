"""What a tagger is: something that knows its labels and can score a sequence."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Protocol, runtime_checkable

from lawful.errors import InputError, UncalibratedScoresWarning
from lawful.labels import LabelSet
from lawful.lattice.base import AnyLattice

__all__ = [
    "Tagger",
    "in_context",
    "is_calibrated",
    "lattices_of",
    "require_tagger",
    "warn_if_uncalibrated",
    "warn_uncalibrated",
]


@runtime_checkable
class Tagger(Protocol):
    """Anything with `labels` and `lattice(tokens)`; nothing else is needed.

    A tagger that scores many sequences faster than one by one may also have `lattices(sequences)`. One whose scores
    prices of rules cannot be compared with, since they are no log-probabilities, should say so: `calibrated = False`.

    Examples
    --------
    >>> from lawful.lattice import Lattice
    >>> class Shouting:
    ...     labels = LabelSet(["quiet", "loud"])
    ...     def lattice(self, tokens):
    ...         return Lattice([[0.0, float(t.isupper())] for t in tokens], labels=self.labels, tokens=tokens)
    >>> isinstance(Shouting(), Tagger)
    True
    """

    @property
    def labels(self) -> LabelSet:
        """The labels that it can give."""

    def lattice(self, tokens: Sequence[Any], /) -> AnyLattice:
        """The scores of one sequence, with `tokens` kept in it for the rules that look at them."""


def require_tagger(tagger: object, name: str = "tagger") -> None:
    """Refuse what is no tagger, by name.

    Examples
    --------
    >>> require_tagger("crf.model")
    Traceback (most recent call last):
    lawful.errors.InputError: tagger must have labels and lattice(tokens), as lawful's models and adapters do; got 'crf.model'
    """
    if isinstance(tagger, type) or not (hasattr(tagger, "labels") and hasattr(tagger, "lattice")):
        raise InputError(
            f"{name} must have labels and lattice(tokens), as lawful's models and adapters do; got {tagger!r:.60}"
        )


def lattices_of(
    tagger: Tagger,
    sequences: Iterable[Sequence[Any]],
    contexts: Iterable[Mapping[str, Any]] | None = None,
) -> Iterable[AnyLattice]:
    """The lattices of many sequences, by the tagger's own way for many if it has one, with their contexts for the rules.

    Examples
    --------
    >>> from lawful.lattice import Lattice
    >>> class Even:
    ...     labels = LabelSet(["A", "B"])
    ...     def lattice(self, tokens):
    ...         return Lattice([[0.0, 0.0]] * len(tokens), labels=self.labels, tokens=tokens)
    >>> [lattice.length for lattice in lattices_of(Even(), [["a"], ["b", "c"]])]
    [1, 2]
    """
    require_tagger(tagger)
    many = getattr(tagger, "lattices", None)
    lattices: Iterable[AnyLattice] = map(tagger.lattice, sequences) if many is None else many(sequences)
    return lattices if contexts is None else map(in_context, lattices, contexts)


def in_context(lattice: AnyLattice, context: Mapping[str, Any]) -> AnyLattice:
    """The lattice with more context; what has a name that it knew already is replaced.

    Examples
    --------
    >>> from lawful.lattice import Lattice
    >>> in_context(Lattice([[0.0]], context={"page": 3}), {"verb": 0}).context["verb"]
    0
    """
    return lattice.with_context({**lattice.context, **context}) if context else lattice


def is_calibrated(tagger: object) -> bool:
    """Whether prices of rules can be compared with the scores of a tagger, as far as it says.

    They can where scores are log-probabilities, up to a constant for each sequence, or were learned together with the prices.

    Examples
    --------
    >>> is_calibrated(object())
    True
    """
    return bool(getattr(tagger, "calibrated", True))


def warn_if_uncalibrated(tagger: object, *, stacklevel: int = 2) -> None:
    """Warn that prices of rules mean nothing beside a tagger, if it says that its scores are no log-probabilities."""
    if not is_calibrated(tagger):
        warn_uncalibrated(type(tagger).__name__, stacklevel=stacklevel + 1)


def warn_uncalibrated(name: str, *, stacklevel: int = 2) -> None:
    """Warn that prices of rules mean nothing beside a kind of model."""
    warnings.warn(
        f"prices of rules are log odds, but the scores of {name} are no log-probabilities: use "
        "lawful.learning.calibrate(model, held_out). Only prices that were found beside these very scores can stay",
        UncalibratedScoresWarning,
        stacklevel=stacklevel + 1,
    )
