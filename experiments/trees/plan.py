"""Which runs there are, in the order in which they are done."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from experiments.shared.journal import Journal
from experiments.trees.coherent import VARIANTS
from experiments.trees.systems import SYSTEMS

__all__ = ["CHOICES", "Plan", "choosing_runs"]

CHOICES: dict[str, list[dict[str, Any]]] = {
    "joint, complex features": [{"c2": 1.0}, {"c2": 0.3}, {"c2": 3.0}],
    "chain, perceptron": [{"epochs": 5}, {"epochs": 10}],
}
"""What is tried on the held-out tenth; the other systems of the same learner take what is best there."""


def _system(system: str, options: dict[str, Any], train: str, test: str) -> dict[str, Any]:
    return {"run": "system", "system": system, "options": options, "train": train, "test": test}


def choosing_runs() -> list[dict[str, Any]]:
    """Each learner at each of its settings, fitted to nine tenths of the training data and scored on the rest."""
    return [_system(system, options, "fit", "held") for system, tried in CHOICES.items() for options in tried]


@dataclass(frozen=True)
class Plan:
    """The runs that are reported, at the options that were chosen."""

    chosen: dict[str, dict[str, Any]]

    @classmethod
    def chosen_by(cls, journal: Journal) -> Plan:
        """The options with the best F1 without rules on the held-out tenth; the first if none was tried."""
        chosen = {}
        for system, tried in CHOICES.items():
            rated = []
            for options in tried:
                found = journal.find(_system(system, options, "fit", "held"))
                if found is not None:
                    correct, predicted, gold = found["steps"]["no rules"]["all"]
                    rated.append((2 * correct / (predicted + gold), options))
            chosen[system] = max(rated, key=lambda pair: pair[0])[1] if rated else tried[0]
        return cls(chosen)

    def options(self, system: str) -> dict[str, Any]:
        """The options of a system."""
        learner = "chain, perceptron" if "perceptron" in system else "joint, complex features"
        return self.chosen[learner]

    def system(self, system: str, train: str = "train", test: str = "dev") -> dict[str, Any]:
        """The run of a system."""
        return _system(system, self.options(system), train, test)

    def filter(self, test: str) -> dict[str, Any]:
        """The recall of the argument filter."""
        return {"run": "filter", "test": test}

    def trees(self) -> list[dict[str, Any]]:
        """What the page on trees shows."""
        return [
            *(self.filter(test) for test in ("dev", "brown")),
            *(self.system(system) for system in SYSTEMS),
            *(self.system(system, test="brown") for system in SYSTEMS),
            *(self.filter(test) for test in ("ewt-test", "ewt-test-others")),
            *(self.system(system, "ewt-train", "ewt-test") for system in SYSTEMS),
            *(
                self.system(system, "ewt-train", "ewt-test-others")
                for system in ("joint, complex features", "chain, perceptron")
            ),
        ]

    def coherent(self, variant: str, mapping: str, test: str, train: str = "train") -> dict[str, Any]:
        """A run of chapter 3."""
        c2 = self.chosen["joint, complex features"]["c2"]
        return {
            "run": "coherent", "variant": variant, "mapping": mapping, "train": train, "test": test, "c2": c2,
        }  # fmt: skip

    def themes(self, train: str = "train", test: str = "dev") -> dict[str, Any]:
        """Predict and map, or predict directly."""
        return {**self.coherent("simple + PropBank + mapped", "verbnet", test, train), "run": "themes"}

    def labels(self) -> list[dict[str, Any]]:
        """What the page on labels shows; runs that need the same model stand together."""
        runs: list[dict[str, Any]] = [{"run": "coverage", "test": "train"}]
        for mapping in ("verbnet", "descriptions"):
            for variant in VARIANTS:
                runs += [self.coherent(variant, mapping, test) for test in ("dev", "brown")]
                if mapping == "verbnet" and variant == "simple + PropBank + mapped":
                    runs.append(self.themes())
        for mapping in ("A1 by groups", "A2 by groups"):
            runs += [self.coherent("simple", mapping, test) for test in ("dev", "brown")]
        runs += [self.coherent(variant, "verbnet", "ewt-test", "ewt-train") for variant in VARIANTS]
        runs.append(self.themes("ewt-train", "ewt-test"))
        return runs
