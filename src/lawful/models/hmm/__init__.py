"""The hidden Markov model."""

from __future__ import annotations

__all__: list[str] = []
