"""How a semi-CRF learns: L-BFGS on the likelihood of segmentations."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Self

import numpy as np

from lawful import _core
from lawful.labels import LabelSet
from lawful.models.linear.attributes import core_sequences
from lawful.models.linear.fitting import FeatureChoice
from lawful.models.linear.outputs import Outputs
from lawful.models.linear.training import TRIALS, Lbfgs, Task, TrainingOptions
from lawful.models.linear.weights import Weights
from lawful.models.semi_crf.segments.attributes import Rows, SegmentAttributes
from lawful.models.semi_crf.segments.segmentation import Segment

__all__ = ["SemiLbfgs"]


class SemiLbfgs(Lbfgs):
    """L-BFGS, with the objective of a semi-CRF."""

    segments: _core.SemiSegments

    @classmethod
    def of(
        cls,
        attributes: SegmentAttributes,
        rows: Rows,
        gold: Sequence[Sequence[Segment]],
        options: TrainingOptions,
        choice: FeatureChoice,
    ) -> tuple[Self, Weights]:
        """A trainer, and the features that it finds weights for, with weights of 0; `choice` says which features."""
        corpus, labels = attributes.gold(rows, gold)
        outputs = Outputs.of(LabelSet(attributes.segmentation.names))
        data = core_sequences(corpus)
        layout, observed = _core.linear_features(
            len(outputs.names),
            outputs.offsets,
            outputs.items,
            data,
            labels,
            None,
            all_states=choice.all_states,
            all_edges=choice.all_transitions,
            min_count=choice.min_count,
            first=choice.start,
            last=choice.end,
            scopes=None,
            label_outputs=outputs.labels,
        )
        weights = Weights(outputs, attributes.attribute_map, None, layout, np.zeros(layout.size))
        trainer = cls(Task(layout, data, None, labels, observed, weights.values, len(corpus)), options)
        trainer.segments = attributes.core(rows)
        return trainer, weights

    def _make_batch(self) -> _core.SemiBatch:
        task, options = self.task, self.options
        return _core.SemiBatch(
            task.layout,
            self.segments,
            task.observed,
            task.weights,
            c1=options.c1,
            c2=options.c2,
            memory=options.memory,
            most_trials=TRIALS,
            threads=options.threads,
        )
