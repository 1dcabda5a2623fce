"""From sequences to attribute ids for a semi-CRF's kernels: those of tokens, ends, lengths and whole segments.

All kinds of attributes share one range of ids, one kind after another, so that one layout holds all weights.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from lawful import _core
from lawful.models.features.attribute_sequences import AttributeSequences
from lawful.models.features.items import extract_attributes, fit_attributes
from lawful.models.linear.attributes import AttributeBlock, AttributeMap, core_sequences, side_by_side
from lawful.models.semi_crf.segments.collection import SegmentFeatures
from lawful.models.semi_crf.segments.segmentation import Segment, Segmentation

if TYPE_CHECKING:
    from lawful.models.features import Features

__all__ = ["SegmentAttributes"]

Rows = dict[str, AttributeSequences]
PREFIXES = {"tokens": "", "first": "first:", "last": "last:", "lengths": "", "segments": ""}


@dataclass(frozen=True)
class SegmentAttributes:
    """From tokens to attribute ids, as a semi-CRF does it; the blocks of `attribute_map` are of these `kinds`."""

    seen: SegmentFeatures
    segmentation: Segmentation
    kinds: tuple[str, ...]
    attribute_map: AttributeMap

    @classmethod
    def fit(
        cls,
        features: Features | None,
        seen: SegmentFeatures,
        segmentation: Segmentation,
        X: Sequence[Sequence[Any]],
        gold: Sequence[Sequence[Segment]],
    ) -> tuple[SegmentAttributes, Rows]:
        """Learn the attributes of sequences and of their gold segments; also returns the extracted attributes by kind."""
        width = max(segmentation.longest)
        sides = {"tokens": features, "first": seen.first, "last": seen.last}
        fitted: dict[str, tuple[AttributeBlock, AttributeSequences]] = {}
        for kind, templates in sides.items():
            if kind == "tokens" or templates is not None:
                fitted[kind] = AttributeBlock.fit(templates, X, PREFIXES[kind])
        if (lengths := seen.lengths(width)) is not None:
            sequences, index = fit_attributes([lengths])
            fitted["lengths"] = AttributeBlock(None, index, sequences.size), sequences
        if seen.looks_at_segments:
            rows = [seen.items(tokens, width) for tokens in X]
            indices = [
                (n, segment.start * width + segment.end - segment.start - 1)
                for n, segments in enumerate(gold)
                for segment in segments
            ]
            # Attributes are learned from gold segments only: all possible segments would have far too many.
            _, index = fit_attributes([[rows[n][index_of_row] for n, index_of_row in indices]])
            sequences = extract_attributes([[row for of_sequence in rows for row in of_sequence]], index)
            fitted["segments"] = AttributeBlock(None, index, sequences.size), sequences
        attribute_map = AttributeMap(tuple(block for block, _ in fitted.values()))
        attributes = cls(seen, segmentation, tuple(fitted), attribute_map)
        return attributes, {kind: sequences for kind, (_, sequences) in fitted.items()}

    def extract(self, X: Sequence[Sequence[Any]], *, jobs: int = 1) -> Rows:
        """Extract the known attributes of sequences."""
        width = max(self.segmentation.longest)
        extracted: Rows = {}
        for kind, block in zip(self.kinds, self.attribute_map.blocks, strict=True):
            if kind == "lengths":
                extracted[kind] = block.extract([self.seen.lengths(width) or []], jobs=1)
            elif kind == "segments":
                rows = [row for tokens in X for row in self.seen.items(tokens, width)]
                extracted[kind] = block.extract([rows], jobs=1)
            else:
                extracted[kind] = block.extract(X, jobs=jobs)
        return extracted

    def core(self, rows: Rows) -> _core.SemiSegments:
        """All segments that the sequences may be cut into, for the kernels."""
        by_kind: dict[str, _core.LinearSequences | None] = dict.fromkeys(PREFIXES)
        for kind, start in zip(self.kinds, self.attribute_map.starts, strict=True):
            by_kind[kind] = core_sequences(_shifted(rows[kind], start, self.attribute_map.size))
        tokens = by_kind["tokens"]
        assert tokens is not None  # noqa: S101  # for the type checker: there always are tokens
        return _core.SemiSegments(
            np.array(self.segmentation.longest, dtype=np.int32),
            np.array(self.segmentation.repeats, dtype=np.uint8),
            tokens,
            by_kind["first"],
            by_kind["last"],
            by_kind["lengths"],
            by_kind["segments"],
        )

    def gold(
        self, rows: Rows, gold: Sequence[Sequence[Segment]]
    ) -> tuple[AttributeSequences, npt.NDArray[np.int32]]:
        """The gold segments as a corpus: each one a position with all of its attributes, and its label."""
        width = max(self.segmentation.longest)
        offsets = rows["tokens"].sequence_offsets[:-1].tolist()
        spans = [
            (at + segment.start, at + segment.end)
            for at, segments in zip(offsets, gold, strict=True)
            for segment in segments
        ]
        start, end = np.array(spans, dtype=np.int64).T
        borders = np.concatenate([[0], np.cumsum([len(segments) for segments in gold])])
        chosen = {
            "first": start,
            "last": end - 1,
            "lengths": end - start - 1,
            "segments": start * width + end - start - 1,
        }
        tokens = rows["tokens"]
        items = np.concatenate(
            [tokens.item_offsets[start], tokens.item_offsets[-1:]]
        )  # segments cover everything
        blocks = [AttributeSequences(borders, items, tokens.attributes, tokens.values, tokens.size)]
        blocks += [_taken(rows[kind], chosen[kind], borders) for kind in self.kinds[1:]]
        numbers = {name: number for number, name in enumerate(self.segmentation.names)}
        labels = np.array(
            [numbers[segment.label] for segments in gold for segment in segments], dtype=np.int32
        )
        return reduce(side_by_side, blocks), labels

    @classmethod
    def restored(
        cls,
        features: Features | None,
        seen: SegmentFeatures,
        segmentation: Segmentation,
        arrays: Mapping[str, npt.NDArray[Any]],
        prefix: str,
    ) -> SegmentAttributes:
        """From the arrays of a model file."""
        sides = {"tokens": features, "first": seen.first, "last": seen.last}
        kinds = [kind for kind, templates in sides.items() if kind == "tokens" or templates is not None]
        kinds += ["lengths"] if seen.lengths(1) is not None else []
        kinds += ["segments"] if seen.looks_at_segments else []
        attribute_map = AttributeMap.restored([sides.get(kind) for kind in kinds], arrays, prefix)
        blocks = [
            replace(block, prefix=PREFIXES[kind])
            for kind, block in zip(kinds, attribute_map.blocks, strict=True)
        ]
        return cls(seen, segmentation, tuple(kinds), AttributeMap(tuple(blocks)))


def _shifted(sequences: AttributeSequences, start: int, size: int) -> AttributeSequences:
    arrays = (
        sequences.sequence_offsets,
        sequences.item_offsets,
        sequences.attributes + np.int32(start),
        sequences.values,
    )
    return AttributeSequences.from_core(arrays, size)


def _taken(
    rows: AttributeSequences, chosen: npt.NDArray[np.int64], borders: npt.NDArray[np.int64]
) -> AttributeSequences:
    """Some rows, as the positions of new sequences."""
    each = replace(rows, sequence_offsets=np.arange(rows.positions + 1)).take(chosen)
    return replace(each, sequence_offsets=borders)
