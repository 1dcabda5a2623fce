"""The structured perceptron: online learning with whole label sequences."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Self

import numpy.typing as npt

from lawful.models.linear.progress import Progress
from lawful.models.linear.weights import Weights
from lawful.models.perceptron.online import OnlineModel, check_online
from lawful.models.perceptron.structured_learner import StructuredLearner
from lawful.models.perceptron.weight_history import SequenceHistory, WeightHistory

if TYPE_CHECKING:
    from lawful.models.features import Features

__all__ = ["StructuredPerceptron"]


class StructuredPerceptron(OnlineModel):
    """Collins's (2002) perceptron over label sequences, averaged or voted, with a margin if wanted.

    The best labels of each sequence are searched for; where they are wrong, the features of the right ones gain `rate` and
    theirs lose it. Scores are sums of weights, not log-probabilities: what `predict_marginals` makes of them has no
    meaning beyond its order. To learn under rules, or with steps of one's own, see `learner`.

    Parameters
    ----------
    features : Features, optional
        Templates. If not given: `default_features` for tokens that are strings or tuples (their text first); lists of
        attributes and dicts of values are taken as they are.
    transition_features : Features, optional
        Templates whose attributes fire for two labels side by side.
    epochs : int
        How often to go over the data, at most: it stops when nothing is wrong any more.
    margin : float
        What each wrong label gains during training: labels must win by this much for each one that differs.
    rate : float
        How far an update goes.
    averaging : {"averaged", "voted", "last"}
        Average the weights after each sequence. Or let every weight vector vote with its own best labels, as often as it
        survived (Freund & Schapire 1999): slow, and the scores of labels are then their shares of the votes at each
        token. Or take the last weights.
    max_vectors : int, optional
        Only the weight vectors that survived longest vote; all of them if None.
    shuffle : bool
        Whether to draw the order of sequences anew for every epoch.
    all_states, all_transitions : bool
        Also features that the data does not show.
    min_count : float
        Features seen less often are left out.
    start, end : bool
        Whether the first and the last label of a sequence have features.
    jobs : int, optional
        Threads for tagging; all cores if not given. (Learning takes one sequence at a time.)
    seed : int
        For the order: `numpy.random.default_rng(seed).permutation`, once an epoch.
    verbose : bool

    Attributes
    ----------
    labels_ : LabelSet
    history_ : list of Progress
        One an epoch; the objective is the mean share of wrong labels.

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
    feature_parameters = ("features", "transition_features")

    def __init__(
        self,
        features: Features | None = None,
        *,
        transition_features: Features | None = None,
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
        X: Iterable[Sequence[Any]],
        y: Iterable[Sequence[str]],
        *,
        unlabelled: Iterable[Sequence[Any]] = (),
    ) -> StructuredLearner:
        """The means to train this model step by step: scores for the weights of the moment, updates in place.

        Parameters
        ----------
        X, y : sequences of tokens and of labels
        unlabelled : sequences of tokens, optional
            More sequences, with the numbers after the labelled ones; they bring no features of their own.
        """
        check_online(self)
        return StructuredLearner(
            self,
            X,
            y,
            unlabelled=unlabelled,
            margin=self.margin,
            rate=self.rate,
            record=self.averaging == "voted",
            finish=self._learned,
        )

    def fit(
        self,
        X: Iterable[Sequence[Any]],
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
        self._weight_history = learner.weight_history if self.averaging == "voted" else None
        return self._set(learner.current if self.averaging == "last" else learner.averaged, learner.labels)

    def _weight_history_from(self, arrays: Mapping[str, npt.NDArray[Any]], weights: Weights) -> WeightHistory:
        return SequenceHistory.restored(arrays, weights)
