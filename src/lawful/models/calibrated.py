"""A model whose scores are divided by a temperature, so that they are log-probabilities up to a constant."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Self

import numpy.typing as npt

from lawful.corpus.sequences import SequencesLike
from lawful.errors import InputError
from lawful.lattice import AnyLattice, Lattice, Transitions
from lawful.models.base.estimator import SequenceModel
from lawful.models.loading import restore
from lawful.models.saving import SavedModel

__all__ = ["Calibrated", "scaled_lattices"]


class Calibrated(SequenceModel):
    """A model at another temperature: the same best labels, other probabilities.

    Prices are nats. Beside scores that are sums of weights, as those of perceptrons, they mean nothing until the scores are nats
    too. `lawful.learning.calibrate` finds the temperature.

    Parameters
    ----------
    model : SequenceModel
        Its lattices must be trellises.
    temperature : float
        What scores are divided by, above 0.

    Examples
    --------
    >>> import lawful
    >>> model = lawful.models.StructuredPerceptron().fit([["a", "b"]] * 3, [["X", "Y"]] * 3)
    >>> cool, warm = Calibrated(model, 0.1), Calibrated(model, 10.0)
    >>> cool.predict([["a", "b"]]) == warm.predict([["a", "b"]]) == model.predict([["a", "b"]])
    True
    >>> bool(cool.predict_marginals([["a"]])[0][0, 0] > warm.predict_marginals([["a"]])[0][0, 0])
    True
    """

    kind = "calibrated"

    def __init__(self, model: SequenceModel, temperature: float = 1.0) -> None:
        self.model, self.temperature = model, temperature
        if hasattr(model, "labels_"):
            self._check()

    def _check(self) -> Self:
        temperature: object = self.temperature
        if not isinstance(temperature, int | float) or not 0 < temperature < float("inf"):
            raise InputError(f"temperature must be a number above 0, got {temperature!r}")
        self.labels_ = self.model.labels
        return self

    def fit(self, X: SequencesLike, y: Iterable[Sequence[str]]) -> Self:
        """Fit the model; the temperature stays as it is."""
        self.model.fit(X, y)
        return self._check()

    def lattice(self, tokens: Sequence[Any], /) -> AnyLattice:
        """The scores of one sequence."""
        return self.lattices([tokens])[0]

    def lattices(self, sequences: Iterable[Sequence[Any]]) -> list[Lattice]:
        """The scores of many sequences."""
        return scaled_lattices(self.model.lattices(sequences), 1 / self.temperature)

    # --- files: the data of the model inside ----------------------------------------------------------------

    def _saved(self) -> tuple[Mapping[str, Any], Mapping[str, npt.ArrayLike]]:
        meta, arrays = self.model._saved_as()
        return {"model": {"kind": self.model.kind, "meta": meta}, "temperature": self.temperature}, arrays

    def _restore(self, meta: Mapping[str, Any], arrays: Mapping[str, npt.NDArray[Any]]) -> None:
        self.model = restore(SavedModel(meta["model"]["kind"], meta["model"]["meta"], dict(arrays)))
        self.temperature = meta["temperature"]
        self._check()

    def _parameters_as_data(self) -> dict[str, Any]:
        return {}

    @classmethod
    def _parameters_from(cls, data: Mapping[str, Any]) -> dict[str, Any]:
        return {"model": None}


def scaled_lattices(lattices: Iterable[AnyLattice], factor: float) -> list[Lattice]:
    """Trellises with all their scores multiplied; what they share, they still share.

    Examples
    --------
    >>> [lattice] = scaled_lattices([Lattice([[1.0, float("-inf")]], labels=["A", "B"])], 0.5)
    >>> lattice.emissions.tolist()
    [[0.5, -inf]]
    """
    scaled = []
    kept: dict[int, tuple[object, Transitions]] = {}
    for lattice in lattices:
        if not isinstance(lattice, Lattice):
            raise InputError("only models whose lattices are trellises can have another temperature")
        steps = lattice.transitions
        shared = None
        if steps is not None:
            address = steps.__array_interface__["data"][0]
            if address not in kept:
                kept[address] = steps, Transitions(factor * steps, labels=lattice.labels)
            shared = kept[address][1]
        scaled.append(
            Lattice(
                factor * lattice.emissions,
                shared,
                labels=lattice.labels,
                start=None if lattice.start is None else factor * lattice.start,
                end=None if lattice.end is None else factor * lattice.end,
                tokens=lattice.tokens,
                context=lattice.context,
            )
        )
    return scaled
