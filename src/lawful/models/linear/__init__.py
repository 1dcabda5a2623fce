"""What CRF, MEMM, MaxEnt and perceptrons share: weights of attributes with labels."""

from __future__ import annotations

__all__: list[str] = []
