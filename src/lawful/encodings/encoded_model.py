"""A model that is trained on the tags of an encoding, and speaks of canonical labels."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Self

import numpy.typing as npt

from lawful.corpus.sequences import SequencesLike
from lawful.encodings.composition.lattices import ComposedLattices
from lawful.encodings.encoding import Encoding
from lawful.errors import InputError, NotFittedError
from lawful.lattice import GraphLattice, TagLattice
from lawful.models.base.estimator import SequenceModel
from lawful.models.base.sequences import check_pairs
from lawful.models.loading import models_inside, save_inside

__all__ = ["Encoded"]


class Encoded(SequenceModel):
    """A model in an encoding: it is fitted on tags and predicts canonical labels, under rules about canonical labels.

    Parameters
    ----------
    model : SequenceModel
        Fitted on the tags; its lattices must be trellises. A CRF with `groups="prefix"` shares features among
        subdivided tags.
    encoding : Encoding

    Examples
    --------
    >>> import lawful
    >>> from lawful.encodings import history_encoding
    >>> words, labels = [["a", "b", "a", "b"]] * 3, [["X", "Y", "Y", "X"]] * 3
    >>> second_order = Encoded(lawful.CRF(c2=0.01), history_encoding(["X", "Y"], 2)).fit(words, labels)
    >>> second_order.predict([["a", "b", "a", "b"]])
    [['X', 'Y', 'Y', 'X']]
    >>> second_order.predict([["a", "b", "a", "b"]], rules=lawful.at_most(1, "X"))
    [['X', 'Y', 'Y', 'Y']]
    """

    kind = "encoded"

    def __init__(self, model: SequenceModel, encoding: Encoding) -> None:
        self.model, self.encoding = model, encoding
        if hasattr(model, "labels_"):
            self._check()

    def _check(self) -> Self:
        self.labels_ = self.encoding.labels
        self._composed = ComposedLattices(self.encoding, self.model.labels)
        return self

    def fit(self, X: SequencesLike, y: Iterable[Sequence[str]], **options: Any) -> Self:
        """Encode the labels, and fit the model on the tags; it gets the options."""
        tokens, labels = check_pairs(X, y)
        tags = []
        for number, (of_sequence, canonical) in enumerate(zip(tokens, labels, strict=True)):
            try:
                tags.append(list(self.encoding.encode(canonical, of_sequence)))
            except InputError as error:
                error.add_note(f"in sequence {number + 1} of the training data")
                raise
        self.model.fit(tokens, tags, **options)
        return self._check()

    def lattice(self, tokens: Sequence[Any], /) -> TagLattice | GraphLattice:
        """The scores of one sequence, over canonical labels."""
        return next(iter(self.lattices([tokens])))

    def lattices(self, sequences: Iterable[Sequence[Any]]) -> Iterable[TagLattice | GraphLattice]:
        """The scores of many sequences."""
        if not hasattr(self, "_composed"):
            raise NotFittedError(type(self).__name__)
        return self._composed.many(self.model.lattices(sequences))

    def _scores_are_log_probabilities(self) -> bool:
        return (
            self.model.calibrated
        )  # another spelling of labels does not make probabilities of sums of weights

    # --- files ---------------------------------------------------------------------------------------------

    def _saved(self) -> tuple[Mapping[str, Any], Mapping[str, npt.ArrayLike]]:
        (model,), arrays = save_inside([self.model])
        return {"model": model, "encoding": self.encoding.to_dict()}, arrays

    def _restore(self, meta: Mapping[str, Any], arrays: Mapping[str, npt.NDArray[Any]]) -> None:
        (self.model,) = models_inside([meta["model"]], arrays)
        self.encoding = Encoding.from_dict(meta["encoding"])
        self._check()

    def _parameters_as_data(self) -> dict[str, Any]:
        return {}

    @classmethod
    def _parameters_from(cls, data: Mapping[str, Any]) -> dict[str, Any]:
        # `_restore` sets both.
        return {"model": None, "encoding": None}
