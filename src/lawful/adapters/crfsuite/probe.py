"""A `pycrfsuite.Tagger` without its file: its scores are derived from the probabilities that it gives."""

from __future__ import annotations

import math
from collections.abc import Sequence
from threading import Lock
from typing import Any

import numpy as np
import numpy.typing as npt

from lawful.adapters.crfsuite.items import items_of
from lawful.errors import EmptySequenceError, InputError
from lawful.labels import LabelSet
from lawful.lattice import Lattice, Transitions

__all__ = ["ProbedTagger"]


class ProbedTagger:
    """An open `pycrfsuite.Tagger` as a tagger.

    It does not expose its weights (its text dump rounds them to six decimals), but it does expose probabilities. The
    probability of two labels for two empty items gives the score of a step, and the probabilities of the labels of a
    single item give the item's scores: each to about 1e-12, up to a constant. So labels, losses, marginals and
    probabilities are those of the model; `score` and `log_partition` are shifted, the same for all labellings.

    Parameters
    ----------
    tagger : pycrfsuite.Tagger
        It is used as long as this object is, under a lock; do not use it from other threads meanwhile.

    Examples
    --------
    >>> import lawful, pycrfsuite
    >>> trainer = pycrfsuite.Trainer(verbose=False)
    >>> trainer.append([["the"], ["cat"], ["sleeps"]], ["D", "N", "V"])
    >>> trainer.train("animals.crfsuite")
    >>> tagger = pycrfsuite.Tagger()
    >>> opened = tagger.open("animals.crfsuite")
    >>> lawful.decode(ProbedTagger(tagger).lattice([["the"], ["cat"]])).labels
    ('D', 'N')
    """

    def __init__(self, tagger: Any) -> None:
        self._tagger, self._lock = tagger, Lock()
        try:
            names = tagger.labels()
        except (RuntimeError, ValueError) as error:
            raise InputError(f"this Tagger cannot be used: {error}; open a model first") from None
        self._labels = LabelSet(names)
        self._steps = Transitions(self._step_scores(), labels=self._labels)

    @property
    def labels(self) -> LabelSet:
        """The labels, in the model's order."""
        return self._labels

    def lattice(self, items: Sequence[Any], /, *, tokens: Sequence[Any] | None = None) -> Lattice:
        """The scores of one sequence; see `CrfsuiteTagger.lattice`."""
        listed = items_of(items)
        if not listed:
            raise EmptySequenceError("the sequence of items")
        names = list(self._labels)
        rows = []
        with self._lock:
            for item in listed:
                self._tagger.set([item])
                rows.append([self._tagger.marginal(name, 0) for name in names])
        scores = _logs(np.array(rows), "an item")
        return Lattice(scores, self._steps, labels=self._labels, tokens=listed if tokens is None else tokens)

    def _step_scores(self) -> npt.NDArray[np.float64]:
        with self._lock:
            self._tagger.set([[], []])
            steps = [[self._tagger.probability([a, b]) for b in self._labels] for a in self._labels]
        return _logs(np.array(steps), "a step between labels")

    def __repr__(self) -> str:
        return f"ProbedTagger({len(self._labels)} labels)"


def _logs(probabilities: npt.NDArray[np.float64], what: str) -> npt.NDArray[np.float64]:
    if not (probabilities > 0).all() or not np.isfinite(probabilities).all():
        raise InputError(
            f"the Tagger gives {what} a probability of 0 or NaN: its scores are too far apart to be derived from "
            "probabilities; pass the path of the model file to from_crfsuite instead"
        )
    scores: npt.NDArray[np.float64] = np.log(probabilities)
    if math.isinf(float(scores.min())):
        raise InputError(
            f"the Tagger gives {what} a probability that is too small; pass the model's path instead"
        )
    return scores
