"""What all models share: parameters, fit, predict, marginals, score."""

from __future__ import annotations

__all__: list[str] = []
