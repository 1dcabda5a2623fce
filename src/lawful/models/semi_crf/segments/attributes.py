"""From sequences to what a semi-CRF's kernels eat: ids for tokens, ends, lengths and whole segments.

All kinds of attributes share one range of ids, one kind behind the other, so that one layout holds all weights.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from lawful import _core
from lawful.models.features.encoded import EncodedSequences
from lawful.models.features.items import encode_attributes, fit_attributes
from lawful.models.linear.attributes import Encoding, Part, core_sequences, side_by_side
from lawful.models.semi_crf.segments.collection import SegmentFeatures
from lawful.models.semi_crf.segments.segmentation import Segment, Segmentation

if TYPE_CHECKING:
    from lawful.models.features import Features

__all__ = ["SegmentEncoding"]

Rows = dict[str, EncodedSequences]
PREFIXES = {"tokens": "", "first": "first:", "last": "last:", "lengths": "", "segments": ""}


@dataclass(frozen=True)
class SegmentEncoding:
    """How a semi-CRF reads sequences; the parts of `encoding` are of these `kinds`."""

    seen: SegmentFeatures
    segmentation: Segmentation
    kinds: tuple[str, ...]
    encoding: Encoding

    @classmethod
    def fit(
        cls,
        features: Features | None,
        seen: SegmentFeatures,
        segmentation: Segmentation,
        X: Sequence[Sequence[Any]],
        gold: Sequence[Sequence[Segment]],
    ) -> tuple[SegmentEncoding, Rows]:
        """Learn the attributes of sequences and of their gold segments; also gives the sequences, encoded."""
        width = max(segmentation.longest)
        sides = {"tokens": features, "first": seen.first, "last": seen.last}
        fitted: dict[str, tuple[Part, EncodedSequences]] = {}
        for kind, templates in sides.items():
            if kind == "tokens" or templates is not None:
                encoded, index = fit_attributes(X) if templates is None else templates.fit(X)
                fitted[kind] = Part(templates, index, encoded.size, PREFIXES[kind]), encoded
        if (lengths := seen.lengths(width)) is not None:
            encoded, index = fit_attributes([lengths])
            fitted["lengths"] = Part(None, index, encoded.size), encoded
        if seen.looks_at_segments:
            rows = [seen.items(tokens, width) for tokens in X]
            places = [
                (n, one.start * width + one.end - one.start - 1)
                for n, segments in enumerate(gold)
                for one in segments
            ]
            _, index = fit_attributes([[rows[n][place] for n, place in places]])
            encoded = encode_attributes([[row for one in rows for row in one]], index)
            fitted["segments"] = Part(None, index, encoded.size), encoded
        encoding = Encoding(tuple(part for part, _ in fitted.values()))
        made = cls(seen, segmentation, tuple(fitted), encoding)
        return made, {kind: encoded for kind, (_, encoded) in fitted.items()}

    def encode(self, X: Sequence[Sequence[Any]], *, jobs: int = 1) -> Rows:
        """Encode sequences with the attributes that are known."""
        width = max(self.segmentation.longest)
        found: Rows = {}
        for kind, part in zip(self.kinds, self.encoding.parts, strict=True):
            if kind == "lengths":
                found[kind] = part.encode([self.seen.lengths(width) or []], jobs=1)
            elif kind == "segments":
                rows = [row for tokens in X for row in self.seen.items(tokens, width)]
                found[kind] = part.encode([rows], jobs=1)
            else:
                found[kind] = part.encode(X, jobs=jobs)
        return found

    def core(self, rows: Rows) -> _core.SemiSegments:
        """Encoded sequences with all the segments that they may be cut into, for the kernels."""
        given: dict[str, _core.CrfSequences | None] = dict.fromkeys(PREFIXES)
        for kind, start in zip(self.kinds, self.encoding.starts, strict=True):
            given[kind] = core_sequences(_shifted(rows[kind], start, self.encoding.size))
        tokens = given["tokens"]
        assert tokens is not None  # noqa: S101  # for the type checker: there always are tokens
        return _core.SemiSegments(
            np.array(self.segmentation.longest, dtype=np.int32),
            np.array(self.segmentation.repeats, dtype=np.uint8),
            tokens,
            given["first"],
            given["last"],
            given["lengths"],
            given["segments"],
        )

    def gold(
        self, rows: Rows, gold: Sequence[Sequence[Segment]]
    ) -> tuple[EncodedSequences, npt.NDArray[np.int32]]:
        """The gold segments as a corpus: each one a position with all of its attributes, and its label."""
        width = max(self.segmentation.longest)
        offsets = rows["tokens"].sequence_offsets[:-1].tolist()
        spans = [
            (at + one.start, at + one.end)
            for at, segments in zip(offsets, gold, strict=True)
            for one in segments
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
        parts = [EncodedSequences(borders, items, tokens.attributes, tokens.values, tokens.size)]
        parts += [_taken(rows[kind], chosen[kind], borders) for kind in self.kinds[1:]]
        numbers = {name: number for number, name in enumerate(self.segmentation.names)}
        labels = np.array([numbers[one.label] for segments in gold for one in segments], dtype=np.int32)
        return reduce(side_by_side, parts), labels

    @classmethod
    def restored(
        cls,
        features: Features | None,
        seen: SegmentFeatures,
        segmentation: Segmentation,
        arrays: Mapping[str, npt.NDArray[Any]],
        prefix: str,
    ) -> SegmentEncoding:
        """From the arrays of a model file."""
        sides = {"tokens": features, "first": seen.first, "last": seen.last}
        kinds = [kind for kind, templates in sides.items() if kind == "tokens" or templates is not None]
        kinds += ["lengths"] if seen.lengths(1) is not None else []
        kinds += ["segments"] if seen.looks_at_segments else []
        encoding = Encoding.restored([sides.get(kind) for kind in kinds], arrays, prefix)
        parts = [
            replace(part, prefix=PREFIXES[kind]) for kind, part in zip(kinds, encoding.parts, strict=True)
        ]
        return cls(seen, segmentation, tuple(kinds), Encoding(tuple(parts)))


def _shifted(encoded: EncodedSequences, start: int, size: int) -> EncodedSequences:
    arrays = (
        encoded.sequence_offsets,
        encoded.item_offsets,
        encoded.attributes + np.int32(start),
        encoded.values,
    )
    return EncodedSequences.from_core(arrays, size)


def _taken(
    rows: EncodedSequences, chosen: npt.NDArray[np.int64], borders: npt.NDArray[np.int64]
) -> EncodedSequences:
    """Some rows, as the positions of new sequences."""
    each = replace(rows, sequence_offsets=np.arange(rows.positions + 1)).take(chosen)
    return replace(each, sequence_offsets=borders)
