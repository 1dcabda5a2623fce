from .spans import (
    Span as Span,
    find_spans as find_spans,
    guess_scheme as guess_scheme,
)
from .table import (
    SCHEME_NAMES as SCHEME_NAMES,
    SCHEMES as SCHEMES,
    Scheme as Scheme,
)
from .tags import (
    convert_labels as convert_labels,
    label_spans as label_spans,
    tag_in_span as tag_in_span,
)
