"""Machines that rewrite sequences, and what can be done with them."""

from __future__ import annotations

__all__: list[str] = []
