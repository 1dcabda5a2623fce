"""Where experiments find the repository, write their results and keep what they have done."""

from __future__ import annotations

from pathlib import Path

__all__ = ["RESULTS", "ROOT", "WORK"]

ROOT = Path(__file__).parents[2]
RESULTS = ROOT / "docs" / "results"
WORK = ROOT / "build" / "experiments"
