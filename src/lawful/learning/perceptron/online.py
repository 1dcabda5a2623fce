"""A linear model whose weights are changed one sequence at a time, and averaged."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from lawful import _core
from lawful.errors import InputError
from lawful.labels import LabelSet
from lawful.lattice import Lattice
from lawful.lattice.arrays import Floats
from lawful.models.base.estimator import SequenceModel
from lawful.models.crf import CRF
from lawful.models.linear.attributes import core_sequences
from lawful.models.linear.fitting import AttributeCorpus, FeatureChoice
from lawful.models.linear.outputs import Outputs
from lawful.models.linear.weights import Weights
from lawful.models.perceptron.structured_perceptron import StructuredPerceptron

__all__ = ["Online", "OnlineWeights", "check_online", "features_of"]

Online = CRF | StructuredPerceptron


class OnlineWeights:
    """The weights of a model, current and averaged, over a labelled corpus that was read once.

    Like `StructuredPerceptron.learner`, for any linear model, for labels that the data may lack, and to begin again from
    other weights.

    Parameters
    ----------
    base : CRF or StructuredPerceptron
        Its templates and choice of features; it stays as it is.
    X : sequence of token sequences
    y : sequence of label sequences
        What the features are taken from, and what is learned.
    labels : LabelSet
    contexts : sequence of mappings, optional
        What comes with each sequence by name.

    Examples
    --------
    >>> import lawful
    >>> X, y = [[["w=a"], ["w=b"]]], [["A", "B"]]
    >>> online = OnlineWeights(lawful.CRF(), X, y, lawful.LabelSet(["A", "B"]))
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
        self._flat = np.concatenate(self.gold)
        corpus, self._start, _ = features_of(self.base, X, self._flat, labels)
        self._data = core_sequences(corpus.sequences)
        self._pairs = None if corpus.pairs is None else core_sequences(corpus.pairs)
        self.restart(self._start.values)

    def restart(self, weights: Floats) -> None:
        """Begin anew from weights of this model, with nothing to average yet."""
        layout = self._start.layout
        self._first = weights.copy()
        self._core = _core.CrfPerceptron(
            layout, self._data, self._pairs, self._flat, weights, margin=0.0, rate=1.0, record=False
        )
        self._shared: tuple[Floats, Floats | None, Floats | None] | None = None

    def lattice(self, place: int) -> Lattice:
        """The scores of one sequence with the current weights."""
        if self._shared is None:
            edges, first, last = self._core.transitions()
            layout = self._start.layout
            self._shared = (
                edges,
                first if len(layout.first_outputs) else None,
                last if len(layout.last_outputs) else None,
            )
        steps, start, end = self._shared
        tokens = self.X[place]
        if self._pairs is not None and len(tokens) > 1:
            steps = self._core.steps(place)
        return Lattice(
            self._core.emissions(place, None),
            steps,
            labels=self.labels,
            start=start,
            end=end,
            tokens=tokens,
            context=self.contexts[place] if self.contexts else {},
        )

    def update(self, place: int, found: npt.NDArray[np.int32]) -> None:
        """Line 5 of Algorithm 3: add the features of the gold labels of a sequence, take off those of another labelling (T,)."""
        if self._core.update(place, self.gold[place], found, 1.0):
            self._shared = None

    def step(self) -> None:
        """One sequence has been seen: the current weights count once more in the average."""
        self._core.advance(1.0)

    @property
    def current(self) -> Floats:
        """The weights as they are now, copied."""
        return self._core.current

    @property
    def averaged(self) -> Floats:
        """The mean of the weights after each step. (The core's own also counts those at the start.)"""
        time = self._core.time
        return (time * self._core.weights - self._first) / (time - 1) if time > 1 else self.current

    def into_model(self, weights: Floats) -> Online:
        """A fitted model with these weights."""
        now, model = self._start, self.base.unfitted()
        model.history_ = []
        if isinstance(model, CRF):
            model.objective_ = 0.0
        return model._set(
            Weights(now.outputs, now.attribute_map, now.pair_map, now.layout, weights), self.labels
        )


def features_of(
    base: Online, X: Sequence[Sequence[Any]], gold: npt.NDArray[np.int32], labels: LabelSet
) -> tuple[AttributeCorpus, Weights, Floats]:
    """The features that a labelled corpus gives a model, with weights of 0, and how often each was seen.

    Examples
    --------
    >>> import lawful
    >>> gold = np.array([0, 1], dtype=np.int32)
    >>> _, weights, observed = features_of(lawful.CRF(), [[["a"], ["b"]]], gold, lawful.LabelSet(["A", "B"]))
    >>> len(weights.values), observed.tolist()
    (3, [1.0, 1.0, 1.0])
    """
    corpus = AttributeCorpus.read(X, X, base._collections(), base.transition_features)
    choice = FeatureChoice(base.all_states, base.all_transitions, base.min_count, base.start, base.end)
    outputs = Outputs.of(labels)
    if isinstance(base, CRF):
        outputs = Outputs.of(labels, base.groups, label_features=base.label_features)
    return corpus, *choice.weights(corpus, gold, labels, outputs)


def check_online(base: SequenceModel) -> Online:
    """The model, if its weights can be changed one sequence at a time.

    Examples
    --------
    >>> import lawful
    >>> check_online(lawful.HMM())
    Traceback (most recent call last):
    lawful.errors.InputError: the weights of HMM() cannot be changed one sequence at a time; those of a CRF or a StructuredPerceptron can
    """
    if not isinstance(base, (CRF, StructuredPerceptron)) or getattr(base, "averaging", "") == "voted":
        raise InputError(
            f"the weights of {base!r} cannot be changed one sequence at a time; those of a CRF or a "
            "StructuredPerceptron can"
        )
    return base
