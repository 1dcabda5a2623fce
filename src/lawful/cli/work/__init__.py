"""The work behind the commands: reading files and models, decoding, writing results."""

from __future__ import annotations

__all__: list[str] = []
