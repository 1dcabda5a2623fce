"""Scores for labelled sequences by models that were not fitted to them, though all of them are used for fitting."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from lawful.errors import InputError
from lawful.labels import LabelSet
from lawful.lattice import AnyLattice
from lawful.learning.gold import Labelled
from lawful.models.base.estimator import SequenceModel
from lawful.support.numbers import check_count, check_seed

__all__ = ["CrossFitted", "model_like", "parts_of"]


class CrossFitted:
    """A tagger for the very sequences that it is made from: each is scored by a model that has not seen it.

    The sequences are divided into parts at random. For each part, a model like the given one is fitted to all others.

    Parameters
    ----------
    model : SequenceModel
        Only its parameters and labels count: it stays as it is.
    gold : sequence of Labelled
    folds : int
        The number of parts.
    seed : int

    Examples
    --------
    >>> import lawful
    >>> from lawful.learning.gold import labelled_sequences
    >>> from lawful.tasks import generate_citations
    >>> gold = labelled_sequences(generate_citations(12, seed=1))
    >>> tagger = CrossFitted(lawful.HMM(), gold, folds=3)
    >>> len(tagger.lattices([sequence.tokens for sequence in gold]))
    12
    """

    def __init__(self, model: object, gold: Sequence[Labelled], *, folds: int = 5, seed: int = 0) -> None:
        if not isinstance(model, SequenceModel):
            raise InputError(
                f"folds need a model that can be fitted, such as lawful.HMM(), as their tagger, got {type(model).__name__}"
            )
        check_count("folds", folds, least=2)
        if len(gold) < 2:
            raise InputError(f"folds need at least 2 labelled sequences, got {len(gold)}")
        self._gold = gold
        told = model.get_params(deep=False).get("labels") or ()
        known: Sequence[str] = model.labels if hasattr(model, "labels_") else list(told)
        labels = [
            *known,
            *sorted({label for sequence in gold for label in sequence.labels}.difference(known)),
        ]
        self.labels = LabelSet(labels)
        scored: list[AnyLattice | None] = [None] * len(gold)
        for part, others in parts_of(len(gold), folds, seed):
            like = model_like(model, self.labels).fit(
                [gold[index].tokens for index in others], [gold[index].labels for index in others]
            )
            if like.labels != self.labels:
                missing = sorted(set(self.labels).difference(like.labels))
                raise InputError(
                    f"a model that is fitted to some parts does not know the label {missing[0]!r} of the others: give it labels=..."
                )
            for index, lattice in zip(
                part, like.lattices([gold[index].tokens for index in part]), strict=True
            ):
                scored[index] = lattice
        self._lattices = [lattice for lattice in scored if lattice is not None]

    def lattice(self, tokens: Sequence[Any], /) -> AnyLattice:
        """The scores of one of its sequences."""
        for sequence, lattice in zip(self._gold, self._lattices, strict=True):
            if sequence.tokens is tokens or list(sequence.tokens) == list(tokens):
                return lattice
        raise InputError("a cross-fitted tagger scores only the sequences that it was made from")

    def lattices(self, sequences: Iterable[Sequence[Any]]) -> list[AnyLattice]:
        """The scores of all of its sequences, in their order; or of some."""
        asked = list(sequences)
        if len(asked) == len(self._gold) and all(
            tokens is sequence.tokens for tokens, sequence in zip(asked, self._gold, strict=True)
        ):
            return self._lattices
        return [self.lattice(tokens) for tokens in asked]


def parts_of(count: int, folds: int, seed: int) -> Iterator[tuple[list[int], list[int]]]:
    """The numbers 0 to count - 1 in parts at random, each with all that are not in it.

    Examples
    --------
    >>> [(sorted(part), others) for part, others in parts_of(3, 2, seed=0)]
    [([0, 2], [1]), ([1], [0, 2])]
    """
    order: npt.NDArray[np.int64] = np.random.default_rng(check_seed("seed", seed)).permutation(count)
    for part in np.array_split(order, min(folds, count)):
        left_out = set(part.tolist())
        yield part.tolist(), [index for index in range(count) if index not in left_out]


def model_like(model: SequenceModel, labels: Sequence[str]) -> SequenceModel:
    """A model with the same parameters that has not been fitted, and knows these labels if it can be told.

    Models inside it, such as that of a `Calibrated` one, are made anew too: none that was given is fitted again.

    Examples
    --------
    >>> import lawful
    >>> model_like(lawful.HMM(rare=2), ["A", "B"])
    HMM(rare=2, labels=['A', 'B'])
    """
    parameters = {name: _anew(value, labels) for name, value in model.get_params(deep=False).items()}
    if "labels" in parameters:
        parameters["labels"] = list(labels)
    return type(model)(**parameters)


def _anew(value: Any, labels: Sequence[str]) -> Any:
    if isinstance(value, SequenceModel):
        return model_like(value, labels)
    if isinstance(value, list | tuple) and any(isinstance(inside, SequenceModel) for inside in value):
        return [_anew(inside, labels) for inside in value]
    return value
