"""What `lawful train` does: choosing and fitting models, with and without unlabelled sequences, and folds."""

from __future__ import annotations

__all__: list[str] = []
