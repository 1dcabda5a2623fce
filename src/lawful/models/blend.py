"""Several models as one: a convex combination of their scores, or of their probabilities."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import reduce
from typing import Any, Literal, Self

import numpy as np
import numpy.typing as npt

from lawful.corpus.sequences import SequencesLike
from lawful.errors import InputError, LabelSetError
from lawful.labels import LabelSet
from lawful.lattice import AnyLattice, Lattice, Transitions
from lawful.lattice.arrays import Floats
from lawful.models.base.estimator import SequenceModel
from lawful.models.loading import models_inside, save_inside

__all__ = ["Blend", "TrellisMixer"]

How = Literal["scores", "probabilities"]


class Blend(SequenceModel):
    """A convex combination of models over the same labels.

    Parameters
    ----------
    models : sequence of SequenceModel
    weights : sequence of float
        One per model, 0 or more, with sum 1.
    how : "scores" or "probabilities"
        Whether to average scores, which is the same as averaging the weights of linear models, and is the log-linear vote of
        models in one encoding (`lawful.vote` takes several encodings); or, for models whose scores are log-probabilities of
        tokens and labels (the HMM), the probabilities of each step, which is no linear vote: that one adds whole sequences.

    Examples
    --------
    >>> import lawful
    >>> first = lawful.HMM().fit([["a", "b"]], [["X", "Y"]])
    >>> second = lawful.HMM().fit([["b", "a"]], [["X", "Y"]])
    >>> Blend([first, second], [0.9, 0.1]).predict([["a", "b"]])
    [['X', 'Y']]
    """

    kind = "blend"

    def __init__(
        self, models: Sequence[SequenceModel], weights: Sequence[float], *, how: How = "scores"
    ) -> None:
        self.models, self.weights, self.how = models, weights, how
        if models and all(hasattr(model, "labels_") for model in models):
            self._check()

    def _check(self) -> Self:
        if len(self.models) != len(self.weights) or not self.models:
            raise InputError(f"there are {len(self.models)} models but {len(self.weights)} weights")
        if min(self.weights) < 0 or abs(sum(self.weights) - 1) > 1e-9:
            raise InputError(f"weights must be 0 or more, with sum 1, got {list(self.weights)!r}")
        if self.how not in ("scores", "probabilities"):
            raise InputError(f"how must be 'scores' or 'probabilities', got {self.how!r}")
        for model in self.models[1:]:
            if model.labels != self.models[0].labels:
                raise LabelSetError(self.models[0].labels, model.labels)
        self.labels_ = self.models[0].labels
        return self

    def _scores_are_log_probabilities(self) -> bool:
        return all(model.calibrated for model in self.models)

    def fit(self, X: SequencesLike, y: Iterable[Sequence[str]]) -> Self:
        """Fit each of the models."""
        tokens, labels = list(X), list(y)
        for model in self.models:
            model.fit(tokens, labels)
        return self._check()

    def lattice(self, tokens: Sequence[Any], /) -> Lattice:
        """The combined scores of one sequence."""
        return self.lattices([tokens])[0]

    def lattices(self, sequences: Iterable[Sequence[Any]]) -> list[Lattice]:
        """The combined scores of many sequences."""
        labels, inputs = self.labels, [list(tokens) for tokens in sequences]
        lattices = [list(model.lattices(inputs)) for model in self.models]
        mix = TrellisMixer(self.weights, labels, how=self.how)
        return [mix(of_sequence) for of_sequence in zip(*lattices, strict=True)]

    # --- files ----------------------------------------------------------------------------------------------

    def _saved(self) -> tuple[Mapping[str, Any], Mapping[str, npt.ArrayLike]]:
        models, arrays = save_inside(self.models)
        return {"models": models, "weights": list(self.weights), "how": self.how}, arrays

    def _restore(self, meta: Mapping[str, Any], arrays: Mapping[str, npt.NDArray[Any]]) -> None:
        self.models = models_inside(meta["models"], arrays)
        self.weights, self.how = list(meta["weights"]), meta["how"]
        self._check()

    def _parameters_as_data(self) -> dict[str, Any]:
        return {}

    @classmethod
    def _parameters_from(cls, data: Mapping[str, Any]) -> dict[str, Any]:
        return {"models": [], "weights": []}


class TrellisMixer:
    """Combines the trellises of one sequence after another; transitions that sequences share are combined once.

    Averaging scores is the log-linear vote of models in one encoding: probabilities are multiplied, each to the power of its
    weight. Averaging the probabilities of single steps is no vote on whole sequences.

    Parameters
    ----------
    weights : sequence of float
    labels : LabelSet
        Of all trellises.
    how : "scores" or "probabilities"

    Examples
    --------
    >>> from lawful.labels import LabelSet
    >>> mix = TrellisMixer([0.5, 0.5], LabelSet(["A", "B"]))
    >>> mix([Lattice([[1.0, 0.0]], labels=["A", "B"]), Lattice([[0.0, 4.0]], labels=["A", "B"])]).emissions.tolist()
    [[0.5, 2.0]]
    """

    def __init__(self, weights: Sequence[float], labels: LabelSet, *, how: How = "scores") -> None:
        self._weights, self._labels, self._how = weights, labels, how
        self._kept: dict[tuple[int, ...], tuple[object, Transitions]] = {}

    def __call__(self, of_sequence: Sequence[AnyLattice]) -> Lattice:
        """The combination of one sequence's lattices."""
        lattices = [lattice for lattice in of_sequence if isinstance(lattice, Lattice)]
        if len(lattices) < len(of_sequence):
            raise InputError("only models whose lattices are trellises can be blended")
        return Lattice(
            self._mix([lattice.emissions for lattice in lattices]),
            self._transitions([lattice.shared_transitions for lattice in lattices]),
            labels=self._labels,
            start=self._mix_boundary([lattice.start for lattice in lattices]),
            end=self._mix_boundary([lattice.end for lattice in lattices]),
            tokens=lattices[0].tokens,
            context=lattices[0].context,
        )

    def _transitions(self, steps: list[Transitions | None]) -> Transitions | Floats | None:
        if all(matrices is None for matrices in steps) and self._how == "scores":
            return None
        # Models share one transition matrix among their lattices: mixed once, it is shared by the mixed lattices too. The
        # matrices are kept with it, so that no others get their identities.
        key = tuple(map(id, steps))
        if key not in self._kept:
            absent = np.zeros((len(self._labels), len(self._labels)))
            mixed = self._mix([absent if matrices is None else matrices.scores for matrices in steps])
            if mixed.ndim == 3:
                return mixed  # one for each step of this sequence only
            self._kept[key] = steps, Transitions(mixed, labels=self._labels)
        return self._kept[key][1]

    def _mix_boundary(self, arrays: list[Floats | None]) -> Floats | None:
        if all(array is None for array in arrays) and self._how == "scores":
            return None
        absent = np.zeros(len(self._labels))  # for what a model does not score
        return self._mix([absent if array is None else array for array in arrays])

    def _mix(self, arrays: Sequence[Floats]) -> Floats:
        """The weighted mean of arrays."""
        weighted = zip(self._weights, arrays, strict=True)
        if self._how == "scores":
            return reduce(np.add, (weight * array for weight, array in weighted if weight))
        return reduce(np.logaddexp, (np.log(weight) + array for weight, array in weighted if weight))
