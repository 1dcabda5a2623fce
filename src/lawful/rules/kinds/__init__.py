"""The vocabulary of rules, one family a file."""

from __future__ import annotations

__all__: list[str] = []
