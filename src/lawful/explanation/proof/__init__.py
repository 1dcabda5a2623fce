"""Certificates: proof that no answer is better."""

from __future__ import annotations

__all__: list[str] = []
