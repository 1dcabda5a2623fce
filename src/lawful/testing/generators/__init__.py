"""Random lattices, graphs, rules, tokens and problems."""

from __future__ import annotations

__all__: list[str] = []
