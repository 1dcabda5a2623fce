"""Mining: rules that labelled data obeys, proposed with their evidence."""

from __future__ import annotations

from bylaw.learning.mining.evidence import Evidence, MinedRule, Proposal
from bylaw.learning.mining.proposing import FAMILIES, Mined, mine

__all__ = ["FAMILIES", "Evidence", "Mined", "MinedRule", "Proposal", "mine"]
