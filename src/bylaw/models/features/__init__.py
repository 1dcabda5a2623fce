"""What models see of a token."""

from __future__ import annotations

from bylaw.models.features.encoded import EncodedSequences
from bylaw.models.features.index import AttributeIndex
from bylaw.models.features.items import encode_attributes, fit_attributes

__all__ = ["AttributeIndex", "EncodedSequences", "encode_attributes", "fit_attributes"]
