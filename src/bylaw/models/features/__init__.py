"""What models see of a token: declared templates, and the attributes that they make.

>>> from bylaw.models.features import Features, at, column, join, kinds, suffix, window, word
>>> chunking = Features(
...     window(word(), -1, 1), window(column("pos"), -1, 1), join(at(-1, column("pos")), column("pos")), suffix(2, 3)
... )
>>> chunking.attributes([{"text": "the", "pos": "DT"}, {"text": "pound", "pos": "NN"}])[1]
['word[-1]=the', 'word=pound', 'pos[-1]=DT', 'pos=NN', 'pos[-1]|pos=DT|NN', 'suffix2=nd', 'suffix3=und']
"""

from __future__ import annotations

from bylaw.models.features.collection import Features
from bylaw.models.features.encoded import EncodedSequences
from bylaw.models.features.index import AttributeIndex
from bylaw.models.features.items import encode_attributes, fit_attributes
from bylaw.models.features.template import Template
from bylaw.models.features.vocabulary import (
    at,
    bias,
    column,
    first,
    folded,
    function,
    in_list,
    join,
    kinds,
    last,
    length,
    lower,
    matches,
    prefix,
    shape,
    suffix,
    window,
    word,
)

__all__ = [
    "AttributeIndex",
    "EncodedSequences",
    "Features",
    "Template",
    "at",
    "bias",
    "column",
    "encode_attributes",
    "first",
    "fit_attributes",
    "folded",
    "function",
    "in_list",
    "join",
    "kinds",
    "last",
    "length",
    "lower",
    "matches",
    "prefix",
    "shape",
    "suffix",
    "window",
    "word",
]
