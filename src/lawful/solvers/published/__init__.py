"""Algorithms from the literature, each a solver that can be asked for by name; they judge the engine, and some take its place."""

from __future__ import annotations

__all__: list[str] = []
