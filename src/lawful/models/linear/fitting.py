"""From a labelled corpus to the weights of a linear model."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from time import monotonic
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
import numpy.typing as npt

from lawful import _core
from lawful.labels import LabelSet
from lawful.lattice.arrays import Floats
from lawful.models.features.attribute_sequences import AttributeSequences
from lawful.models.linear.attributes import AttributeMap, core_sequences
from lawful.models.linear.outputs import Outputs
from lawful.models.linear.progress import Progress, showing
from lawful.models.linear.training import ALGORITHMS, Task, Trainer, TrainingOptions
from lawful.models.linear.weights import Weights

if TYPE_CHECKING:
    from lawful.models.features import Features

__all__ = ["AttributeCorpus", "FeatureChoice", "FeatureParameters", "read_features", "run", "train"]

CHECKPOINT_SECONDS = 60.0


@dataclass(frozen=True)
class AttributeCorpus:
    """The attributes of a corpus, extracted once; kept for the next fit of a model with `warm_start`."""

    source: object
    """The object they were read from: if it comes again, it is not read again."""
    tokens: int
    attribute_map: AttributeMap
    sequences: AttributeSequences
    pair_map: AttributeMap | None
    pairs: AttributeSequences | None

    @classmethod
    def read(
        cls,
        source: object,
        X: Sequence[Sequence[Any]],
        collections: Sequence[Features | None],
        pair_features: Features | None,
    ) -> AttributeCorpus:
        """Extract the attributes of all sequences."""
        attribute_map, sequences = AttributeMap.fit(collections, X)
        if pair_features is None:
            return cls(source, sequences.positions, attribute_map, sequences, None, None)
        return cls(
            source, sequences.positions, attribute_map, sequences, *AttributeMap.fit([pair_features], X)
        )


@dataclass(frozen=True)
class FeatureChoice:
    """Which features a model has."""

    all_states: bool
    all_transitions: bool
    min_count: float
    start: bool
    end: bool
    group_attributes: str | None = None
    """What the names of attributes begin with that fire for groups, while all others fire for labels; both for both if not given."""

    def weights(
        self, corpus: AttributeCorpus, gold: npt.NDArray[np.int32], labels: LabelSet, outputs: Outputs
    ) -> tuple[Weights, Floats]:
        """The features that a corpus shows, with weights of 0, and how often each occurs."""
        scopes = None
        attribute_map = corpus.attribute_map
        if len(attribute_map.blocks) > 1:
            # The attributes of the first block fire for labels, those of the second for groups.
            scopes = np.repeat([1, 2], [block.size for block in attribute_map.blocks]).astype(np.uint8)
        elif self.group_attributes is not None:
            marked = (
                attribute_map.name(id).startswith(self.group_attributes) for id in range(attribute_map.size)
            )
            scopes = np.fromiter((2 if mark else 1 for mark in marked), np.uint8, attribute_map.size)
        layout, observed = _core.linear_features(
            len(labels),
            outputs.offsets,
            outputs.items,
            core_sequences(corpus.sequences),
            gold,
            None if corpus.pairs is None else core_sequences(corpus.pairs),
            all_states=self.all_states,
            all_edges=self.all_transitions,
            min_count=self.min_count,
            first=self.start,
            last=self.end,
            scopes=scopes,
            label_outputs=outputs.labels,
        )
        outputs.require_allowed(gold, corpus.sequences, labels)
        layout = outputs.restrict(layout)
        zeros = np.zeros(layout.size)
        return Weights(outputs, corpus.attribute_map, corpus.pair_map, layout, zeros), observed


class FeatureParameters(Protocol):
    """The parameters of a model that say which features a labelled corpus gives it."""

    transition_features: Features | None
    all_states: bool
    all_transitions: bool
    min_count: float
    start: bool
    end: bool

    def _collections(self) -> list[Features | None]: ...

    def _group_attributes(self) -> str | None: ...

    def _outputs(self, labels: LabelSet) -> Outputs: ...


def read_features(
    model: FeatureParameters, X: Sequence[Sequence[Any]], gold: npt.NDArray[np.int32], labels: LabelSet
) -> tuple[AttributeCorpus, Weights, Floats]:
    """The features that a labelled corpus gives a model, with weights of 0, and how often each was seen.

    Examples
    --------
    >>> import lawful
    >>> gold = np.array([0, 1], dtype=np.int32)
    >>> _, weights, counts = read_features(lawful.CRF(), [[["a"], ["b"]]], gold, lawful.LabelSet(["A", "B"]))
    >>> len(weights.values), counts.tolist()
    (3, [1.0, 1.0, 1.0])
    """
    corpus = AttributeCorpus.read(X, X, model._collections(), model.transition_features)
    choice = FeatureChoice(
        model.all_states,
        model.all_transitions,
        model.min_count,
        model.start,
        model.end,
        model._group_attributes(),
    )
    return corpus, *choice.weights(corpus, gold, labels, model._outputs(labels))


def train(
    algorithm: str,
    corpus: AttributeCorpus,
    gold: npt.NDArray[np.int32],
    start: Weights,
    observed: Floats,
    options: TrainingOptions,
    *,
    verbose: bool,
    callback: Callable[[Progress], object] | None,
    checkpoint: Callable[[Weights, float], None] | None,
) -> tuple[Weights, list[Progress]]:
    """Run an algorithm to its end, or until the callback returns True.

    The checkpoint is written about once a minute, and when the run is interrupted by Ctrl-C or an error in the callback.
    """
    task = Task(
        start.layout,
        core_sequences(corpus.sequences),
        None if corpus.pairs is None else core_sequences(corpus.pairs),
        gold,
        observed,
        start.values,
        len(corpus.sequences),
    )
    trainer = ALGORITHMS[algorithm](task, options)
    return run(trainer, start, verbose=verbose, callback=callback, checkpoint=checkpoint)


def run(
    trainer: Trainer,
    start: Weights,
    *,
    verbose: bool,
    callback: Callable[[Progress], object] | None,
    checkpoint: Callable[[Weights, float], None] | None = None,
) -> tuple[Weights, list[Progress]]:
    """As `train`, for a given trainer; `start` says which features its weights belong to."""
    history: list[Progress] = []

    def now() -> Weights:
        return Weights(start.outputs, start.attribute_map, start.pair_map, start.layout, trainer.weights)

    written = monotonic()
    try:
        with showing(verbose=verbose) as show:
            for progress in trainer.run():
                history.append(progress)
                show(progress)
                if callback is not None and callback(progress) is True:
                    break
                if checkpoint is not None and monotonic() - written > CHECKPOINT_SECONDS:
                    checkpoint(now(), history[-1].objective)
                    written = monotonic()
    except BaseException:
        if checkpoint is not None and history:
            checkpoint(now(), history[-1].objective)
        raise
    return now(), history
