"""What a rule compiles to: counting machines, and parts that the kernels can use."""

from __future__ import annotations

__all__: list[str] = []
