"""Regular expressions from strangers."""

from __future__ import annotations

from bylaw.rules.token_tests import Contains, Matches

__all__ = ["make_linear"]


def make_linear(test: Matches | Contains) -> Matches | Contains:
    """The test."""
    return test
