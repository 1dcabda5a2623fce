"""Which runs there are, in the order in which they are done."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from experiments.srl.learners import CHOICES

__all__ = ["LEARNERS", "Plan", "choosing_runs"]

LEARNERS = ("VP", "VW", "P", "W", "CRF-ML", "CRF-D", "CRF-D IBT")
BASE = {"run": "table", "chunks": "gold", "features": "paper"}


def choosing_runs() -> list[dict[str, Any]]:
    """Each learner at each of its settings, fitted to nine tenths of the training data and scored on the rest."""
    return [
        {**BASE, "learner": learner, "options": options, "train": "fit", "test": "held"}
        for learner, tried in CHOICES.items()
        for options in tried
    ]


@dataclass(frozen=True)
class Plan:
    """The runs that are reported, at the options that were chosen."""

    chosen: dict[str, Any]

    def table(self, learner: str, **other: str) -> dict[str, Any]:
        """The run of a learner; `other` replaces features, chunks, training or test data."""
        base = {**BASE, "learner": learner, "options": self.chosen[learner], "train": "train", "test": "dev"}
        return {**base, **other}

    def solvers(self) -> dict[str, Any]:
        """The comparison of solvers, on every fourth lattice of the voted perceptron."""
        return {**self.table("VP"), "run": "solvers", "every": 4}

    def soft(self) -> dict[str, Any]:
        """Prices for the voted perceptron: its weights from nine tenths of the training data, its prices from the rest."""
        return {**self.table("VP", train="fit"), "run": "soft"}

    def pruning(self) -> dict[str, Any]:
        """Another pruning of candidates, for the voted perceptron."""
        return {**self.table("VP"), "run": "pruning"}

    def all_runs(self) -> list[dict[str, Any]]:
        """Everything that the page shows."""
        return [
            self.table("VP"),
            self.table("VP", test="brown"),
            self.solvers(),
            self.table("VP", features="paper+parse"),
            self.table("VP", features="paper+parse", test="brown"),
            self.table("CRF-D"),
            *(self.table(learner) for learner in LEARNERS if learner not in ("VP", "CRF-D")),
            self.table("CRF-D", features="paper+parse"),
            self.table("CRF-D", features="paper+parse", test="brown"),
            self.soft(),
            self.pruning(),
            self.table("VP", features="single"),
            self.table("VP", chunks="predicted"),
            self.table("VP", features="paper+parse", train="ewt-train", test="ewt-test"),
        ]
