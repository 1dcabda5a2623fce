"""A linear model whose weights are changed one sequence at a time, and averaged."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from bylaw.errors import InputError
from bylaw.labels import LabelSet
from bylaw.lattice import Lattice
from bylaw.lattice.arrays import Floats
from bylaw.learning.corners import Corner, cut_corner
from bylaw.models.crf import CRF
from bylaw.models.crf_fitting import EncodedCorpus, FeatureChoice
from bylaw.models.crf_outputs import Outputs
from bylaw.models.crf_weights import Weights
from bylaw.models.estimator import SequenceModel

__all__ = ["OnlineModel", "check_online"]


class OnlineModel:
    """The weights of a model, current and averaged, over a labelled corpus that was read once.

    Parameters
    ----------
    base : CRF
        Its templates, groups and choice of features; it stays as it is.
    X : sequence of token sequences
    y : sequence of label sequences
        What the features are taken from, and what is learned.
    labels : LabelSet
    contexts : sequence of mappings, optional
        What comes with each sequence by name.

    Examples
    --------
    >>> import bylaw
    >>> X, y = [[["w=a"], ["w=b"]]], [["A", "B"]]
    >>> online = OnlineModel(bylaw.CRF(), X, y, bylaw.LabelSet(["A", "B"]))
    >>> online.update(0, np.array([0, 0], dtype=np.int32))
    >>> online.lattice(0).emissions.tolist(), online.lattice(0).transitions.tolist()
    ([[0.0, 0.0], [0.0, 1.0]], [[0.0, 1.0], [0.0, 0.0]])
    """

    def __init__(
        self,
        base: SequenceModel,
        X: Sequence[Sequence[Any]],
        y: Sequence[Sequence[str]],
        labels: LabelSet,
        contexts: Sequence[Mapping[str, Any]] | None = None,
    ) -> None:
        self.base, self.X, self.labels, self.contexts = check_online(base), X, labels, contexts
        self.gold = [np.array(labels.encode(one), dtype=np.int32) for one in y]
        crf = self.base
        corpus = EncodedCorpus.read(X, X, crf._collections(), crf.transition_features)
        choice = FeatureChoice(crf.all_states, crf.all_transitions, crf.min_count, crf.start, crf.end)
        outputs = Outputs.of(labels, crf.groups, label_features=crf.label_features)
        self._weights, _ = choice.weights(corpus, np.concatenate(self.gold), labels, outputs)
        self._corners: list[Corner] = [
            cut_corner(self._weights, corpus.encoded, corpus.pairs, place) for place in range(len(X))
        ]
        self._gold_counts = [
            corner.counts(path) for corner, path in zip(self._corners, self.gold, strict=True)
        ]
        self.current: Floats = np.zeros(self._weights.layout.size)
        self._behind = np.zeros_like(self.current)
        self._steps = 0

    def lattice(self, place: int) -> Lattice:
        """The scores of one sequence with the current weights."""
        corner, tokens = self._corners[place], self.X[place]
        own = self.current[corner.places]
        steps, first, last = corner.transitions(own, len(tokens))
        return Lattice(
            corner.emissions(own),
            steps,
            labels=self.labels,
            start=first,
            end=last,
            tokens=tokens,
            context=self.contexts[place] if self.contexts else {},
        )

    def update(self, place: int, found: npt.NDArray[np.int32]) -> None:
        """Line 5 of Algorithm 3: add the features of the gold labels of a sequence, take off those of another labelling (T,)."""
        corner = self._corners[place]
        change = self._gold_counts[place] - corner.counts(found)
        # Averages are kept lazily: what a change adds now was missing in all the steps before.
        self.current[corner.places] += change
        self._behind[corner.places] += self._steps * change

    def step(self) -> None:
        """One sequence has been seen: the current weights count once more in the average."""
        self._steps += 1

    @property
    def averaged(self) -> Floats:
        """The mean of the weights after each step."""
        return self.current - self._behind / self._steps if self._steps else self.current.copy()

    def restart(self, weights: Floats) -> None:
        """Begin anew from weights of this model, with nothing to average yet."""
        self.current, self._steps = weights.copy(), 0
        self._behind = np.zeros_like(self.current)

    def into_model(self, weights: Floats) -> CRF:
        """A fitted model with these weights."""
        now = self._weights
        model = self.base.unfitted()
        model.history_, model.objective_ = [], 0.0
        return model._set(
            Weights(now.outputs, now.encoding, now.pair_encoding, now.layout, weights), self.labels
        )


def check_online(base: SequenceModel) -> CRF:
    """The model, if its weights can be changed one sequence at a time.

    Examples
    --------
    >>> import bylaw
    >>> check_online(bylaw.HMM())
    Traceback (most recent call last):
    bylaw.errors.InputError: the weights of HMM() cannot be changed one sequence at a time; a CRF's can
    """
    if not isinstance(base, CRF):
        raise InputError(f"the weights of {base!r} cannot be changed one sequence at a time; a CRF's can")
    return base
