"""Machines as pictures: Graphviz DOT and SVG."""

from __future__ import annotations

__all__: list[str] = []
