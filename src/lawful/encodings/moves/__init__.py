"""Small changes to encodings, each of which gives another encoding or says why not."""

from __future__ import annotations

__all__: list[str] = []
