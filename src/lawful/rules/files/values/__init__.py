"""The values of a rule file, by kind."""

from __future__ import annotations

__all__: list[str] = []
