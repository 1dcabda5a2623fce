"""The formats that a corpus may be written in, one module or folder each."""

from __future__ import annotations

__all__: list[str] = []
