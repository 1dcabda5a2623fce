"""The text of explanations, made from their data; nothing here knows the classes that show it."""

from __future__ import annotations

__all__: list[str] = []
