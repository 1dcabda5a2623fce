"""Rules as formal languages: which sequences of (kind of token, label) a rule accepts, before any data."""

from __future__ import annotations

__all__: list[str] = []
