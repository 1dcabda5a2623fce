"""What happens when hard rules contradict each other: which ones do, where, and the answer that breaks the fewest."""

from __future__ import annotations

__all__: list[str] = []
