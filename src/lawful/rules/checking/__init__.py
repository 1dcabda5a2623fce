"""Checking rules against each other, before any data."""

from __future__ import annotations

__all__: list[str] = []
