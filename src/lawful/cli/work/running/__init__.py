"""Batches of sentences decoded here, in other processes or on a cluster, always by the same code."""

from __future__ import annotations

__all__: list[str] = []
