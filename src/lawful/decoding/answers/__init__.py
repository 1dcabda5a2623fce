"""Answers beyond the best one: n-best lists, probabilities, samples, counts."""

from __future__ import annotations

__all__: list[str] = []
