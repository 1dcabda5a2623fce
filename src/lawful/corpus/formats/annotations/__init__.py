"""Texts with marked spans, as annotation tools, TEI editors, Hugging Face's datasets and spaCy keep them."""

from __future__ import annotations

__all__: list[str] = []
