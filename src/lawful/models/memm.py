"""The maximum entropy Markov model."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from lawful.labels import LabelSet
from lawful.models.linear.fitting import AttributeCorpus
from lawful.models.linear.label_before import as_chain, with_label_before
from lawful.models.linear.local_scoring import StepScorer
from lawful.models.linear.scoring import Scorer
from lawful.models.linear.weights import Weights
from lawful.models.maxent import MaxEnt

if TYPE_CHECKING:
    from lawful.models.features import Features

__all__ = ["MEMM"]


class MEMM(MaxEnt):
    """A MEMM (McCallum, Freitag & Pereira 2000): the product of p(y_t | y_t-1, x, t), each a softmax of its own.

    A label's score at a token is that of its attributes, plus that of the label before, plus that of transition features
    with both. It learns from gold labels before each token; decoding finds the best sequence. Lattices hold
    log-probabilities: `transitions` (T-1, K, K), whose rows sum to one, and those of the first label in `emissions[0]`.

    Parameters
    ----------
    features : Features, optional
        Templates. If not given: `default_features` for tokens that are strings or tuples (their text first); lists of
        attributes and dicts of values are taken as they are.
    transition_features : Features, optional
        Templates whose attributes fire together with the label before.
    algorithm, c1, c2, all_states, min_count, max_iterations, tolerance, memory, jobs, seed, verbose
        As those of `MaxEnt`. `all_states` is for transitions too.

    Examples
    --------
    >>> X = [[["w=the"], ["w=dog"]], [["w=a"], ["w=dog"]], [["w=dog"]]]
    >>> model = MEMM(c2=0.1).fit(X, [["D", "N"], ["D", "N"], ["N"]])
    >>> model.predict([[["w=a"], ["w=cat"]]])
    [['D', 'N']]
    >>> import numpy as np
    >>> np.exp(model.lattice([["w=a"], ["w=cat"]]).transitions).sum(axis=-1).round(9)
    array([1., 1.])
    """

    kind = "memm"
    feature_parameters = ("features", "transition_features")

    def __init__(
        self,
        features: Features | None = None,
        *,
        transition_features: Features | None = None,
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
        super().__init__(
            features,
            algorithm=algorithm,
            c1=c1,
            c2=c2,
            all_states=all_states,
            min_count=min_count,
            max_iterations=max_iterations,
            tolerance=tolerance,
            memory=memory,
            jobs=jobs,
            seed=seed,
            verbose=verbose,
        )
        self.transition_features = transition_features

    def _examples(
        self, corpus: AttributeCorpus, gold: npt.NDArray[np.int32], labels: LabelSet
    ) -> AttributeCorpus:
        tokens = with_label_before(corpus, gold, len(labels))
        return AttributeCorpus(None, corpus.tokens, corpus.attribute_map, tokens, None, None)

    def _as_chain(self, weights: Weights, corpus: AttributeCorpus) -> Weights:
        pairs = 0 if corpus.pair_map is None else corpus.pair_map.size
        layout = as_chain(weights.layout, weights.outputs, corpus.attribute_map.size, pairs)
        return Weights(weights.outputs, corpus.attribute_map, corpus.pair_map, layout, weights.values)

    def _scored_by(self, labels: LabelSet, weights: Weights) -> Scorer:
        return StepScorer(labels, weights)
