"""CoNLL-style columns: a token a line, a blank line between sequences."""

from __future__ import annotations

__all__: list[str] = []
