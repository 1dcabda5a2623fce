"""Which runs there are, in the order in which they are done."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from experiments.shared.journal import Journal
from experiments.srl.learners import CHOICES

__all__ = ["LEARNERS", "Plan", "choosing_runs", "said"]

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

    def find(
        self, journal: Journal, settings: dict[str, Any]
    ) -> tuple[dict[str, Any] | None, dict[str, Any]]:
        """The result of a run, and its settings; if it has not been done, one with other options that were tried before."""
        found = journal.find(settings)
        if found is not None:
            return found, settings
        like = {"P": "VP", "W": "VW", "CRF-D IBT": "CRF-D"}.get(settings["learner"], settings["learner"])
        for options in CHOICES[like]:
            older = {**settings, "options": options}
            if (found := journal.find(older)) is not None:
                return found, older
        return None, settings

    def solvers(self) -> dict[str, Any]:
        """The comparison of solvers, on all lattices of the voted perceptron."""
        return {**self.table("VP"), "run": "solvers"}

    def fewer_solvers(self) -> dict[str, Any]:
        """The same on every fourth lattice, as it was run before."""
        return {**self.solvers(), "every": 4}

    def soft(self) -> dict[str, Any]:
        """Prices for the voted perceptron, cross-fitted."""
        return {**self.table("VP"), "run": "soft"}

    def pruning(self) -> dict[str, Any]:
        """Other prunings of candidates, for the voted perceptron."""
        return {**self.table("VP"), "run": "pruning"}

    def beyond(self) -> dict[str, dict[str, Any]]:
        """What is past the papers, by the name of its row in the page."""
        parse = "paper+parse"
        ewt = {"train": "ewt-train", "test": "ewt-test", "chunks": "trees"}
        return {
            "voted perceptron, section 20, gold chunks": self.table("VP"),
            "voted perceptron, section 20, predicted chunks": self.table("VP", chunks="predicted"),
            "CRF-D, section 20, gold chunks": self.table("CRF-D"),
            "CRF-D, section 20, predicted chunks": self.table("CRF-D", chunks="predicted"),
            "voted perceptron without pairs of features, section 20, gold chunks": self.table(
                "VP", features="single"
            ),
            "voted perceptron, Brown": self.table("VP", test="brown"),
            "voted perceptron + parse, section 20, gold chunks": self.table("VP", features=parse),
            "voted perceptron + parse, Brown": self.table("VP", features=parse, test="brown"),
            "CRF-D + parse, section 20, gold chunks": self.table("CRF-D", features=parse),
            "CRF-D + parse, Brown": self.table("CRF-D", features=parse, test="brown"),
            "voted perceptron, English Web Treebank (test), chunks of its trees": self.table("VP", **ewt),
            "voted perceptron + parse, English Web Treebank (test), chunks of its trees": self.table(
                "VP", features=parse, **ewt
            ),
        }

    def all_runs(self) -> list[dict[str, Any]]:
        """Everything that the page shows; runs that need the same fitted model stand together."""
        vp = self.table("VP")
        return [
            vp,
            self.table("VP", test="brown"),
            self.solvers(),
            self.pruning(),
            self.soft(),
            *(self.table(learner) for learner in LEARNERS),
            *self.beyond().values(),
        ]


def said(options: dict[str, Any]) -> str:
    """Options in words."""
    return ", ".join(
        key if value is True else f"{key} {value}" if isinstance(value, str) else f"{key} {value:g}"
        for key, value in options.items()
    )
