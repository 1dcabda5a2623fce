"""How good an output is, where it errs, which rules it breaks, and whether another one is really better."""

from __future__ import annotations

from bylaw.evaluation.bootstrap import Interval
from bylaw.evaluation.confusion import Confusion
from bylaw.evaluation.evaluating import evaluate
from bylaw.evaluation.mcnemar import mcnemar_test
from bylaw.evaluation.result import Evaluation, Violations
from bylaw.evaluation.scores import Average, Score
from bylaw.evaluation.significance import Comparison, compare_outputs

__all__ = [
    "Average",
    "Comparison",
    "Confusion",
    "Evaluation",
    "Interval",
    "Score",
    "Violations",
    "compare_outputs",
    "evaluate",
    "mcnemar_test",
]
