"""The playground: a page on this machine that labels a text under rules while both are edited, and its HTTP API."""

from __future__ import annotations

from bylaw.report.playground.workbench import Workbench

__all__ = ["Workbench"]
