"""Every kind of rule that a file may hold."""

from __future__ import annotations

__all__: list[str] = []
