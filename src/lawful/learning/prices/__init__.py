"""What breaking a rule should cost."""

from __future__ import annotations

__all__: list[str] = []
