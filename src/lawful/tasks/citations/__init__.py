"""References in 13 fields."""

from __future__ import annotations

__all__: list[str] = []
