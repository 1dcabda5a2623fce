"""What every model does: scikit-learn's manners, rules, files."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from sklearn.base import clone
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import make_pipeline

import lawful
from lawful.errors import DamagedFileError, InputError, ModelFileError, NotFittedError
from lawful.models.base.sequences import check_pairs, labels_in
from lawful.models.saving import write_model

X = [["a", "b"], ["b"], ["a", "a", "b"], []]
Y = [["X", "Y"], ["Y"], ["X", "X", "Y"], []]


class ByWord(lawful.models.SequenceModel):
    """The log odds of each word's labels."""

    kind = "by word, for tests"

    def __init__(self, *, alpha: float = 1.0, shout: bool = False) -> None:
        self.alpha, self.shout = alpha, shout

    def fit(self, X: Iterable[Sequence[Any]], y: Iterable[Sequence[str]]) -> ByWord:
        tokens, gold = check_pairs(X, y)
        self.labels_ = labels_in(gold)
        self.words_ = sorted({word for one in tokens for word in one})
        counts = np.full((len(self.words_) + 1, len(self.labels_)), float(self.alpha))
        for words, labels in zip(tokens, gold, strict=True):
            for word, label in zip(words, labels, strict=True):
                counts[self.words_.index(word), self.labels_.index(label)] += 1
        self.scores_ = np.log(counts / counts.sum(axis=1, keepdims=True))
        return self

    def lattice(self, tokens: Sequence[Any]) -> lawful.Lattice:
        rows = [self.words_.index(word) if word in self.words_ else -1 for word in tokens]
        return lawful.Lattice(self.scores_[rows], labels=self.labels, tokens=tokens)

    def _saved(self) -> tuple[Mapping[str, Any], Mapping[str, npt.ArrayLike]]:
        return {"words": self.words_}, {"scores": self.scores_}

    def _restore(self, meta: Mapping[str, Any], arrays: Mapping[str, npt.NDArray[Any]]) -> None:
        self.words_, self.scores_ = list(meta["words"]), arrays["scores"]


class Holder(ByWord):
    """A model with a model inside; no kind of its own."""

    def __init__(self, base: ByWord, *, rules: lawful.Rules | None = None) -> None:
        self.base, self.rules = base, rules


# --- parameters ---------------------------------------------------------------------------------------------


def test_parameters_are_got_and_set() -> None:
    model = ByWord(alpha=0.5)
    assert model.get_params() == {"alpha": 0.5, "shout": False}
    assert model.set_params(shout=True) is model
    assert repr(model) == "ByWord(alpha=0.5, shout=True)"
    with pytest.raises(InputError, match="no parameter 'beta'; it has alpha, shout"):
        model.set_params(beta=1)


def test_parameters_of_models_inside() -> None:
    model = Holder(ByWord(alpha=0.5))
    assert model.get_params(deep=False) == {"base": model.base, "rules": None}
    assert model.get_params()["base__alpha"] == 0.5
    model.set_params(base__alpha=2.0)
    assert model.base.alpha == 2.0


def test_sklearn_clones_without_what_was_learned() -> None:
    alpha = 0.25
    model = ByWord(alpha=alpha).fit(X, Y)
    copied = clone(model)
    assert copied.get_params() == model.get_params()
    assert not hasattr(copied, "labels_")
    rules = lawful.Rules(lawful.at_most(1, "X"), lawful.when(lawful.token.matches("a")).then("X"))
    holder = clone(Holder(model, rules=rules))
    assert holder.base is not model
    assert holder.base.alpha == alpha
    assert holder.rules == rules


def test_sklearn_searches_and_validates() -> None:
    assert cross_val_score(ByWord(), X[:3] * 3, Y[:3] * 3, cv=3).tolist() == [1.0, 1.0, 1.0]
    found = GridSearchCV(ByWord(), {"alpha": [1e9, 0.1]}, cv=2).fit(X[:3] * 2, Y[:3] * 2)
    assert found.best_params_["alpha"] in (0.1, 1e9)
    assert make_pipeline(ByWord()).fit(X, Y).predict(X) == Y


