"""Whether a difference between two outputs is more than chance."""

from __future__ import annotations

__all__: list[str] = []
