"""What all models share: fit, predict with or without rules, marginals, score, save, load."""

from __future__ import annotations

import os
from abc import abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, ClassVar, Self

import numpy.typing as npt

from lawful.corpus.sequences import SequencesLike
from lawful.corpus.texts.recognition import recognise_tokenizer
from lawful.corpus.texts.tokenizer import Tokenizer
from lawful.errors import DamagedFileError, FeatureError, InputError, ModelFileError
from lawful.labels import LabelSet
from lawful.models.base.predictor import Predictor
from lawful.models.saving import SavedModel, open_model, write_model

__all__ = ["TOKENIZER", "WITH_PRICES", "SequenceModel"]

TOKENIZER = "tokenizer"
"""The note of a model that says how its tokens were cut."""

WITH_PRICES = "learned with prices"
"""The note of a model that a perceptron learned, under rules or not: whether it learned prices, too."""

Functions = Mapping[str, Callable[..., Any]] | None


class SequenceModel(Predictor):
    """The base of all models: a `Tagger` with scikit-learn's conventions.

    A subclass defines how to `fit`, how to score (`lattice`), and what to save (`_saved` and `_restore`); the rest is
    here. `fit` sets `labels_`. `X` is a list of token sequences, `y` a list of label sequences.

    Examples
    --------
    >>> import numpy as np
    >>> import lawful
    >>> class MostCommon(SequenceModel):
    ...     kind = "example of a model"
    ...     def fit(self, X, y):
    ...         names, counts = np.unique([label for sequence in y for label in sequence], return_counts=True)
    ...         self.labels_, self.scores_ = lawful.LabelSet(names.tolist()), np.log(counts / counts.sum())
    ...         return self
    ...     def lattice(self, tokens):
    ...         return lawful.Lattice([self.scores_] * len(tokens), labels=self.labels, tokens=tokens)
    ...     def _saved(self):
    ...         return {}, {"scores": self.scores_}
    ...     def _restore(self, meta, arrays):
    ...         self.scores_ = arrays["scores"]
    >>> model = MostCommon().fit([["a", "b", "c"]], [["X", "X", "Y"]])
    >>> model.predict([["a", "b"]]), model.predict([["a", "b"]], rules=lawful.at_most(1, "X"))
    ([['X', 'X']], [['X', 'Y']])
    >>> model.score([["a", "b"]], [["X", "Y"]])
    0.5
    >>> model.save("common.lawful")
    >>> lawful.load_model("common.lawful").predict_marginals([["a"]])[0].round(3).tolist()
    [[0.667, 0.333]]
    """

    kind: ClassVar[str] = ""
    """The name of this kind of model in files; a class without one of its own cannot be saved."""

    feature_parameters: ClassVar[tuple[str, ...]] = ()
    """Which parameters are `Features`, or None."""

    kinds: ClassVar[dict[str, type[SequenceModel]]] = {}
    """Every class with a kind, by its kind."""

    notes_: Mapping[str, Any] = MappingProxyType({})
    """More data for its file, in JSON types: where it came from, the columns of its training data."""

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        if "kind" in cls.__dict__:
            SequenceModel.kinds[cls.kind] = cls

    # --- what a subclass must define -----------------------------------------------------------------------

    @abstractmethod
    def fit(self, X: SequencesLike, y: Iterable[Sequence[str]]) -> Self:
        """Learn from labelled sequences; returns the model itself."""

    @abstractmethod
    def _saved(self) -> tuple[Mapping[str, Any], Mapping[str, npt.ArrayLike]]:
        """What was learned: data for JSON, and arrays. (Parameters and labels are saved anyway.)"""

    @abstractmethod
    def _restore(self, meta: Mapping[str, Any], arrays: Mapping[str, npt.NDArray[Any]]) -> None:
        """Restore what `_saved` returned; labels and parameters are set already.

        Errors about missing or wrong data (KeyError, TypeError, ValueError, ...) become a `DamagedFileError`.
        """

    @property
    def calibrated(self) -> bool:
        """Whether prices of rules can be compared with its scores: log-probabilities, or learned together with prices."""
        told = self.notes_.get(WITH_PRICES)
        return self._scores_are_log_probabilities() if told is None else bool(told)

    def _scores_are_log_probabilities(self) -> bool:
        """Up to a constant for each sequence. Models whose scores are not override this."""
        return True

    # --- texts --------------------------------------------------------------------------------------------

    @property
    def tokenizer(self) -> Tokenizer:
        """How texts are cut into tokens for it: as those that it was fitted to, as far as that could be recognised.

        Set it to say better; it is saved with the model.
        """
        saved = self.notes_.get(TOKENIZER)
        if saved is not None:
            return Tokenizer.of(saved)
        inside = self._models_inside()
        return inside[0].tokenizer if inside else Tokenizer()

    @tokenizer.setter
    def tokenizer(self, value: Tokenizer | str) -> None:
        self.notes_ = {**self.notes_, TOKENIZER: Tokenizer.of(value).to_dict()}

    @property
    def columns_read(self) -> list[str | int]:
        """The columns, besides the text of a token, that its templates read."""
        columns: dict[str | int, None] = {}
        for name in self.feature_parameters:
            # The templates in use, which a model may have chosen itself.
            templates = getattr(
                self, "features_" if name == "features" and hasattr(self, "labels_") else name, None
            )
            for slot in getattr(templates, "slots", ()):
                columns.update(
                    (placed.leaf.source, None) for placed in slot.leaves if placed.leaf.source is not None
                )
        for model in self._models_inside():
            columns.update(dict.fromkeys(model.columns_read))
        return list(columns)

    def check_text(self) -> None:
        """Raise an `InputError` if it needs to know more of a token than its text."""
        if "features" in self.feature_parameters and getattr(self, "features_", self) is None:
            raise InputError(
                f"this {type(self).__name__} was trained on attributes, not on words, so it cannot label a text: give it templates"
            )
        columns = self.columns_read
        if columns:
            named = ", ".join(map(str, columns))
            raise InputError(
                f"this {type(self).__name__} was trained on more than words: it reads the column{'s' if len(columns) > 1 else ''} {named}, "
                "which a text does not have. Train it on words only (lawful train --columns token,_,label leaves a column out)"
            )

    def _models_inside(self) -> list[SequenceModel]:
        """The models that it is made of, if any."""
        inside = [*(getattr(self, "models", None) or ()), getattr(self, "model", None)]
        return [model for model in inside if isinstance(model, SequenceModel)]

    def _remember_cut(self, X: Sequence[Sequence[Any]]) -> None:
        """Remember how the tokens of training data were cut, unless that is known."""
        if TOKENIZER not in self.notes_:
            recognised = recognise_tokenizer(X)
            if recognised != Tokenizer():
                self.tokenizer = recognised

    # --- files --------------------------------------------------------------------------------------------

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the model to a file: data only, and the same bytes for the same model."""
        if "kind" not in type(self).__dict__:
            raise InputError(f"{type(self).__name__} has no kind of its own, so it cannot be saved")
        meta, arrays = self._saved_as()
        write_model(path, self.kind, meta, arrays)

    @classmethod
    def load(cls, path: str | os.PathLike[str], *, functions: Functions = None) -> Self:
        """Read a model of this kind from a file. `lawful.load_model` reads any kind.

        `functions` are those that its templates name, if any: a file holds no code.
        """
        with open_model(path) as saved:
            if saved.kind != cls.kind:
                raise ModelFileError(
                    path, f"it holds a model of kind {saved.kind!r}, not {cls.kind!r}: use lawful.load_model"
                )
            return cls.restored(saved, path, functions=functions)

    @classmethod
    def restored(
        cls, saved: SavedModel, path: str | os.PathLike[str] = "model", *, functions: Functions = None
    ) -> Self:
        """The model that a file's contents describe; `path` is for the errors."""
        try:
            model = cls(**cls._parameters_from(cls._with_features(saved.meta["parameters"], functions)))
            model.labels_ = LabelSet(saved.meta["labels"])
            model.notes_ = MappingProxyType(dict(saved.meta.get("notes", {})))
            model._restore(saved.meta, saved.arrays)
            model._parameters_as_data()  # refuse a file whose parameters this version could not have written
        except (FeatureError, ModelFileError):
            raise  # the message says already which function is missing or which array is damaged
        except (KeyError, TypeError, ValueError, IndexError, AttributeError, RecursionError) as error:
            raise DamagedFileError(
                path,
                f"a model of kind {saved.kind!r} cannot be restored from it ({type(error).__name__}: {error})",
            ) from error
        return model

    def _saved_as(self) -> tuple[dict[str, Any], Mapping[str, npt.ArrayLike]]:
        labels = list(self.labels)
        meta, arrays = self._saved()
        notes = {"notes": dict(self.notes_)} if self.notes_ else {}
        return {**meta, **notes, "parameters": self._parameters_as_data(), "labels": labels}, arrays

    def _parameters_as_data(self) -> dict[str, Any]:
        """The parameters in JSON types; models with other parameters than plain data override this."""
        data = self.get_params(deep=False)
        if data.get("labels") is not None:
            data["labels"] = list(data["labels"])  # a LabelSet is no JSON
        names = [name for name in self.feature_parameters if hasattr(data[name], "to_dict")]
        return {**data, **{name: data[name].to_dict() for name in names}}

    @classmethod
    def _with_features(cls, data: Mapping[str, Any], functions: Functions) -> Mapping[str, Any]:
        """Parameters from a file, with `Features` made of their data."""
        names = [name for name in cls.feature_parameters if isinstance(data.get(name), Mapping)]
        if not names:
            return data
        from lawful.models.features import Features  # only models with templates need this room

        return {**data, **{name: Features.from_dict(data[name], functions=functions) for name in names}}

    @classmethod
    def _parameters_from(cls, data: Mapping[str, Any]) -> dict[str, Any]:
        """The parameters that `_parameters_as_data` made data of."""
        return dict(data)
