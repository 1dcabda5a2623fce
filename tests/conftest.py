"""Hypothesis draws the same examples every time, and no clock decides: a busy machine must not fail a test."""

from __future__ import annotations

from hypothesis import settings

settings.register_profile("lawful", deadline=None, derandomize=True)
settings.load_profile("lawful")