# --- answers ------------------------------------------------------------------------------------------------


def test_answers_with_and_without_rules() -> None:
    model = ByWord().fit(X, Y)
    assert model.predict(X) == Y
    assert model.predict(X, rules=lawful.at_most(1, "X")) == [["X", "Y"], ["Y"], ["X", "Y", "Y"], []]
    assert model.predict(X, [lawful.forbid("X")], jobs=1, max_loss=0.0) == Y
    assert model.score(X, Y) == 1.0
    assert model.score(X, Y, rules=lawful.forbid("X")) == 0.5
    assert isinstance(model, lawful.Tagger)


def test_marginals_with_and_without_rules() -> None:
    model = ByWord().fit(X, Y)
    found = model.predict_marginals(X)
    assert [one.shape for one in found] == [(2, 2), (1, 2), (3, 2), (0, 2)]
    assert np.allclose(found[0], np.exp(model.scores_[[0, 1]]))
    ruled = model.predict_marginals(X, rules=lawful.forbid("X"))
    assert ruled[0].tolist() == [[0.0, 1.0], [0.0, 1.0]]


def test_a_model_that_has_not_been_fitted_says_so() -> None:
    for ask in (lambda m: m.labels, lambda m: m.predict(X), lambda m: m.save("nowhere/at/all")):
        with pytest.raises(NotFittedError, match="ByWord"):
            ask(ByWord())


@pytest.mark.parametrize(
    ("X", "y", "says"),
    [
        ([["a"]], [], "1 token sequences but 0"),
        ([["a"], ["b"]], [["X"], ["X", "Y"]], "sequence 2 has 1 tokens but 2"),
        (["ab"], [["X", "Y"]], "sequence 1 of X must be a list"),
        ([["a"]], [[3]], "a label must hold a string"),
        ([[]], [[]], "the training data is empty"),
    ],
)
def test_training_data_is_checked(X: Any, y: Any, says: str) -> None:
    with pytest.raises(InputError, match=says):
        ByWord().fit(X, y)


# --- files --------------------------------------------------------------------------------------------------


def test_a_saved_model_is_the_same_model(tmp_path: Path) -> None:
    model = ByWord(alpha=0.1).fit(X, Y)
    model.save(tmp_path / "one")
    for loaded in (ByWord.load(tmp_path / "one"), lawful.load_model(tmp_path / "one")):
        assert type(loaded) is ByWord
        assert loaded.get_params() == model.get_params()
        assert loaded.labels == model.labels
        assert loaded.scores_.tobytes() == model.scores_.tobytes()
        loaded.save(tmp_path / "other")
        assert (tmp_path / "other").read_bytes() == (tmp_path / "one").read_bytes()


def test_a_file_of_another_kind_is_refused(tmp_path: Path) -> None:
    write_model(tmp_path / "m", "oracle", {}, {})
    with pytest.raises(ModelFileError, match="'oracle', not 'by word, for tests'"):
        ByWord.load(tmp_path / "m")
    with pytest.raises(ModelFileError, match="'oracle', which no imported class has"):
        lawful.load_model(tmp_path / "m")


@pytest.mark.parametrize(
    "meta",
    [
        {},
        {"parameters": {"beta": 1}, "labels": ["X"], "words": []},
        {"parameters": 3, "labels": ["X"], "words": []},
        {"parameters": {}, "labels": [], "words": []},
        {"parameters": {}, "labels": ["X"]},
    ],
)
def test_a_file_without_what_the_model_needs_is_damaged(tmp_path: Path, meta: dict[str, Any]) -> None:
    write_model(tmp_path / "m", ByWord.kind, meta, {"scores": [1.0]})
    with pytest.raises(DamagedFileError, match="cannot be restored from it"):
        lawful.load_model(tmp_path / "m")


def test_a_class_without_a_kind_of_its_own_is_not_saved(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="Holder has no kind"):
        Holder(ByWord()).save(tmp_path / "m")
