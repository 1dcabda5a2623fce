"""Perceptrons and winnow, of single tokens and of whole sequences."""

from __future__ import annotations

__all__: list[str] = []
