"""Learning with rules: prices, expectation maximisation, constraint-driven learning."""

from __future__ import annotations

from bylaw.learning.prices import Tally, learn_prices, tally_violations

__all__ = ["Tally", "learn_prices", "tally_violations"]
