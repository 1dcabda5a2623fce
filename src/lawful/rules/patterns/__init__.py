"""Regular expressions over labels and token tests."""

from __future__ import annotations

__all__: list[str] = []
