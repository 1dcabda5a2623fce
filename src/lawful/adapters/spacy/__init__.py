"""The component "lawful" of spaCy pipelines."""

from __future__ import annotations

__all__: list[str] = []
