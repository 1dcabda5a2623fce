"""Operations on machines, one per file."""

from __future__ import annotations

__all__: list[str] = []
