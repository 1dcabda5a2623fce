"""Models: parameters, scoring, plain fitting, saving."""

from __future__ import annotations

from bylaw.models.estimator import SequenceModel
from bylaw.models.loading import load

__all__ = ["SequenceModel", "load"]
