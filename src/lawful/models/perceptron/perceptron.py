"""The perceptron that labels each token by itself."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from lawful import _core
from lawful.models.linear.outputs import GroupFeatures, Groups
from lawful.models.perceptron.local_classifier import LocalClassifier

if TYPE_CHECKING:
    from lawful.models.features import Features

__all__ = ["Perceptron"]


class Perceptron(LocalClassifier):
    """A perceptron that labels each token by itself, averaged or voted, with an optional margin.

    It ignores neighbouring labels: rules can add at decoding what it cannot learn (Roth & Yih 2005). Scores are sums of
    weights, not log-probabilities.

    Parameters
    ----------
    features : Features, optional
        Templates. If not given: `default_features` for tokens that are strings or tuples (their text first); lists of
        attributes and dicts of values are taken as they are.
        Nothing is added to those: give `bias()` too if labels should have a score of their own.
    groups : mapping from names to labels, or "prefix", optional
        Groups of labels that share features, in addition to those of single labels. "prefix" groups subdivided labels (`I.1`, `I.2`)
        by their common prefix.
    group_features : Features, str, or pair of str and group names, optional
        Templates for the groups; `features` serve both if not given. For tokens that are lists of attributes, a text: attributes that
        begin with it fire for groups only, all others for single labels only. With names
        of groups: for these only, all others for single labels and the other groups.
    label_features : bool or list of labels
        Which labels have features of their own: all, none, or these. The others score what their groups do.
    epochs : int
        Maximum number of passes over the data: training stops early when nothing is wrong.
    margin : float
        Update also when the right label wins by no more than this.
    rate : float
        The size of an update.
    multiclass : {"joint", "one_vs_all"}
        "joint": where the right label does not beat its strongest rival by more than the margin, its weights go up and
        the rival's down. "one_vs_all": each label learns by itself to score above 0 where it is right and below 0
        elsewhere, as in SNoW.
    averaging : {"averaged", "voted", "last"}
        "averaged": the mean of the weights after each token. "voted": the voted perceptron (Freund & Schapire 1999),
        where every weight vector labels and counts as often as it survived; slow, and scores are shares of these counts.
        "last": the last weights.
    max_vectors : int, optional
        For "voted": use only so many weight vectors, those that survived longest; None for all.
    shuffle : bool
        Whether tokens come in a new random order in every epoch.
    all_states : bool
        Also make features of attributes with labels that they never occur with.
    min_count : float
        Leave out features seen less often.
    jobs : int, optional
        Threads for tagging; all cores if not given.
    seed : int
        Of the order: `numpy.random.default_rng(seed).permutation`, once per epoch.
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
    feature_parameters = ("features", "group_features")

    def __init__(
        self,
        features: Features | None = None,
        *,
        groups: Groups = None,
        group_features: GroupFeatures = None,
        label_features: bool | Sequence[str] = True,
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
        self.groups = groups
        self.group_features = group_features
        self.label_features = label_features
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
