"""Segments: their features, and how labels of tokens describe them.

>>> from lawful.models import features, segments
>>> seen = segments.SegmentFeatures(
...     segments.length(cap=10), segments.last(features.kinds("is_punctuation")), segments.text(longest=3)
... )
>>> seen
SegmentFeatures(length(cap=10), last(kinds('is_punctuation')), text(longest=3))
"""

import lazy_loader

# The names of this room and where they live are in the stub beside this file: imported when asked for.
__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
