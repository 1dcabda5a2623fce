"""Part-of-speech tagging."""

from __future__ import annotations

__all__: list[str] = []
