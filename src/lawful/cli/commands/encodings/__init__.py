"""The commands about output encodings."""

from __future__ import annotations

__all__: list[str] = []
