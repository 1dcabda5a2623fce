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

NAMED_PARTS = {"train": 4, "ewt-train but weblog": 8}
"""The same for chapter 3."""

CHOSEN_ON = {"joint, complex features": "fit/4", "chain, perceptron": "fit"}
"""The part of the other nine tenths that is learned from for a choice, if it is not every eighth."""

WEB = "ewt-train but weblog"
AT_HOME, NEW_GENRE, OTHERS = "ewt-test but weblog", "ewt-train of weblog", "ewt-test-others but weblog"
"""Of the English Web Treebank one genre is left out, the last by name: what its training data hold is of a new genre then."""

CURVE = (64, 16, 1)
"""Predict and map against predict directly is also learned from every so many propositions."""

SEEDS = (1, 2, 3, 4, 5)
SEARCH = {"trials": 150, "epochs": 3, "beam": 5, "by frequency": True}


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

    def _in_encodings(self, journal: Journal) -> tuple[list[dict[str, Any]], dict[str, Any]] | None:
        """The encodings that the searches found, and how chains in them are learned; None as long as a search is missing."""
        found = [journal.find(self.search(seed)) for seed in SEEDS]
        if any(one is None for one in found):
            return None
        c2 = self.chosen["chain"]["c2"]
        return [one["encoding"] for one in found if one is not None], {
            "c2": c2,
            "train": _size("fit"),
            "test": "dev",
        }

    def learned(self, journal: Journal) -> dict[str, dict[str, Any]]:
        """The chain in its own labels, and in the encodings that the searches found; nothing as long as a search is missing."""
        found = self._in_encodings(journal)
        if found is None:
            return {}
        encodings = {"canonical": None} | {
            f"run {seed}": one for seed, one in zip(SEEDS, found[0], strict=True)
        }
        return {
            name: {"run": "learned", "encoding": encoding, **found[1]} for name, encoding in encodings.items()
        }

    def voted(self, journal: Journal) -> dict[tuple[str, str], dict[str, Any]]:
        """The votes of the learned ones by method and step: without rules, and with all."""
        found = self._in_encodings(journal)
        if found is None:
            return {}
        return {
            (method, step): {
                "run": "voted",
                "method": method,
                "step": step,
                "encodings": found[0],
                **found[1],
            }
            for method in ("log-linear", "linear")
            for step in ("no rules", "all rules")
        }

    def after_searches(self, journal: Journal) -> list[dict[str, Any]]:
        """What depends on the searches."""
        return [*self.learned(journal).values(), *self.voted(journal).values()]

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
        """All systems on the verbs of the English Web Treebank; the chain and histories of the perceptron, which are quick, on the other predicates too."""
        quick = ("chain, perceptron", "histories, perceptron")
        return [
            *(self.filter(test) for test in (AT_HOME, NEW_GENRE, OTHERS)),
            *(self.system(system, WEB, AT_HOME) for system in SYSTEMS),
            *(self.system(system, WEB, test) for system in quick for test in (NEW_GENRE, OTHERS)),
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
        return [{**self.themes(), "train": f"linked train/{part}", "brief": True} for part in CURVE]

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
