from .attribute_sequences import AttributeSequences as AttributeSequences
from .collection import Features as Features
from .defaults import default_features as default_features
from .index import AttributeIndex as AttributeIndex
from .items import (
    extract_attributes as extract_attributes,
    fit_attributes as fit_attributes,
)
from .templates.template import Template as Template
from .vocabulary import (
    at as at,
    bias as bias,
    column as column,
    first as first,
    folded as folded,
    function as function,
    in_list as in_list,
    join as join,
    kinds as kinds,
    last as last,
    length as length,
    lower as lower,
    matches as matches,
    prefix as prefix,
    shape as shape,
    suffix as suffix,
    window as window,
    word as word,
)
