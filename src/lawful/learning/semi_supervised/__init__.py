"""Learning from labelled and unlabelled sequences, guided by rules."""

from __future__ import annotations

__all__: list[str] = []
