"""Learning with rules: prices, expectation maximisation, constraint-driven learning."""

from __future__ import annotations

from bylaw.learning.ccm import CCM
from bylaw.learning.codl import CoDL, HardEM
from bylaw.learning.em import EM
from bylaw.learning.history import Round
from bylaw.learning.price_search import scale_prices, search_prices
from bylaw.learning.prices import Tally, learn_prices, tally_violations

__all__ = [
    "CCM",
    "EM",
    "CoDL",
    "HardEM",
    "Round",
    "Tally",
    "learn_prices",
    "scale_prices",
    "search_prices",
    "tally_violations",
]
