"""Models: parameters, scoring, plain fitting, saving."""

from __future__ import annotations

from bylaw.models import features

__all__ = ["features"]
