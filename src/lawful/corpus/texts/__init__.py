"""Raw text: how it is cut into tokens, and the fields that labels mark in it."""

from __future__ import annotations

__all__: list[str] = []
