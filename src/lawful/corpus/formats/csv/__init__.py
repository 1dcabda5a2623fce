"""CSV: a row a token, or a row a sequence."""

from __future__ import annotations

__all__: list[str] = []
