"""Other people's models, as taggers. Each module needs its own extra, and imports it when it is used."""

from __future__ import annotations

__all__: list[str] = []
