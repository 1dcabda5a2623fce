"""Many binary models instead of one with many labels: output codes after Cohn, Smith and Osborne (Loper 4.7)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Self

import numpy as np
import numpy.typing as npt

from lawful.corpus.sequences import SequencesLike
from lawful.encodings.model_store import ModelStore, digest_of
from lawful.errors import InputError, NotFittedError
from lawful.labels import LabelSet
from lawful.lattice import Lattice, Transitions
from lawful.lattice.arrays import Floats
from lawful.lattice.trellis import as_trellis
from lawful.models.base.estimator import SequenceModel
from lawful.models.base.sequences import check_pairs, labels_in
from lawful.models.linear.outputs import prefix_groups
from lawful.models.loading import models_inside, save_inside

__all__ = ["Coded", "prefix_code"]

BITS = ("0", "1")


def prefix_code(labels: Iterable[str]) -> dict[str, tuple[int, ...]]:
    """A code word for each label: one bit for each label, and one for each prefix that several labels share.

    Subdivided labels share the bits of their prefixes, as they share features in a model with `groups="prefix"`.

    Examples
    --------
    Figure 4.11 of the dissertation, in another order of columns:

    >>> code = prefix_code(["I.1", "I.2.1", "I.2.2", "O.1", "O.2", "B"])
    >>> code["I.1"], code["I.2.2"]
    ((1, 0, 0, 0, 0, 0, 1, 0, 0), (0, 0, 1, 0, 0, 0, 1, 1, 0))
    """
    names = list(labels)
    groups = [[name] for name in names] + [*prefix_groups(names).values()]
    return {name: tuple(int(name in group) for group in groups) for name in names}


class Coded(SequenceModel):
    """One binary model per bit of a code; the score of labels is the sum of the scores that all bits' models give.

    Parameters
    ----------
    model : SequenceModel
        Trained anew for each bit, with the labels "0" and "1"; its lattices must be trellises.
    store : ModelStore, optional
        Where binary models are kept, so that the same bit of the same data is trained once, in whatever encoding it turns up.

    Attributes
    ----------
    models_ : list of SequenceModel
    code_ : dict from label to code word

    Examples
    --------
    >>> import lawful
    >>> X, y = [["a", "b", "c"]], [["A.1", "A.2", "B"]]
    >>> coded = Coded(lawful.CRF(c2=0.01)).fit(X, y)
    >>> coded.predict(X), len(coded.models_)
    ([['A.1', 'A.2', 'B']], 4)
    """

    kind = "coded"

    def __init__(self, model: SequenceModel, *, store: ModelStore | None = None) -> None:
        self.model, self.store = model, store

    def fit(self, X: SequencesLike, y: Iterable[Sequence[str]]) -> Self:
        """Train the model of each bit, or take it from the store."""
        tokens, gold = check_pairs(X, y)
        self.labels_ = LabelSet(labels_in(gold))
        self.code_ = prefix_code(self.labels_)
        settings = "" if self.store is None else digest_of(tokens, repr(self.model))
        self.models_ = []
        for bit in range(len(self.code_[self.labels_[0]])):
            digits = {label: BITS[word[bit]] for label, word in self.code_.items()}
            relabelled = ["".join(digits[label] for label in labels) for labels in gold]
            self.models_.append(self._trained(tokens, relabelled, settings))
        return self._prepared()

    def _trained(
        self, tokens: Sequence[Sequence[Any]], relabelled: Sequence[str], settings: str
    ) -> SequenceModel:
        def train() -> SequenceModel:
            return self.model.unfitted().fit(tokens, [list(digits) for digits in relabelled])

        return train() if self.store is None else self.store.model(settings, relabelled, train)

    def _prepared(self) -> Self:
        # For each bit, the index of each label's digit among the labels of the bit's model (one, if all are alike).
        self._digits = [
            np.array([model.labels.index(BITS[self.code_[label][bit]]) for label in self.labels_])
            for bit, model in enumerate(self.models_)
        ]
        return self

    def lattice(self, tokens: Sequence[Any], /) -> Lattice:
        """The scores of one sequence: those of all bits added up."""
        return next(iter(self.lattices([tokens])))

    def lattices(self, sequences: Iterable[Sequence[Any]]) -> Iterable[Lattice]:
        """The scores of many sequences."""
        if not hasattr(self, "models_"):
            raise NotFittedError(type(self).__name__)
        inputs = [list(tokens) for tokens in sequences]
        of_bits = [list(model.lattices(inputs)) for model in self.models_]
        shared: dict[tuple[int, ...], Transitions] = {}
        for tokens, *lattices in zip(inputs, *of_bits, strict=True):
            trellises = [trellis for lattice in lattices if (trellis := as_trellis(lattice)) is not None]
            if len(trellises) < len(lattices):
                raise InputError("only models whose lattices are trellises can be coded")
            yield self._added(tokens, trellises, shared)

    def _added(
        self, tokens: Sequence[Any], trellises: Sequence[Lattice], shared: dict[tuple[int, ...], Transitions]
    ) -> Lattice:
        size = len(self.labels_)
        emissions = np.zeros((len(tokens), size))
        start, end = np.zeros(size), np.zeros(size)
        for trellis, digits in zip(trellises, self._digits, strict=True):
            emissions += trellis.emissions[:, digits]
            start += 0.0 if trellis.start is None else trellis.start[digits]
            end += 0.0 if trellis.end is None else trellis.end[digits]
        # Models share one transition matrix among their lattices: added up once, it is shared here too.
        steps = [trellis.transitions for trellis in trellises]
        key = tuple(0 if matrix is None else matrix.__array_interface__["data"][0] for matrix in steps)
        if key not in shared:
            shared[key] = Transitions(self._steps(steps), labels=self.labels_)
        return Lattice(emissions, shared[key], labels=self.labels_, start=start, end=end, tokens=tokens)

    def _steps(self, steps: Sequence[Floats | None]) -> Floats:
        total: Floats = np.zeros((len(self.labels_), len(self.labels_)))
        for matrix, digits in zip(steps, self._digits, strict=True):
            if matrix is not None:
                total = total + matrix[..., digits[:, None], digits]
        return total

    def _scores_are_log_probabilities(self) -> bool:
        return self.model.calibrated

    # --- files ---------------------------------------------------------------------------------------------

    def _saved(self) -> tuple[Mapping[str, Any], Mapping[str, npt.ArrayLike]]:
        models, arrays = save_inside(self.models_)
        return {"models": models, "code": {label: list(word) for label, word in self.code_.items()}}, arrays

    def _restore(self, meta: Mapping[str, Any], arrays: Mapping[str, npt.NDArray[Any]]) -> None:
        self.code_ = {label: tuple(word) for label, word in meta["code"].items()}
        self.models_ = models_inside(meta["models"], arrays)
        self.model = self.models_[0].unfitted()
        self._prepared()

    def _parameters_as_data(self) -> dict[str, Any]:
        return {}

    @classmethod
    def _parameters_from(cls, data: Mapping[str, Any]) -> dict[str, Any]:
        return {"model": None}  # `_restore` sets it
