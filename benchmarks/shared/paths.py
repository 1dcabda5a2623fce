"""Where benchmarks find the repository, and write their results."""

from __future__ import annotations

from pathlib import Path

__all__ = ["RESULTS", "ROOT"]

ROOT = Path(__file__).parents[2]
RESULTS = ROOT / "docs" / "results"
