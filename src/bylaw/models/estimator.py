"""What all models share: fit, predict with or without rules, marginals, score, save, load."""

from __future__ import annotations

import os
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, ClassVar, Self

import numpy as np
import numpy.typing as npt

from bylaw.decoding import Decoder
from bylaw.errors import DamagedFileError, InputError, ModelFileError, NotFittedError
from bylaw.labels import LabelSet
from bylaw.lattice import GraphLattice, Lattice
from bylaw.models.parameters import Parameters
from bylaw.models.saving import SavedModel, read_model, write_model
from bylaw.models.sequences import check_pairs
from bylaw.rules.rule import Rule
from bylaw.rules.ruleset import Rules

__all__ = ["SequenceModel"]


class SequenceModel(Parameters, ABC):
    """The base of all models: a `Tagger` with scikit-learn's manners.

    A kind of model says how to `fit`, how to score (`lattice`), and what to save (`_saved` and `_restore`). `fit`
    sets `labels_`; the rest is here. `X` is a list of token sequences, `y` a list of label sequences.

    Examples
    --------
    >>> import bylaw
    >>> class MostCommon(SequenceModel):
    ...     kind = "example of a model"
    ...     def fit(self, X, y):
    ...         names, counts = np.unique([label for one in y for label in one], return_counts=True)
    ...         self.labels_, self.scores_ = bylaw.LabelSet(names.tolist()), np.log(counts / counts.sum())
    ...         return self
    ...     def lattice(self, tokens):
    ...         return bylaw.Lattice([self.scores_] * len(tokens), labels=self.labels, tokens=tokens)
    ...     def _saved(self):
    ...         return {}, {"scores": self.scores_}
    ...     def _restore(self, meta, arrays):
    ...         self.scores_ = arrays["scores"]
    >>> model = MostCommon().fit([["a", "b", "c"]], [["X", "X", "Y"]])
    >>> model.predict([["a", "b"]]), model.predict([["a", "b"]], rules=bylaw.at_most(1, "X"))
    ([['X', 'X']], [['X', 'Y']])
    >>> model.score([["a", "b"]], [["X", "Y"]])
    0.5
    >>> model.save("common.bylaw")
    >>> bylaw.load("common.bylaw").predict_marginals([["a"]])[0].round(3).tolist()
    [[0.667, 0.333]]
    """

    kind: ClassVar[str] = ""
    """What its files are called; a class without a kind of its own cannot be saved."""

    kinds: ClassVar[dict[str, type[SequenceModel]]] = {}
    """Every class with a kind that has been defined so far."""

    labels_: LabelSet

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        if "kind" in cls.__dict__:
            SequenceModel.kinds[cls.kind] = cls

    # --- what a kind of model must say --------------------------------------------------------------------

    @abstractmethod
    def fit(self, X: Iterable[Sequence[Any]], y: Iterable[Sequence[str]]) -> Self:
        """Learn from labelled sequences; gives the model itself."""

    @abstractmethod
    def lattice(self, tokens: Sequence[Any], /) -> Lattice | GraphLattice:
        """The scores of one sequence, with its tokens in it for the rules that look at them."""

    @abstractmethod
    def _saved(self) -> tuple[Mapping[str, Any], Mapping[str, npt.ArrayLike]]:
        """What was learned: names and settings for JSON, and arrays. (Parameters and labels are saved anyway.)"""

    @abstractmethod
    def _restore(self, meta: Mapping[str, Any], arrays: Mapping[str, npt.NDArray[Any]]) -> None:
        """Take back what `_saved` gave; labels and parameters are there already.

        Whatever it raises for lack of something (KeyError, TypeError, ValueError, ...) becomes a `DamagedFileError`.
        """

    # --- for everyone -------------------------------------------------------------------------------------

    @property
    def labels(self) -> LabelSet:
        """The labels that it can give. Raises `NotFittedError` before `fit`."""
        try:
            return self.labels_
        except AttributeError:
            raise NotFittedError(type(self).__name__) from None

    def lattices(self, sequences: Iterable[Sequence[Any]]) -> Iterable[Lattice | GraphLattice]:
        """The lattices of many sequences; kinds of models that are faster for many say so themselves."""
        return map(self.lattice, sequences)

    def predict(
        self,
        X: Iterable[Sequence[Any]],
        rules: Rules | Rule | Iterable[Rule] | None = None,
        *,
        jobs: int | None = None,
        **options: Any,
    ) -> list[list[str]]:
        """The best labels of each sequence, under rules if there are any; an empty one gets an empty answer.

        Parameters
        ----------
        X : iterable of token sequences
        rules : Rules, rule or iterable of rules, optional
        jobs : int, optional
            Threads; all cores if not given.
        **options
            For the `Decoder`: solver, limits, max_loss and so on.
        """
        return Decoder(rules or (), tagger=self, **options).predict(X, jobs=jobs)

    def predict_marginals(
        self,
        X: Iterable[Sequence[Any]],
        rules: Rules | Rule | Iterable[Rule] | None = None,
        **options: Any,
    ) -> list[npt.NDArray[np.float64]]:
        """For each sequence an array (T, K): the probability of each label at each token, in the order of `labels`.

        Parameters are those of `predict`. For spans and segments, see `bylaw.marginals(model.lattice(tokens))`.
        """
        decoder = Decoder(rules or (), tagger=self, **options)
        nothing = np.zeros((0, len(self.labels)))
        given = [list(tokens) for tokens in X]
        found = iter(self.lattices(filter(None, given)))
        return [decoder.marginals(next(found)).labels if tokens else nothing for tokens in given]

    def score(
        self,
        X: Iterable[Sequence[Any]],
        y: Iterable[Sequence[str]],
        rules: Rules | Rule | Iterable[Rule] | None = None,
        **options: Any,
    ) -> float:
        """Token accuracy: the share of tokens that get their label. Parameters are those of `predict`."""
        tokens, labels = check_pairs(X, y)
        pairs = zip(self.predict(tokens, rules, **options), labels, strict=True)
        right = sum(mine == theirs for ours, gold in pairs for mine, theirs in zip(ours, gold, strict=True))
        return right / sum(map(len, labels))

    # --- files --------------------------------------------------------------------------------------------

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the model to a file: data only, the same bytes for the same model, bit for bit."""
        if "kind" not in type(self).__dict__:
            raise InputError(f"{type(self).__name__} has no kind of its own, so it cannot be saved")
        meta, arrays = self._saved_as()
        write_model(path, self.kind, meta, arrays)

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Self:
        """Read a model of this kind from a file. `bylaw.load` reads any kind."""
        saved = read_model(path)
        if saved.kind != cls.kind:
            raise ModelFileError(
                path, f"it holds a model of kind {saved.kind!r}, not {cls.kind!r}: use bylaw.load"
            )
        return cls.restored(saved, path)

    @classmethod
    def restored(cls, saved: SavedModel, path: str | os.PathLike[str] = "model") -> Self:
        """The model that a file's contents describe; `path` is for the errors."""
        try:
            model = cls(**cls._parameters_from(saved.meta["parameters"]))
            model.labels_ = LabelSet(saved.meta["labels"])
            model._restore(saved.meta, saved.arrays)
        except (KeyError, TypeError, ValueError, IndexError, AttributeError) as error:
            raise DamagedFileError(
                path, f"a model of kind {saved.kind!r} cannot be made of it ({type(error).__name__}: {error})"
            ) from error
        return model

    def _saved_as(self) -> tuple[dict[str, Any], Mapping[str, npt.ArrayLike]]:
        labels = list(self.labels)
        meta, arrays = self._saved()
        return {**meta, "parameters": self._parameters_as_data(), "labels": labels}, arrays

    def _parameters_as_data(self) -> dict[str, Any]:
        """The parameters as JSON can say them; models with others than plain data have their own way."""
        return self.get_params(deep=False)

    @classmethod
    def _parameters_from(cls, data: Mapping[str, Any]) -> dict[str, Any]:
        """Parameters again, from what `_parameters_as_data` gave."""
        return dict(data)
