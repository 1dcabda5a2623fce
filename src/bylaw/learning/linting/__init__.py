"""Linting: what labelled data says of rules, and rules of labelled data."""

from __future__ import annotations

from bylaw.learning.linting.against_gold import Lint, RuleLint, lint
from bylaw.learning.linting.model_effects import Effect
from bylaw.learning.linting.violations import Breach

__all__ = ["Breach", "Effect", "Lint", "RuleLint", "lint"]
