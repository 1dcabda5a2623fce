"""The perceptron, token by token."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lawful import _core
from lawful.models.perceptron.local_classifier import LocalClassifier

if TYPE_CHECKING:
    from lawful.models.features import Features

__all__ = ["Perceptron"]


class Perceptron(LocalClassifier):
    """A perceptron that labels each token by itself, averaged or voted, with a margin if wanted.

    It knows nothing of neighbouring labels: rules can add at decoding what it did not learn (Roth & Yih 2005). Scores are
    sums of weights, not log-probabilities.

    Parameters
    ----------
    features : Features, optional
        Templates. If not given: `default_features` for tokens that are strings or tuples (their text first); lists of
        attributes and dicts of values are taken as they are.
        Nothing is added to those: give `bias()` too if labels should have a score of their own.
    epochs : int
        How often to go over the data, at most: it stops when nothing is wrong any more.
    margin : float
        A token is learned from also if it is right by no more than this.
    rate : float
        How far an update goes.
    multiclass : {"joint", "one_vs_all"}
        Where the right label does not beat its strongest rival by more than the margin, it goes up and the rival down. Or
        each label learns for itself to be above 0 where it is right, and below elsewhere, as in SNoW.
    averaging : {"averaged", "voted", "last"}
        Average the weights after each token. Or let every weight vector vote, as often as it survived (Freund & Schapire
        1999): slow, and the scores of labels are then their shares of the votes. Or take the last weights.
    max_vectors : int, optional
        Only the weight vectors that survived longest vote; all of them if None.
    shuffle : bool
        Whether to draw the order of tokens anew for every epoch.
    all_states : bool
        Also features that the data does not show: attributes with labels that they were never seen with.
    min_count : float
        Features seen less often are left out.
    jobs : int, optional
        Threads for tagging; all cores if not given.
    seed : int
        For the order: `numpy.random.default_rng(seed).permutation`, once an epoch.
    verbose : bool

    Examples
    --------
    >>> X = [[["w=the"], ["w=dog"]], [["w=a"], ["w=dog"]]]
    >>> model = Perceptron().fit(X, [["D", "N"], ["D", "N"]])
    >>> model.predict([[["w=dog"], ["w=a"]]])
    [['N', 'D']]
    >>> Perceptron(averaging="voted").fit(X, [["D", "N"], ["D", "N"]]).lattice([["w=dog"]]).emissions
    array([[0.25, 0.75]])
    """

    kind = "perceptron"
    feature_parameters = ("features",)

    def __init__(
        self,
        features: Features | None = None,
        *,
        epochs: int = 10,
        margin: float = 0.0,
        rate: float = 1.0,
        multiclass: str = "joint",
        averaging: str = "averaged",
        max_vectors: int | None = 1000,
        shuffle: bool = True,
        all_states: bool = False,
        min_count: float = 0.0,
        jobs: int | None = None,
        seed: int = 0,
        verbose: bool = False,
    ) -> None:
        self.features = features
        self.epochs = epochs
        self.margin = margin
        self.rate = rate
        self.multiclass = multiclass
        self.averaging = averaging
        self.max_vectors = max_vectors
        self.shuffle = shuffle
        self.all_states = all_states
        self.min_count = min_count
        self.jobs = jobs
        self.seed = seed
        self.verbose = verbose

    def _options(self) -> _core.LocalOptions:
        return _core.LocalOptions(
            one_vs_all=self.multiclass == "one_vs_all",
            margin=self.margin,
            rate=self.rate,
            record=self.averaging == "voted",
        )
