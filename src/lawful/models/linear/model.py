"""The base of models with weights for attributes with labels, and for neighbouring labels."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Self, Unpack

import numpy as np
import numpy.typing as npt

from lawful.corpus.sequences import ContextsLike, SequencesLike, token_lists
from lawful.decoding.predicting import cut_for
from lawful.errors import InputError, NotFittedError
from lawful.labels import LabelSet
from lawful.lattice import Lattice
from lawful.lattice.arrays import Floats
from lawful.models.base.estimator import SequenceModel
from lawful.models.linear.attributes import AttributeMap, restored_defaults, saved_defaults
from lawful.models.linear.outputs import GroupFeatures, Groups, LabelPairs, Outputs
from lawful.models.linear.scoring import Scorer
from lawful.models.linear.weights import StateFeatures, Weights
from lawful.support.threads import thread_count

if TYPE_CHECKING:
    from lawful.decoding.options import DecoderOptions
    from lawful.models.base.predictor import GivenRules
    from lawful.models.features import Features

__all__ = ["LinearModel"]


class LinearModel(SequenceModel):
    """A model with `Weights`: scoring, files, a look at what was learned. Subclasses define `fit`.

    Attributes
    ----------
    weights_ : array (F,)
        All weights that are not 0.
    state_features_ : mapping from (attribute, label) to weight
    transition_features_ : dict from (label, label) to weight
    """

    features: Features | None
    jobs: int | None
    transition_features: Features | None = None
    groups: Groups = None
    group_features: GroupFeatures = None
    label_features: bool | Sequence[str] = True
    allowed_transitions: LabelPairs = None

    _weights: Weights
    _scorer: Scorer

    def _set(self, weights: Weights, labels: LabelSet) -> Self:
        self.labels_ = labels
        self._weights = weights.pruned()  # weights of 0 score nothing, and cost memory and time
        self._scorer = self._scored_by(labels, self._weights)
        return self

    def _scored_by(self, labels: LabelSet, weights: Weights) -> Scorer:
        return Scorer(labels, weights)

    def __getstate__(self) -> dict[str, Any]:
        """For copies and other processes: without what can be made again."""
        return {name: value for name, value in self.__dict__.items() if name not in ("_scorer", "_corpus")}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        if "_weights" in state:
            self._set(self._weights, self.labels_)

    @property
    def _threads(self) -> int:
        return thread_count(self.jobs)

    def _fitted(self) -> Scorer:
        try:
            return self._scorer
        except AttributeError:
            raise NotFittedError(type(self).__name__) from None

    # --- what was learned -----------------------------------------------------------------------------------

    @property
    def features_(self) -> Features | None:
        """The templates in use: those given, or the default ones; None if tokens are items, which need none."""
        return self._fitted().weights.attribute_map.blocks[0].features

    @property
    def weights_(self) -> Floats:
        """All weights."""
        return self._fitted().weights.values

    @property
    def state_features_(self) -> StateFeatures:
        """The weights of attributes with labels, and with groups of them."""
        return StateFeatures(self._fitted().weights)

    @property
    def transition_features_(self) -> dict[tuple[str, str], float]:
        """The weights of label pairs, and of pairs with groups."""
        return self._fitted().weights.edges()

    def top_features(self, n: int = 20, label: str | None = None) -> list[tuple[str, str, float]]:
        """The `n` state features of largest absolute weight: (attribute, label or group, weight), of one label or all."""
        return self.state_features_.top(n, label)

    # --- what features fire for ------------------------------------------------------------------------------

    def _outputs(self, labels: LabelSet) -> Outputs:
        """What features fire for: labels, and groups of them."""
        if self.group_features is not None and self.groups is None:
            raise InputError("group_features need groups")
        apart = self.group_features[1] if isinstance(self.group_features, tuple) else None
        outputs = Outputs.of(labels, self.groups, label_features=self.label_features, apart=apart)
        if self.allowed_transitions is None:
            return outputs
        if self.transition_features is not None:
            raise InputError("allowed_transitions cannot be combined with transition_features")
        return outputs.allowing(labels, self.allowed_transitions)

    def _collections(self) -> list[Features | None]:
        """The templates of labels, and those of groups if they have their own."""
        own = self.group_features
        return [self.features] if own is None or isinstance(own, (str, tuple)) else [self.features, own]

    def _group_attributes(self) -> str | None:
        """What attributes of groups begin with, if tokens bring their attributes themselves."""
        own = self.group_features[0] if isinstance(self.group_features, tuple) else self.group_features
        return own if isinstance(own, str) else None

    # --- scoring --------------------------------------------------------------------------------------------

    def lattice(self, tokens: Sequence[Any], /) -> Lattice:
        """The scores of one sequence, with its tokens for the rules that look at them."""
        return next(self._fitted().lattices([tokens], jobs=1))

    def lattices(self, sequences: Iterable[Sequence[Any]]) -> Iterator[Lattice]:
        """The lattices of many sequences, scored in chunks."""
        return self._fitted().lattices(sequences, jobs=self._threads)

    def predict(
        self,
        X: SequencesLike,
        rules: GivenRules = None,
        *,
        contexts: ContextsLike = None,
        jobs: int | None = None,
        **options: Unpack[DecoderOptions],
    ) -> list[list[str]]:
        """The best labels of each sequence, under rules if there are any; an empty one gets an empty answer.

        Parameters are those of `SequenceModel.predict`. Without rules and options no lattice is made.
        """
        if rules is None and contexts is None and not options:
            return self._fitted().tag(
                token_lists(cut_for(self, X)), jobs=thread_count(self.jobs if jobs is None else jobs)
            )
        return super().predict(X, rules, contexts=contexts, jobs=jobs, **options)

    def predict_marginals(
        self,
        X: SequencesLike,
        rules: GivenRules = None,
        *,
        contexts: ContextsLike = None,
        jobs: int | None = None,
        **options: Unpack[DecoderOptions],
    ) -> list[npt.NDArray[np.float64]]:
        """For each sequence an array (T, K): the probability of each label at each token, in the order of `labels`.

        Parameters are those of `SequenceModel.predict`. Without rules and options no lattice is made.
        """
        if rules is None and contexts is None and not options:
            threads = thread_count(self.jobs if jobs is None else jobs)
            return self._fitted().marginals(token_lists(cut_for(self, X)), jobs=threads)
        return super().predict_marginals(X, rules, contexts=contexts, jobs=jobs, **options)

    # --- files ----------------------------------------------------------------------------------------------

    def _parameters_as_data(self) -> dict[str, Any]:
        data = super()._parameters_as_data()
        if isinstance(self.groups, Mapping):
            # Pairs, because files sort the keys of mappings, and weights stand in the order of the groups.
            data["groups"] = [[name, list(labels)] for name, labels in self.groups.items()]
        if not isinstance(self.label_features, bool):
            data["label_features"] = list(self.label_features)
        if isinstance(self.group_features, tuple):
            data["group_features"] = [self.group_features[0], list(self.group_features[1])]
        if self.allowed_transitions is not None:
            data["allowed_transitions"] = [list(pair) for pair in self.allowed_transitions]
        return data

    @classmethod
    def _parameters_from(cls, data: Mapping[str, Any]) -> dict[str, Any]:
        parameters = super()._parameters_from(data)
        if isinstance(parameters.get("groups"), list):
            parameters["groups"] = {name: list(labels) for name, labels in parameters["groups"]}
        if isinstance(parameters.get("group_features"), list):
            start, names = parameters["group_features"]
            parameters["group_features"] = (start, list(names))
        if parameters.get("allowed_transitions") is not None:
            parameters["allowed_transitions"] = [(a, b) for a, b in parameters["allowed_transitions"]]
        return parameters

    def _saved(self) -> tuple[Mapping[str, Any], Mapping[str, npt.ArrayLike]]:
        return saved_defaults(
            self.features, self._fitted().weights.attribute_map
        ), self._fitted().weights.saved()

    def _restore(self, meta: Mapping[str, Any], arrays: Mapping[str, npt.NDArray[Any]]) -> None:
        self._set(self._weights_from(meta, arrays), self.labels_)

    def _weights_from(self, meta: Mapping[str, Any], arrays: Mapping[str, npt.NDArray[Any]]) -> Weights:
        pair_map = None
        if self.transition_features is not None:
            pair_map = AttributeMap.restored([self.transition_features], arrays, "pair_attribute")
        collections = self._collections()
        collections[0] = restored_defaults(self.features, meta)
        attribute_map = AttributeMap.restored(collections, arrays, "attribute")
        return Weights.restored(
            self._outputs(self.labels_), attribute_map, pair_map, arrays, len(self.labels_)
        )
