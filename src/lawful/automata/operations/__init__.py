"""Operations on machines, one idea a file."""

from __future__ import annotations

__all__: list[str] = []
