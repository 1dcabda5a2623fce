"""Classifiers of single tokens, with the interface of scikit-learn, as taggers."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, Literal

import numpy as np

from lawful.adapters.arrays import as_floats
from lawful.adapters.logits import shared_transitions
from lawful.errors import InputError, ShapeError
from lawful.labels import LabelSet
from lawful.lattice import Lattice
from lawful.lattice.arrays import Floats

__all__ = ["Features", "SklearnTagger", "from_sklearn"]

Features = Callable[[Sequence[Any], int], Any]


class SklearnTagger:
    """A tagger whose scores come from a classifier of single tokens. Made by `from_sklearn`."""

    def __init__(
        self,
        classifier: Any,
        features: Features,
        vectorizer: Any,
        labels: LabelSet,
        columns: Sequence[int],
        *,
        scores: Literal["log_proba", "decision"],
        floor: float | None,
        transitions: Any,
        start: Any,
        end: Any,
    ) -> None:
        self.classifier, self.features, self.vectorizer, self.labels = (
            classifier,
            features,
            vectorizer,
            labels,
        )
        self.calibrated = scores == "log_proba"
        self._columns, self._scores, self._floor = columns, scores, floor
        self._transitions = shared_transitions(transitions, labels)
        self._start, self._end = start, end

    def lattice(self, tokens: Sequence[Any], /) -> Lattice:
        """The scores of one sequence."""
        return self.lattices([tokens])[0]

    def lattices(self, sequences: Iterable[Sequence[Any]], /) -> list[Lattice]:
        """The scores of many sequences, from one call of the classifier."""
        token_lists = [list(tokens) for tokens in sequences]
        if not any(token_lists):
            return []
        table = [self.features(tokens, t) for tokens in token_lists for t in range(len(tokens))]
        scores = self._score(table if self.vectorizer is None else self.vectorizer.transform(table))
        if len(scores) != len(table):
            raise ShapeError(
                "the classifier's scores", f"({len(table)}, ...), one row per token", scores.shape
            )
        ends = np.cumsum([len(tokens) for tokens in token_lists])
        return [
            Lattice(
                scores[end - len(tokens) : end],
                self._transitions,
                labels=self.labels,
                start=self._start,
                end=self._end,
                tokens=tokens,
            )
            for tokens, end in zip(token_lists, ends, strict=True)
        ]

    def _score(self, table: Any) -> Floats:
        """Scores (tokens, K), in the order of our labels."""
        count = len(self._columns)
        if self._scores == "log_proba":
            scores = as_floats(self.classifier.predict_log_proba(table), "predict_log_proba")
        else:
            scores = as_floats(self.classifier.decision_function(table), "decision_function")
            if scores.ndim == 1:  # two classes: the margin of the second
                scores = np.stack([np.zeros_like(scores), scores], axis=1)
        known = [column for column in self._columns if column >= 0]
        if scores.shape[1:] != (len(known),):
            raise ShapeError(
                f"the classifier's {self._scores}",
                f"(tokens, {len(known)}), one column per class (an SVC needs decision_function_shape='ovr')",
                scores.shape,
            )
        ordered: Floats = np.full((len(scores), count), -np.inf)
        for label, column in enumerate(self._columns):
            if column >= 0:
                ordered[:, label] = scores[:, column]
        return ordered if self._floor is None else np.maximum(ordered, self._floor)


def from_sklearn(
    classifier: Any,
    features: Features,
    *,
    vectorizer: Any = None,
    labels: LabelSet | Iterable[str] | None = None,
    scores: Literal["log_proba", "decision"] = "log_proba",
    floor: float | None = None,
    transitions: Any = None,
    start: Any = None,
    end: Any = None,
) -> SklearnTagger:
    """A tagger from a fitted classifier of single tokens.

    Parameters
    ----------
    classifier : scikit-learn classifier
        Fitted, with `classes_`; a pipeline that starts with a vectorizer works too.
    features : callable (tokens, position) -> anything
        The input of the vectorizer, or of the classifier itself, for one token: often a dict.
    vectorizer : transformer, optional
        With `transform`, such as `DictVectorizer`; fitted.
    labels : LabelSet or iterable of str, optional
        The labels in their order. All of `classes_` must be among them; one that the classifier has never seen
        is forbidden (unless `floor` says otherwise). By default `classes_`, as strings.
    scores : "log_proba" or "decision"
        `predict_log_proba`, or `decision_function` for classifiers without probabilities.
    floor : float, optional
        No score is below this. Some classifiers (forests, neighbours) give a probability of exactly 0, whose log
        forbids the label for good; a floor such as -20 leaves it possible where rules require it.
    transitions : array (K, K), start, end : array (K,), optional
        Scores of neighbouring labels; `estimate_transitions` estimates them from label sequences.

    Examples
    --------
    >>> import lawful
    >>> class Shouting:  # what scikit-learn's classifiers look like
    ...     classes_ = ["loud", "quiet"]
    ...     def predict_log_proba(self, table):
    ...         return np.log([[0.9, 0.1] if row["upper"] else [0.2, 0.8] for row in table])
    >>> tagger = from_sklearn(Shouting(), lambda tokens, t: {"upper": tokens[t].isupper()})
    >>> lawful.Decoder(lawful.at_most(1, "loud"), tagger=tagger).predict([["HEY", "you", "THERE"]])
    [['loud', 'quiet', 'quiet']]
    """
    if scores not in ("log_proba", "decision"):
        raise InputError(f"scores must be 'log_proba' or 'decision', got {scores!r}")
    method = {"log_proba": "predict_log_proba", "decision": "decision_function"}[scores]
    if not hasattr(classifier, method):
        other = "decision" if scores == "log_proba" else "log_proba"
        raise InputError(
            f"{type(classifier).__name__} has no {method}; try scores={other!r}, or calibrate it"
        )
    if not hasattr(classifier, "classes_"):
        raise InputError(f"{type(classifier).__name__} has no classes_: fit it first")
    classes = [str(name) for name in classifier.classes_]
    names = (
        LabelSet(classes) if labels is None else labels if isinstance(labels, LabelSet) else LabelSet(labels)
    )
    names.encode(classes, where="the classifier's classes_")
    columns = [classes.index(name) if name in classes else -1 for name in names]
    return SklearnTagger(
        classifier,
        features,
        vectorizer,
        names,
        columns,
        scores=scores,
        floor=floor,
        transitions=transitions,
        start=start,
        end=end,
    )
