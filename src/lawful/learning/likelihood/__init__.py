"""Exact maximum likelihood under rules."""

from __future__ import annotations

__all__: list[str] = []
