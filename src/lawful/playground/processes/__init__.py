"""Processes that do the work of requests: each has a budget of time and memory, and can be ended."""

from __future__ import annotations

__all__: list[str] = []
