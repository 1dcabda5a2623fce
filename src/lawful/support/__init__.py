"""Helpers that know nothing of labels: files, threads, optional packages, regular expressions, styled text."""

from __future__ import annotations

__all__: list[str] = []
