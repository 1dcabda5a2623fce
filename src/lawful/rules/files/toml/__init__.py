"""TOML beyond `tomllib`: where each key stands, and writing it."""

from __future__ import annotations

__all__: list[str] = []
