from .collection import SegmentFeatures as SegmentFeatures
from .segmentation import (
    Segment as Segment,
    Segmentation as Segmentation,
)
from .templates import (
    first as first,
    function as function,
    in_list as in_list,
    last as last,
    length as length,
    text as text,
)
