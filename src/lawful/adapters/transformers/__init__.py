"""Token classifiers of Hugging Face's transformers."""

from __future__ import annotations

__all__: list[str] = []
