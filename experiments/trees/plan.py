"""Which runs there are, in the order in which they are done: what tells most comes first, and runs of one fitted model stand together."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from experiments.shared.experiment import choose_options
from experiments.shared.journal import Journal
from experiments.trees.coherent import VARIANTS
from experiments.trees.systems import SYSTEMS

__all__ = ["CHOICES", "Plan", "choosing_runs"]

_PENALTIES: list[dict[str, Any]] = [{"c2": 0.3}, {"c2": 0.1}, {"c2": 1.0}]
CHOICES: dict[str, list[dict[str, Any]]] = {
    "joint, complex features": _PENALTIES,
    "separate": _PENALTIES,
    "joint, simple features": _PENALTIES,
    "chain": _PENALTIES,
    "histories": [{"c2": 0.3}, {"c2": 1.0}],
    "chain, perceptron": [
        {"epochs": 5, "margin": 0.0},
        {"epochs": 10, "margin": 0.0},
        {"epochs": 5, "margin": 30.0},
    ],
    "histories, perceptron": [{"epochs": 5}],
}
"""What is tried on the held-out tenth: each system has its own penalty, because models with more features for a tag need more."""

PARTS = {"train": 4, "fit": 4, "ewt-train but weblog": 8}
"""Of so many propositions one is learned from by the systems of chapter 5, so that all ends on one shared core ("fit" by those that vote)."""

NAMED_PARTS = {"train": 2, "ewt-train but weblog": 8}
"""The same for chapter 3."""

CHOSEN_ON = {"joint, complex features": "fit/4", "chain, perceptron": "fit"}
"""The part of the other nine tenths that is learned from for a choice, if it is not every eighth."""

WEB = "ewt-train but weblog"
AT_HOME, NEW_GENRE, OTHERS = "ewt-test but weblog", "ewt-train of weblog", "ewt-test-others but weblog"
"""Of the English Web Treebank one genre is left out, the last by name: what its training data hold is of a new genre then."""

CURVE = (16, 4)
"""Predict and map against predict directly is also learned from every so many propositions."""

SEEDS = (1, 2, 3, 4, 5)
SEARCH = {"trials": 40, "epochs": 3, "beam": 5, "by frequency": True}


def _system(system: str, options: dict[str, Any], train: str, test: str) -> dict[str, Any]:
    return {"run": "system", "system": system, "options": options, "train": train, "test": test}


def _size(train: str, parts: Mapping[str, int] = PARTS) -> str:
    """All systems that are compared learn from the same part of the training data."""
    return train if parts[train] == 1 else f"{train}/{parts[train]}"


def choosing_runs() -> list[dict[str, Any]]:
    """Each learner at each of its settings, fitted to nine tenths of the training data, or a part of them, and scored on the rest."""
    return [
        _system(system, options, CHOSEN_ON.get(system, "fit/8"), "held")
        for system, tried in CHOICES.items()
        for options in tried
    ]


@dataclass(frozen=True)
class Plan:
    """The runs that are reported, at the options that were chosen."""

    chosen: dict[str, dict[str, Any]]

    @classmethod
    def chosen_by(cls, journal: Journal) -> Plan:
        """The options with the best F1 without rules on the held-out tenth; the first if none was tried."""
        return cls(choose_options(journal, choosing_runs(), CHOICES, by="system", step="no rules"))

    def system(self, system: str, train: str = "train", test: str = "dev") -> dict[str, Any]:
        """The run of a system."""
        options = self.chosen.get(system, self.chosen["joint, complex features"])
        return _system(system, options, _size(train), test)

    def filter(self, test: str) -> dict[str, Any]:
        """The recall of the argument filter."""
        return {"run": "filter", "test": test}

    def search(self, seed: int) -> dict[str, Any]:
        """Hill climbing over the chain's encoding."""
        return {"run": "search", "seed": seed, **SEARCH}

    def weights(self, journal: Journal) -> dict[str, Any] | None:
        """Choose the weights of votes between the chains in the encodings that the searches found; None as long as one is missing."""
        found = [journal.find(self.search(seed)) for seed in SEEDS]
        if any(one is None for one in found):
            return None
        return {
            "run": "weights",
            "encodings": [one["encoding"] for one in found if one is not None],
            "c2": self.chosen["chain"]["c2"],
            "train": _size("fit"),
            "test": "held/8",
        }

    def learned(self, journal: Journal) -> dict[str, Any] | None:
        """The chains, and their votes; None as long as there are no weights."""
        settings = self.weights(journal)
        chosen = None if settings is None else journal.find(settings)
        if settings is None or chosen is None:
            return None
        return {**settings, "run": "learned", "weights": chosen["weights"], "test": "dev"}

    def voted(self, journal: Journal) -> list[dict[str, Any]]:
        """What depends on the searches."""
        return [run for run in (self.weights(journal), self.learned(journal)) if run is not None]

    def trees(self) -> list[dict[str, Any]]:
        """What the page on trees shows, but for what depends on the searches."""
        return [*self.wsj(), *self.searches(), *self.web()]

    def wsj(self) -> list[dict[str, Any]]:
        """All systems on sections 15 to 18, 20 and Brown."""
        return [
            *(self.filter(test) for test in ("dev", "brown")),
            *(self.system(system, test=test) for system in SYSTEMS for test in ("dev", "brown")),
            {"run": "histories", "train": "train"},
            {"run": "speed"},
        ]

    def searches(self) -> list[dict[str, Any]]:
        """Hill climbing."""
        return [self.search(seed) for seed in SEEDS]

    def web(self) -> list[dict[str, Any]]:
        """All systems on the verbs of the English Web Treebank, and on its other predicates."""
        tests = (AT_HOME, NEW_GENRE, OTHERS)
        return [
            *(self.filter(test) for test in tests),
            *(self.system(system, WEB, test) for system in SYSTEMS for test in tests),
        ]

    def coherent(self, variant: str, mapping: str, test: str, train: str = "train") -> dict[str, Any]:
        """A run of chapter 3."""
        c2 = self.chosen["joint, complex features"]["c2"]
        train = _size(train, NAMED_PARTS)
        if mapping != "descriptions":  # which keep the numbers of roles that they do not know
            train = f"linked {train}"
        return {
            "run": "coherent", "variant": variant, "mapping": mapping, "train": train, "test": test, "c2": c2,
        }  # fmt: skip

    def themes(self, train: str = "train", test: str = "dev") -> dict[str, Any]:
        """Predict and map, or predict directly."""
        return {**self.coherent("simple + PropBank + mapped", "verbnet", test, train), "run": "themes"}

    def curve(self) -> list[dict[str, Any]]:
        """The same learned from parts of the data."""
        return [{**self.themes(), "train": f"linked train/{part}"} for part in CURVE]

    def confusion(self) -> dict[str, Any]:
        """What dividing A2 mends."""
        return {**self.coherent("simple", "A2 by groups", "dev"), "run": "confusion"}

    def labels(self) -> list[dict[str, Any]]:
        """What the page on labels shows."""
        return [*self.wsj_labels(), *self.web_labels()]

    def wsj_labels(self) -> list[dict[str, Any]]:
        """The tables of the thesis; runs that need the same model stand together."""
        runs: list[dict[str, Any]] = [{"run": "coverage", "test": "train"}]
        runs += self._variants("verbnet")
        runs += [self.themes(), *self.curve()]  # the first right after the model that it needs
        for role in ("A1", "A2"):
            runs += [self.coherent("simple", f"{role} by groups", test) for test in ("dev", "brown")]
        return [*runs, self.confusion(), *self._variants("descriptions")]

    def _variants(self, mapping: str) -> list[dict[str, Any]]:
        return [self.coherent(variant, mapping, test) for variant in VARIANTS for test in ("dev", "brown")]

    def web_labels(self) -> list[dict[str, Any]]:
        """The same on the English Web Treebank."""
        runs = [
            self.coherent(variant, "verbnet", test, WEB)
            for variant in VARIANTS
            for test in (AT_HOME, NEW_GENRE)
        ]
        runs.append(self.themes(WEB, AT_HOME))
        for role in ("A1", "A2"):
            runs += [self.coherent("simple", f"{role} by groups", test, WEB) for test in (AT_HOME, NEW_GENRE)]
        return runs
