"""The search for better encodings: hill climbing with a beam, which survives being killed."""

from __future__ import annotations

__all__: list[str] = []
