"""The learners of Roth & Yih (2005), at settings that were chosen on a held-out tenth of the training data."""

from __future__ import annotations

import time
from functools import lru_cache
from typing import Any

import lawful
from experiments.srl.data import LABELS, attributes, contexts, examples
from lawful.learning import RuledPerceptron
from lawful.models import CRF, Perceptron, StructuredPerceptron, Winnow
from lawful.models.linear.model import LinearModel
from lawful.tasks import load_rules

__all__ = ["CHOICES", "NAMES", "fit", "lattices", "make"]

NAMES = {
    "VP": "voted perceptron",
    "VW": "voted winnow",
    "P": "perceptron",
    "W": "winnow",
    "CRF-ML": "CRF, maximum likelihood",
    "CRF-D": "CRF, discriminative",
    "CRF-D IBT": "CRF, discriminative, inference-based training",
}
"""The paper's names. "Voted" is the average of the weight vectors."""

CHOICES: dict[str, list[dict[str, Any]]] = {
    "VP": [
        {"epochs": 5, "margin": 0.0},
        {"epochs": 5, "margin": 50.0},
        {"epochs": 10, "margin": 50.0},
        {"epochs": 20, "margin": 50.0},
        {"epochs": 20, "margin": 200.0},
        {"epochs": 10, "margin": 50.0, "all_states": True},
        {"epochs": 20, "margin": 50.0, "all_states": True},
    ],
    "VW": [
        {"epochs": 5, "margin": 1.0, "promotion": 1.05},
        {"epochs": 10, "margin": 1.0, "promotion": 1.02},
    ],
    "CRF-ML": [
        {"c2": 1.0},
        {"c2": 4.0},
        {"c2": 16.0},
        {"c2": 4.0, "all_states": True},
        {"c2": 1.0, "max_iterations": 40},
        {"c2": 1.0, "max_iterations": 300},
    ],
    "CRF-D": [
        {"epochs": 5},
        {"epochs": 10},
        {"epochs": 20},
        {"epochs": 10, "all_states": True},
        {"epochs": 20, "all_states": True},
    ],
}
"""What is tried on the held-out tenth; P and W take what is best for VP and VW, CRF-D IBT what is best for CRF-D.

A margin is a difference of scores, and a token has some fifty attributes, so that one update moves it by a hundred. `all_states` gives weights also to
attributes with labels that they never occur with: evidence against a label. CRF-ML has 100 iterations where nothing else is said, as in the paper.
"""


def make(learner: str, options: dict[str, Any]) -> Any:
    """A learner that has not been fitted."""
    match learner:
        case "VP" | "P":
            return Perceptron(averaging="averaged" if learner == "VP" else "last", jobs=1, **options)
        case "VW" | "W":
            return Winnow(averaging="averaged" if learner == "VW" else "last", jobs=1, **options)
        case "CRF-ML":
            limited = {"max_iterations": 100, **options}
            return CRF(start=True, end=True, jobs=1, labels=LABELS, **limited)
        case "CRF-D":
            return StructuredPerceptron(start=True, end=True, jobs=1, **options)
        case "CRF-D IBT":
            of_model = dict(options)
            epochs = of_model.pop("epochs")
            base = StructuredPerceptron(start=True, end=True, jobs=1, **of_model)
            return RuledPerceptron(base, load_rules("srl"), strategy="IBT", epochs=epochs, labels=LABELS)
    raise ValueError(learner)


@lru_cache(maxsize=2)
def _fitted(
    learner: str, options: tuple[tuple[str, Any], ...], train: str, chunks: str, features: str
) -> Any:
    data = examples(train, chunks)
    X, y = [attributes(one, features) for one in data], [list(one.labels) for one in data]
    model = make(learner, dict(options))
    began = time.process_time()
    if learner == "CRF-D IBT":
        # Gold that breaks a rule cannot be reached under it; training goes on with the nearest labels that keep all.
        model.fit(X, y, contexts=contexts(train, chunks, "frames", train))
        model = model.model_
    else:
        model.fit(X, y)
    return model, time.process_time() - began


def fit(settings: dict[str, Any]) -> tuple[LinearModel, float]:
    """A fitted model and the seconds of CPU that it took."""
    options = tuple(sorted(settings["options"].items()))
    return _fitted(  # type: ignore[no-any-return]
        settings["learner"], options, settings["train"], settings["chunks"], settings["features"]
    )


def lattices(settings: dict[str, Any]) -> list[lawful.Lattice]:
    """The scores of a model for the propositions that it is tested on, with their contexts."""
    model, _ = fit(settings)
    test = examples(settings["test"], settings["chunks"])
    scored = model.lattices([attributes(one, settings["features"]) for one in test])
    return [
        lawful.Lattice(
            lattice.emissions,
            lattice.transitions,
            start=lattice.start,
            end=lattice.end,
            labels=lattice.labels,
            context=example.context,
        )
        for lattice, example in zip(scored, test, strict=True)
    ]
