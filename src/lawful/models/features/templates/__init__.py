"""Feature templates, as frozen data that prints as the code that made it."""

from __future__ import annotations

__all__: list[str] = []
