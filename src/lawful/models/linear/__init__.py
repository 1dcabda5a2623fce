"""What CRF, MEMM, MaxEnt and perceptrons share: attributes, weights, scoring, training."""

from __future__ import annotations

__all__: list[str] = []
