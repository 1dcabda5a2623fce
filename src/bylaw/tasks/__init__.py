"""Tasks of the papers: what their data look like, and the rules that hold in them."""

from __future__ import annotations

__all__: list[str] = []
