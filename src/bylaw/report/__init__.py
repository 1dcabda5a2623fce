"""Reports and the playground: what a corpus or a text looks like with and without rules."""

from __future__ import annotations

from bylaw.report.content import Report, RuleEffect, ShownSequence
from bylaw.report.measuring import make_report
from bylaw.report.page import render_report

__all__ = ["Report", "RuleEffect", "ShownSequence", "make_report", "render_report"]
