"""Token tests: running them, and reading a token once for many rules."""

from __future__ import annotations

__all__: list[str] = []
