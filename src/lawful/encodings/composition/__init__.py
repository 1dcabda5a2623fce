"""Scores of tags as scores of canonical labels: lattices of tags, composed with an encoding."""

from __future__ import annotations

__all__: list[str] = []
