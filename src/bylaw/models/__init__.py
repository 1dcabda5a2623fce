"""Models: parameters, scoring, plain fitting, saving."""

from __future__ import annotations

__all__: list[str] = []
