"""The commands, one file each."""

from __future__ import annotations

__all__: list[str] = []
