"""What changed and why, what the rules cost, what nearly won, and proof that nothing beats the answer."""

from __future__ import annotations

from bylaw.explanation.certificates import Certificate, verify
from bylaw.explanation.changes import Change
from bylaw.explanation.charges import Charge
from bylaw.explanation.explaining import Explanation, explain
from bylaw.explanation.prices import RulePrice
from bylaw.explanation.runners_up import RunnerUp
from bylaw.explanation.wishes import WhyNot, why_not

__all__ = [
    "Certificate",
    "Change",
    "Charge",
    "Explanation",
    "RulePrice",
    "RunnerUp",
    "WhyNot",
    "explain",
    "verify",
    "why_not",
]
