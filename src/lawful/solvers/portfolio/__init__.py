"""What `auto` does with a problem that outgrows the engine: other solvers take turns, each with what the others found."""

from __future__ import annotations

__all__: list[str] = []
