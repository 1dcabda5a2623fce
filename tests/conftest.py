"""Hypothesis draws the same examples every time, and no clock decides: a busy machine must not fail a test."""

from __future__ import annotations

import gc
from collections.abc import Iterator

import pytest
from hypothesis import settings

settings.register_profile("lawful", deadline=None, derandomize=True)
settings.load_profile("lawful")


@pytest.fixture
def no_collection() -> Iterator[None]:
    """For tests of limits: what other tests have left in the process can take the collector longer than the margin."""
    gc.collect()
    gc.disable()
    yield
    gc.enable()
