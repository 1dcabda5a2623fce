"""What the playground says and accepts over HTTP: routes, guards, connections, pages."""

from __future__ import annotations

__all__: list[str] = []
