"""The structured perceptron: online learning with whole label sequences."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Self

import numpy.typing as npt

from lawful.corpus.sequences import ContextsLike, SequencesLike
from lawful.models.linear.outputs import GroupFeatures, Groups, LabelPairs
from lawful.models.linear.progress import Progress
from lawful.models.linear.weights import Weights
from lawful.models.perceptron.online import OnlineModel, check_online
from lawful.models.perceptron.structured_learner import StructuredLearner
from lawful.models.perceptron.weight_history import SequenceHistory, WeightHistory

if TYPE_CHECKING:
    from lawful.models.features import Features

__all__ = ["StructuredPerceptron"]


class StructuredPerceptron(OnlineModel):
    """Collins's (2002) perceptron over label sequences, averaged or voted, with an optional margin.

    For each sequence it finds the best labels; where they are wrong, the weights of the right labels' features grow by
    `rate` and those of the wrong ones shrink by it. Scores are sums of weights, not log-probabilities: the numbers from
    `predict_marginals` only rank labels. To learn under rules, or in steps of your own, see `learner`.

    Parameters
    ----------
    features : Features, optional
        Templates. If not given: `default_features` for tokens that are strings or tuples (their text first); lists of
        attributes and dicts of values are taken as they are.
    transition_features : Features, optional
        Templates whose attributes fire for pairs of neighbouring labels.
    groups : mapping from names to labels, or "prefix", optional
        Groups of labels that share features, in addition to those of single labels. "prefix" groups subdivided labels (`I.1`, `I.2`)
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
    epochs : int
        Maximum number of passes over the data: training stops early when nothing is wrong.
    margin : float
        Added to the score of each wrong label during training: the right labels must win by this much per wrong label.
    rate : float
        The size of an update.
    averaging : {"averaged", "voted", "last"}
        "averaged": the mean of the weights after each sequence. "voted": the voted perceptron (Freund & Schapire 1999),
        where every weight vector labels and counts as often as it survived; slow, and the scores of a token's labels are
        their shares of these counts. "last": the last weights.
    max_vectors : int, optional
        For "voted": use only so many weight vectors, those that survived longest; None for all.
    shuffle : bool
        Whether sequences come in a new random order in every epoch.
    all_states, all_transitions : bool
        Also make features that the data does not show.
    min_count : float
        Leave out features seen less often.
    start, end : bool
        Whether the first and the last label of a sequence have features.
    jobs : int, optional
        Threads for tagging; all cores if not given. (Learning takes one sequence at a time.)
    seed : int
        Of the order: `numpy.random.default_rng(seed).permutation`, once per epoch.
    verbose : bool

    Attributes
    ----------
    labels_ : LabelSet
    history_ : list of Progress
        One per epoch; the objective is the mean share of wrong labels.

    Examples
    --------
    >>> X = [[["w=the"], ["w=dog"]], [["w=a"], ["w=dog"]], [["w=dog"]]]
    >>> y = [["D", "N"], ["D", "N"], ["N"]]
    >>> model = StructuredPerceptron(epochs=5).fit(X, y)
    >>> model.predict([[["w=a"], ["w=dog"]]])
    [['D', 'N']]
    >>> StructuredPerceptron(epochs=5, averaging="voted").fit(X, y).lattice([["w=dog"]]).emissions
    array([[0., 1.]])
    """

    kind = "structured perceptron"
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
        epochs: int = 10,
        margin: float = 0.0,
        rate: float = 1.0,
        averaging: str = "averaged",
        max_vectors: int | None = 1000,
        shuffle: bool = True,
        all_states: bool = False,
        all_transitions: bool = False,
        min_count: float = 0.0,
        start: bool = False,
        end: bool = False,
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
        self.epochs = epochs
        self.margin = margin
        self.rate = rate
        self.averaging = averaging
        self.max_vectors = max_vectors
        self.shuffle = shuffle
        self.all_states = all_states
        self.all_transitions = all_transitions
        self.min_count = min_count
        self.start = start
        self.end = end
        self.jobs = jobs
        self.seed = seed
        self.verbose = verbose

    def learner(
        self,
        X: SequencesLike,
        y: Iterable[Sequence[str]],
        *,
        contexts: ContextsLike = None,
        unlabelled: SequencesLike = (),
        unlabelled_contexts: ContextsLike = None,
    ) -> StructuredLearner:
        """The means to train this model step by step: scores for the weights of the moment, updates in place.

        Parameters
        ----------
        X, y : sequences of tokens and of labels
        contexts : iterable of mappings, optional
            What comes with each sequence by name, for rules that ask for it; a `Sentence` brings its own.
        unlabelled : sequences of tokens, or of `Sentence`, optional
            More sequences, with the numbers after the labelled ones; they bring no features of their own.
        unlabelled_contexts : iterable of mappings, optional
            What comes with each of those.
        """
        check_online(self)
        return StructuredLearner(
            self,
            X,
            y,
            contexts=contexts,
            unlabelled=unlabelled,
            unlabelled_contexts=unlabelled_contexts,
            margin=self.margin,
            rate=self.rate,
            record=self.averaging == "voted",
            finish=self._learned,
        )

    def fit(
        self,
        X: SequencesLike,
        y: Iterable[Sequence[str]],
        *,
        callback: Callable[[Progress], object] | None = None,
    ) -> Self:
        """Learn from labelled sequences.

        Parameters
        ----------
        X, y : sequences of tokens and of labels
        callback : function of a `Progress`, optional
            Called after every epoch; training ends early if it returns True.
        """
        learner = self.learner(X, y)
        history = self._run(len(learner), learner.epoch, callback)
        self._learned(learner)
        self.history_ = history
        return self

    def _learned(self, learner: StructuredLearner) -> Self:
        self.history_ = []
        self._remember_cut(learner.tokens)
        self._weight_history = learner.weight_history if self.averaging == "voted" else None
        return self._set(learner.current if self.averaging == "last" else learner.averaged, learner.labels)

    def _weight_history_from(self, arrays: Mapping[str, npt.NDArray[Any]], weights: Weights) -> WeightHistory:
        return SequenceHistory.restored(arrays, weights)
