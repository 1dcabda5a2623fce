"""What a report draws: colours, strips of tokens, plots, machines, heat maps, as HTML and SVG."""

from __future__ import annotations

__all__: list[str] = []
