"""Winnow: a classifier of tokens with multiplicative updates."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lawful import _core
from lawful.errors import InputError
from lawful.models.features.attribute_sequences import AttributeSequences
from lawful.models.perceptron.local_classifier import LocalClassifier
from lawful.models.perceptron.online import check_positive

if TYPE_CHECKING:
    from lawful.models.features import Features

__all__ = ["Winnow"]


class Winnow(LocalClassifier):
    """Littlestone's (1988) winnow, labelling each token by itself: updates multiply weights instead of adding to them.

    It learns fast where few of many attributes matter. Scores are sums of weights, not log-probabilities.

    Parameters
    ----------
    features : Features, optional
        Templates. If not given: `default_features` for tokens that are strings or tuples (their text first); lists of
        attributes and dicts of values are taken as they are, and
        must not have negative values.
    promotion, demotion : float
        Factors that raise and lower weights (to the power of v for an attribute with the value v).
        `demotion` is 1 / `promotion` if not given.
    balanced : bool
        Whether a weight is the difference of two positive ones, which are multiplied in opposite ways, so that it can
        become negative. Otherwise all weights are positive.
    threshold : float
        For `multiclass="one_vs_all"`: a label's score must be above it where the label is right, and below it elsewhere.
    initial : float
        The initial value of every weight; with `balanced`, of both its halves.
    epochs, margin, multiclass, averaging, max_vectors, shuffle, all_states, min_count, jobs, seed, verbose
        As those of `Perceptron`.

    Examples
    --------
    >>> X = [[["w=the"], ["w=dog"]], [["w=a"], ["w=dog"]]]
    >>> model = Winnow().fit(X, [["D", "N"], ["D", "N"]])
    >>> model.predict([[["w=dog"], ["w=a"]]])
    [['N', 'D']]
    """

    kind = "winnow"
    feature_parameters = ("features",)

    def __init__(
        self,
        features: Features | None = None,
        *,
        promotion: float = 1.1,
        demotion: float | None = None,
        balanced: bool = True,
        threshold: float = 1.0,
        initial: float = 0.1,
        epochs: int = 10,
        margin: float = 0.1,
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
        self.promotion = promotion
        self.demotion = demotion
        self.balanced = balanced
        self.threshold = threshold
        self.initial = initial
        self.epochs = epochs
        self.margin = margin
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
        up = check_positive("promotion", self.promotion)
        down = 1 / up if self.demotion is None else check_positive("demotion", self.demotion)
        if not up > 1 > down:
            raise InputError(f"promotion must be above 1 and demotion below, got {up} and {down}")
        return _core.LocalOptions(
            multiplicative=True,
            balanced=self.balanced,
            one_vs_all=self.multiclass == "one_vs_all",
            margin=self.margin,
            promotion=up,
            demotion=down,
            threshold=self.threshold,
            initial=check_positive("initial", self.initial),
            record=self.averaging == "voted",
        )

    def _check_values(self, tokens: AttributeSequences) -> None:
        if tokens.values is not None and (tokens.values < 0).any():
            raise InputError("winnow cannot learn from negative values of attributes")
