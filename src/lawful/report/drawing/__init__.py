"""Drawings as HTML and SVG: colours, strips of tokens, plots, machines, heat maps."""

from __future__ import annotations

__all__: list[str] = []
