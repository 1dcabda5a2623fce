"""The work behind the commands: from files to sentences, and from sentences to files."""

from __future__ import annotations

__all__: list[str] = []
