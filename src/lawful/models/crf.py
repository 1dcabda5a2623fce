"""The linear-chain conditional random field."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Self

import numpy as np
import numpy.typing as npt

from lawful.corpus.sequences import SequencesLike
from lawful.labels import LabelSet
from lawful.models.base.sequences import check_pairs, label_ids, labels_in
from lawful.models.linear.fitting import AttributeCorpus, FeatureChoice, train
from lawful.models.linear.model import LinearModel
from lawful.models.linear.outputs import GroupFeatures, Groups, LabelPairs
from lawful.models.linear.progress import Progress
from lawful.models.linear.training import TrainingOptions
from lawful.models.linear.weights import Weights

if TYPE_CHECKING:
    from lawful.models.features import Features

__all__ = ["CRF"]


class CRF(LinearModel):
    """A linear-chain CRF: p(y | x) is proportional to exp of the sum of the weights of the features that fire.

    A state feature fires for an attribute of a token and its label, a transition feature for two labels side by side.
    There is a feature for every combination seen in the training data. Training minimises
    `sum of -log p(y | x) + c2 |w|^2 + c1 |w|_1`: CRFsuite's objective, with CRFsuite's features by default.

    Parameters
    ----------
    features : Features, optional
        Templates. If not given: `default_features` for tokens that are strings or tuples (their text first); other
        tokens are items as CRFsuite takes them, lists of attributes or dicts of values.
    transition_features : Features, optional
        Templates whose attributes fire for two labels side by side, that of the token and the one before it.
    groups : mapping from names to labels, or "prefix", optional
        Groups of labels that share features, in addition to those of single labels: state features and transitions
        fire for a group too. "prefix" groups subdivided labels (`I.1`, `I.2`)
        by their common prefix.
    group_features : Features, str, or pair of str and group names, optional
        Templates for the groups; `features` serve both if not given. For tokens that are lists of attributes, a text: attributes that
        begin with it fire for groups only, all others for single labels only. With names
        of groups: for these only, all others for single labels and the other groups.
    label_features : bool or list of labels
        Which labels have features of their own: all, none, or these. The others score what their groups do.
    allowed_transitions : sequence of pairs of labels, optional
        Which labels may stand side by side, in training and in answers; all may if not given. Where few may, as among labels that
        carry a history, both are quicker for it.
    algorithm : {"lbfgs", "averaged_perceptron", "sgd"}
        L-BFGS (OWL-QN if c1 > 0) finds the optimum. The perceptron ignores c1 and c2. SGD is CRFsuite's l2sgd.
    c1, c2 : float
        Coefficients of the absolute and of the squared penalty.
    all_states, all_transitions : bool
        Also make features of attributes and labels that never occur together in the data.
    min_count : float
        Leave out features seen less often.
    start, end : bool
        Whether the first and the last label of a sequence have features. (CRFsuite has none.)
    labels : sequence of str, optional
        The labels, in order; those that occur, sorted, if not given. Useful when rules name labels that a small
        training set lacks.
    max_iterations : int, optional
        Maximum number of iterations: no limit if not given, except 30 epochs of the perceptron and 1000 of SGD.
    tolerance : float
        Stop when ten iterations improve the objective by less than this share, or the gradient's norm falls below this
        share of the weights'. The perceptron stops when no larger share of labels is wrong.
    memory : int
        How many steps L-BFGS remembers.
    warm_start : bool
        Whether `fit` continues from the weights of the last `fit`, and keeps the attributes of `X` for the next.
    jobs : int, optional
        Threads; all cores if not given. Results do not depend on it.
    seed : int
        Of the order of sequences in the perceptron and SGD.
    verbose : bool
        Whether to show progress on stderr.

    Attributes
    ----------
    labels_ : LabelSet
    features_ : Features or None
        The templates in use.
    weights_ : array (F,)
        All weights that are not 0.
    state_features_ : mapping from (attribute, label or group) to weight
    transition_features_ : dict from (label or group, label or group) to weight
    history_ : list of Progress
    objective_ : float
        At the end of training.

    Examples
    --------
    >>> words, tags = [["the", "dog"], ["a", "dog"], ["dogs"]], [["D", "N"], ["D", "N"], ["N"]]
    >>> CRF().fit(words, tags).predict([["a", "cat"]])
    [['D', 'N']]
    >>> X = [[["w=the"], ["w=dog"]], [["w=a"], ["w=dog"]], [["w=dog"]]]
    >>> y = [["D", "N"], ["D", "N"], ["N"]]
    >>> model = CRF(c2=0.1).fit(X, y)
    >>> model.predict([[["w=a"], ["w=dog"]]])
    [['D', 'N']]
    >>> model.top_features(1)[0][:2]
    ('w=dog', 'N')
    """

    kind = "crf"
    feature_parameters = ("features", "transition_features", "group_features")

    def __init__(
        self,
        features: Features | None = None,
        *,
        transition_features: Features | None = None,
        groups: Groups = None,
        group_features: GroupFeatures = None,
        label_features: bool | Sequence[str] = True,
        allowed_transitions: LabelPairs = None,
        algorithm: str = "lbfgs",
        c1: float = 0.0,
        c2: float = 1.0,
        all_states: bool = False,
        all_transitions: bool = False,
        min_count: float = 0.0,
        start: bool = False,
        end: bool = False,
        labels: Sequence[str] | None = None,
        max_iterations: int | None = None,
        tolerance: float = 1e-5,
        memory: int = 6,
        warm_start: bool = False,
        jobs: int | None = None,
        seed: int = 0,
        verbose: bool = False,
    ) -> None:
        self.features = features
        self.transition_features = transition_features
        self.groups = groups
        self.group_features = group_features
        self.label_features = label_features
        self.allowed_transitions = allowed_transitions
        self.algorithm = algorithm
        self.c1 = c1
        self.c2 = c2
        self.all_states = all_states
        self.all_transitions = all_transitions
        self.min_count = min_count
        self.start = start
        self.end = end
        self.given_labels = labels
        self.max_iterations = max_iterations
        self.tolerance = tolerance
        self.memory = memory
        self.warm_start = warm_start
        self.jobs = jobs
        self.seed = seed
        self.verbose = verbose

    # --- learning -------------------------------------------------------------------------------------------

    def _scores_are_log_probabilities(self) -> bool:
        return self.algorithm != "averaged_perceptron"

    def fit(
        self,
        X: SequencesLike,
        y: Iterable[Sequence[str]],
        *,
        callback: Callable[[Progress], object] | None = None,
        checkpoint: str | os.PathLike[str] | None = None,
    ) -> Self:
        """Learn from labelled sequences.

        Parameters
        ----------
        X : sequences of tokens
        y : sequences of labels
        callback : function of a `Progress`, optional
            Called after every iteration; training ends early if it returns True.
        checkpoint : path, optional
            Where to save the model about once a minute, and when Ctrl-C stops the training. To go on from there, set
            `warm_start` of the loaded model and fit again.
        """
        self._checked()
        tokens, gold_labels = check_pairs(X, y)
        self._remember_cut(tokens)
        before = self.__dict__.get("_weights") if self.warm_start else None
        labels = seen = labels_in(gold_labels)
        if self.given_labels is not None:
            labels = LabelSet(self.given_labels)
            labels.encode(seen)  # raises an error that names a label in the data that is not among them
        self._outputs(labels)  # refuses groups of unknown labels before any token is read
        corpus = self._read(X, tokens)
        gold = label_ids(gold_labels, labels)
        path = checkpoint

        def write(weights: Weights, objective: float) -> None:
            self.objective_ = objective
            self._set(weights, labels)
            if path is not None:
                self.save(path)

        weights, self.history_ = self.fit_corpus(
            corpus,
            gold,
            labels,
            before=before,
            callback=callback,
            checkpoint=None if checkpoint is None else write,
        )
        self.objective_ = self.history_[-1].objective
        return self._set(weights, labels)

    def read(self, X: Sequence[Sequence[Any]]) -> AttributeCorpus:
        """The attributes of token sequences, for `fit_corpus`; none may be empty."""
        return AttributeCorpus.read(X, X, self._collections(), self.transition_features)

    def fit_corpus(
        self,
        corpus: AttributeCorpus,
        gold: npt.NDArray[np.int32],
        labels: LabelSet,
        *,
        before: Weights | None = None,
        callback: Callable[[Progress], object] | None = None,
        checkpoint: Callable[[Weights, float], None] | None = None,
    ) -> tuple[Weights, list[Progress]]:
        """The weights that `fit` would find for attributes that were read once and serve many label sequences.

        Parameters
        ----------
        corpus : AttributeCorpus
            What `read` gave.
        gold : array (M,)
            The label of each token, by its number in `labels`.
        labels : LabelSet
        before : Weights, optional
            Where to start from.
        callback, checkpoint
            As in `fitting.train`.
        """
        choice = FeatureChoice(
            self.all_states,
            self.all_transitions,
            self.min_count,
            self.start,
            self.end,
            self._group_attributes(),
        )
        start, observed = choice.weights(corpus, gold, labels, self._outputs(labels))
        if before is not None:
            carried = before.carried_to(start)
            start = Weights(start.outputs, start.attribute_map, start.pair_map, start.layout, carried)
        return train(
            self.algorithm,
            corpus,
            gold,
            start,
            observed,
            self._checked(),
            verbose=self.verbose,
            callback=callback,
            checkpoint=checkpoint,
        )

    def _checked(self) -> TrainingOptions:
        return TrainingOptions.checked(
            self.algorithm,
            c1=self.c1,
            c2=self.c2,
            max_iterations=self.max_iterations,
            tolerance=self.tolerance,
            memory=self.memory,
            threads=self._threads,
            seed=self.seed,
        )

    def _read(self, source: object, X: Sequence[Sequence[Any]]) -> AttributeCorpus:
        kept: AttributeCorpus | None = self.__dict__.get("_corpus") if self.warm_start else None
        # The same list may have grown since: its size must be the same too.
        if kept is not None and kept.source is source and kept.tokens == sum(map(len, X)):
            return kept
        corpus = AttributeCorpus.read(source, X, self._collections(), self.transition_features)
        self._corpus = corpus if self.warm_start else None
        return corpus

    # --- files ----------------------------------------------------------------------------------------------

    def _saved(self) -> tuple[Mapping[str, Any], Mapping[str, npt.ArrayLike]]:
        meta, arrays = super()._saved()
        return {**meta, "objective": self.objective_}, arrays

    def _restore(self, meta: Mapping[str, Any], arrays: Mapping[str, npt.NDArray[Any]]) -> None:
        super()._restore(meta, arrays)
        self.history_, self.objective_ = [], meta["objective"]
