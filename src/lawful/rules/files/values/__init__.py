"""What may stand under a key of a rule file."""

from __future__ import annotations

__all__: list[str] = []
