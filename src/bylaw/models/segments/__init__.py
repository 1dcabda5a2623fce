"""Segments: what a semi-CRF sees of them, and how labels of tokens speak of them.

>>> from bylaw.models import features, segments
>>> seen = segments.SegmentFeatures(
...     segments.length(cap=10), segments.last(features.kinds("is_punctuation")), segments.text(longest=3)
... )
>>> seen
SegmentFeatures(length(cap=10), last(kinds('is_punctuation')), text(longest=3))
"""

from __future__ import annotations

from bylaw.models.segments.collection import SegmentFeatures
from bylaw.models.segments.segmentation import Segment, Segmentation
from bylaw.models.segments.templates import first, function, in_list, last, length, text

__all__ = [
    "Segment",
    "SegmentFeatures",
    "Segmentation",
    "first",
    "function",
    "in_list",
    "last",
    "length",
    "text",
]
