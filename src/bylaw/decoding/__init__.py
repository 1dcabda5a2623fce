"""Decoding: rules compiled once, lattices decoded one by one or in batches, and what was found."""

from __future__ import annotations

from bylaw.decoding.decoder import Decoder
from bylaw.decoding.functions import decode
from bylaw.decoding.linear import to_lp
from bylaw.decoding.prepared import Prepared, PreparedBatch
from bylaw.decoding.probabilities import Marginals
from bylaw.decoding.ranking import Scored
from bylaw.decoding.result import Decoding, Decodings
from bylaw.decoding.sums import count_legal, iterate_best, log_partition, marginals, nbest, sample

__all__ = [
    "Decoder",
    "Decoding",
    "Decodings",
    "Marginals",
    "Prepared",
    "PreparedBatch",
    "Scored",
    "count_legal",
    "decode",
    "iterate_best",
    "log_partition",
    "marginals",
    "nbest",
    "sample",
    "to_lp",
]
