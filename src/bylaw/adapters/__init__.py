"""Adapters: other people's models as taggers and lattices. Each needs only what it adapts; import it by its own name."""

from __future__ import annotations

__all__: list[str] = []
