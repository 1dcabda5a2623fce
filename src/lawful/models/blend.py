"""Several models as one: a convex combination of their scores, or of their probabilities."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal, Self

import numpy as np
import numpy.typing as npt

from lawful.corpus.sequences import SequencesLike
from lawful.errors import InputError, LabelSetError
from lawful.lattice import AnyLattice, Lattice, Transitions
from lawful.lattice.arrays import Floats
from lawful.models.base.estimator import SequenceModel
from lawful.models.loading import models_inside, save_inside

__all__ = ["Blend"]

How = Literal["scores", "probabilities"]


class Blend(SequenceModel):
    """A convex combination of models over the same labels.

    Parameters
    ----------
    models : sequence of SequenceModel
    weights : sequence of float
        One per model, 0 or more, with sum 1.
    how : "scores" or "probabilities"
        Whether to average scores, which is the same as averaging the weights of linear models; or, for models whose
        scores are log-probabilities of tokens and labels (the HMM), the probabilities themselves.

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
        kept: dict[tuple[int, ...], Transitions] = {}
        return [
            self._combined(tokens, of_sequence, kept, labels)
            for tokens, *of_sequence in zip(inputs, *lattices, strict=True)
        ]

    def _combined(
        self,
        tokens: Sequence[Any],
        of_sequence: Sequence[AnyLattice],
        kept: dict[tuple[int, ...], Transitions],
        labels: Any,
    ) -> Lattice:
        """The combination of one sequence's lattices; shared transitions are combined once."""
        lattices = [lattice for lattice in of_sequence if isinstance(lattice, Lattice)]
        if len(lattices) < len(of_sequence):
            raise InputError("only models whose lattices are trellises can be blended")
        size = len(labels)
        steps = [lattice.transitions for lattice in lattices]
        # Models share one transition matrix among their lattices: mixed once, it is shared by the blended lattices too.
        key = tuple(map(_address, steps))
        if key not in kept:
            kept[key] = Transitions(self._mix(steps, np.zeros((size, size))), labels=labels)
        return Lattice(
            self._mix([lattice.emissions for lattice in lattices], np.zeros(size)),
            kept[key],
            labels=labels,
            start=self._mix([lattice.start for lattice in lattices], np.zeros(size)),
            end=self._mix([lattice.end for lattice in lattices], np.zeros(size)),
            tokens=tokens,
            context=lattices[0].context,
        )

    def _mix(self, arrays: Sequence[Floats | None], absent: Floats) -> Floats:
        """The weighted mean of arrays; `absent` stands for what a model does not score."""
        weighted = [
            (weight, absent if array is None else array)
            for weight, array in zip(self.weights, arrays, strict=True)
            if weight
        ]
        if self.how == "scores":
            return np.asarray(
                np.sum([weight * array for weight, array in weighted], axis=0), dtype=np.float64
            )
        logs = [np.log(weight) + array for weight, array in weighted]
        return np.asarray(np.logaddexp.reduce(logs), dtype=np.float64)

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


def _address(array: Floats | None) -> int:
    return 0 if array is None else array.__array_interface__["data"][0]
