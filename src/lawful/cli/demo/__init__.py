"""The tour that `lawful demo` gives."""

from __future__ import annotations

__all__: list[str] = []
