"""Options that several commands share, each declared once."""

from __future__ import annotations

__all__: list[str] = []
