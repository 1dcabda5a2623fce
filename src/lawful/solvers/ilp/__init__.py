"""Integer linear programming: a problem as a network and linear rows, solved by HiGHS or written as an LP file."""

from __future__ import annotations

__all__: list[str] = []
