"""Decoding: rules compiled once, lattices decoded one by one or in batches, and what was found."""

from __future__ import annotations

from bylaw.decoding.decoder import Decoder
from bylaw.decoding.functions import decode
from bylaw.decoding.prepared import Prepared, PreparedBatch
from bylaw.decoding.result import Decoding, Decodings

__all__ = ["Decoder", "Decoding", "Decodings", "Prepared", "PreparedBatch", "decode"]
