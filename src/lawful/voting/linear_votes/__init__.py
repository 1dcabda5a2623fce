"""Linear votes: the label sequence with the largest weighted sum of probabilities, searched exactly."""

from __future__ import annotations

__all__: list[str] = []
