"""Maximum entropy: each token is labelled by itself."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any, ClassVar, Self

import numpy as np
import numpy.typing as npt

from lawful import _core
from lawful.corpus.sequences import SequencesLike
from lawful.labels import LabelSet
from lawful.lattice import Lattice
from lawful.lattice.arrays import Floats
from lawful.models.base.sequences import check_pairs, label_ids, labels_in
from lawful.models.linear.attributes import single_tokens
from lawful.models.linear.fitting import AttributeCorpus, FeatureChoice, train
from lawful.models.linear.model import LinearModel
from lawful.models.linear.outputs import GroupFeatures, Groups
from lawful.models.linear.progress import Progress
from lawful.models.linear.scoring import Scorer
from lawful.models.linear.training import TrainingOptions
from lawful.models.linear.weights import Weights

if TYPE_CHECKING:
    from lawful.models.features import Features

__all__ = ["MaxEnt", "TokenScorer", "log_softmax"]


class MaxEnt(LinearModel):
    """Multinomial logistic regression over the attributes of a token: p(y_t | x, t), independent of the other labels.

    Training minimises `sum of -log p(y_t | x, t) + c2 |w|^2 + c1 |w|_1` over tokens. Emissions are log-probabilities, and
    there are no transitions: rules can add at decoding what the model cannot learn.

    Parameters
    ----------
    features : Features, optional
        Templates. If not given: `default_features` for tokens that are strings or tuples (their text first); lists of
        attributes and dicts of values are taken as they are.
        Nothing is added to those: give `bias()` too if labels should have a weight of their own.
    groups : mapping from names to labels, or "prefix", optional
        Groups of labels that share features, in addition to those of single labels. "prefix" groups subdivided labels (`I.1`, `I.2`)
        by their common prefix.
    group_features : Features, str, or pair of str and group names, optional
        Templates for the groups; `features` serve both if not given. For tokens that are lists of attributes, a text: attributes that
        begin with it fire for groups only, all others for single labels only. With names
        of groups: for these only, all others for single labels and the other groups.
    label_features : bool or list of labels
        Which labels have features of their own: all, none, or these. The others score what their groups do.
    algorithm : {"lbfgs", "averaged_perceptron", "sgd"}
        L-BFGS (OWL-QN if c1 > 0) finds the optimum.
    c1, c2 : float
        Coefficients of the absolute and of the squared penalty.
    all_states : bool
        Also make features of attributes with labels that they never occur with.
    min_count : float
        Leave out features seen less often.
    max_iterations : int, optional
    tolerance : float
    memory : int
        How many steps L-BFGS remembers.
    jobs : int, optional
        Threads; all cores if not given. Results do not depend on it.
    seed : int
        Of the order of tokens in the perceptron and SGD.
    verbose : bool

    Attributes
    ----------
    labels_ : LabelSet
    history_ : list of Progress
    objective_ : float
        At the end of training.

    Examples
    --------
    >>> X = [[["w=the"], ["w=dog"]], [["w=a"], ["w=dog"]]]
    >>> model = MaxEnt(c2=0.1).fit(X, [["D", "N"], ["D", "N"]])
    >>> model.predict([[["w=dog"], ["w=a"]]])
    [['N', 'D']]
    >>> model.predict_marginals([[["w=cat"]]])[0]
    array([[0.5, 0.5]])
    """

    kind = "maxent"
    feature_parameters: ClassVar[tuple[str, ...]] = ("features", "group_features")

    def __init__(
        self,
        features: Features | None = None,
        *,
        groups: Groups = None,
        group_features: GroupFeatures = None,
        label_features: bool | Sequence[str] = True,
        algorithm: str = "lbfgs",
        c1: float = 0.0,
        c2: float = 1.0,
        all_states: bool = False,
        min_count: float = 0.0,
        max_iterations: int | None = None,
        tolerance: float = 1e-5,
        memory: int = 6,
        jobs: int | None = None,
        seed: int = 0,
        verbose: bool = False,
    ) -> None:
        self.features = features
        self.groups = groups
        self.group_features = group_features
        self.label_features = label_features
        self.algorithm = algorithm
        self.c1 = c1
        self.c2 = c2
        self.all_states = all_states
        self.min_count = min_count
        self.max_iterations = max_iterations
        self.tolerance = tolerance
        self.memory = memory
        self.jobs = jobs
        self.seed = seed
        self.verbose = verbose

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
            Called after every iteration; training ends early if it returns True.
        """
        options = TrainingOptions.checked(
            self.algorithm,
            c1=self.c1,
            c2=self.c2,
            max_iterations=self.max_iterations,
            tolerance=self.tolerance,
            memory=self.memory,
            threads=self._threads,
            seed=self.seed,
        )
        sequences, gold_labels = check_pairs(X, y)
        self._remember_cut(sequences)
        labels = labels_in(gold_labels)
        outputs = self._outputs(labels)
        read = AttributeCorpus.read(None, sequences, self._collections(), self.transition_features)
        gold = label_ids(gold_labels, labels)
        corpus = self._examples(read, gold, labels)
        choice = FeatureChoice(
            self.all_states,
            all_transitions=False,
            min_count=self.min_count,
            start=False,
            end=False,
            group_attributes=self._group_attributes(),
        )
        start, observed = choice.weights(corpus, gold, labels, outputs)
        weights, self.history_ = train(
            self.algorithm,
            corpus,
            gold,
            start,
            observed,
            options,
            verbose=self.verbose,
            callback=callback,
            checkpoint=None,
        )
        self.objective_ = self.history_[-1].objective
        return self._set(self._as_chain(weights, read), labels)

    def _examples(
        self, corpus: AttributeCorpus, gold: npt.NDArray[np.int32], labels: LabelSet
    ) -> AttributeCorpus:
        """The training examples: tokens, each as a sequence of its own."""
        tokens = single_tokens(corpus.sequences)
        return AttributeCorpus(None, corpus.tokens, corpus.attribute_map, tokens, None, None)

    def _as_chain(self, weights: Weights, corpus: AttributeCorpus) -> Weights:
        """The weights of the model, from those that were learned."""
        return weights

    def _scored_by(self, labels: LabelSet, weights: Weights) -> Scorer:
        return TokenScorer(labels, weights)

    def _saved(self) -> tuple[Mapping[str, Any], Mapping[str, npt.ArrayLike]]:
        meta, arrays = super()._saved()
        return {**meta, "objective": self.objective_}, arrays

    def _restore(self, meta: Mapping[str, Any], arrays: Mapping[str, npt.NDArray[Any]]) -> None:
        super()._restore(meta, arrays)
        self.history_, self.objective_ = [], meta["objective"]


class TokenScorer(Scorer):
    """Emissions are log p(y_t | x, t); there are no transitions."""

    def _lattices(self, chunk: list[Sequence[Any]], jobs: int) -> Iterator[Lattice]:
        data, _, offsets = self._extract(chunk, jobs)
        scores = log_softmax(
            _core.linear_emissions(self.weights.layout, self.weights.values, data, threads=jobs)
        )
        for tokens, (start, end) in zip(chunk, pairwise(offsets.tolist()), strict=True):
            yield Lattice(scores[start:end], labels=self.labels, tokens=tokens)


def log_softmax(scores: Floats) -> Floats:
    """Scores minus the log of the sum of their exps, over the last axis.

    Examples
    --------
    >>> import numpy as np
    >>> np.exp(log_softmax(np.array([[0.0, np.log(3)]]))).round(3).tolist()
    [[0.25, 0.75]]
    """
    shifted = scores - scores.max(axis=-1, keepdims=True)
    result: Floats = shifted - np.log(np.exp(shifted).sum(axis=-1, keepdims=True))
    return result
