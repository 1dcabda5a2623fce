"""One file format for all models: data only, checked to the last bit."""

from __future__ import annotations

from bylaw.models.saving.layout import FORMAT, FORMAT_VERSION, SavedModel
from bylaw.models.saving.reading import open_model, read_model
from bylaw.models.saving.strings import pack_strings, unpack_strings
from bylaw.models.saving.writing import write_model

__all__ = [
    "FORMAT",
    "FORMAT_VERSION",
    "SavedModel",
    "open_model",
    "pack_strings",
    "read_model",
    "unpack_strings",
    "write_model",
]
