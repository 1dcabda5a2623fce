"""Soft rules (Tromble & Eisner, section 6.2): prices by log odds, by the perceptron, cross-fitted, and a sweep."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any

import numpy as np

import lawful
from experiments.srl.data import attributes, examples
from experiments.srl.learners import fit, lattices
from experiments.srl.tables import RULES, decode, score
from lawful.decoding.options import DecoderOptions
from lawful.learning import estimate_prices

__all__ = ["PRICES", "run_soft"]

PRICES = (0.0, 0.5, 1.0, 2.0, 4.0, 8.0, 16.0, 32.0)
SOFT = ("ARGUMENT CANDIDATES", "AT LEAST ONE ARGUMENT", *(n for n in RULES.names if n.startswith("NO DUP")))


def run_soft(settings: dict[str, Any]) -> dict[str, Any]:
    """Scores under prices of several origins, and the time that soft rules take beside hard ones.

    All models here are fitted to nine tenths of the training data ("fit"), so that the held-out tenth can give prices.
    """
    test = examples(settings["test"], settings["chunks"])
    held = examples("held", settings["chunks"])
    scale = calibrate(lattices({**settings, "test": "held"}), [one.labels for one in held])
    scored = scaled(lattices(settings), scale)
    gold = [
        (attributes(one, settings["features"]), one.labels, one.context)
        for one in (held if settings["train"] == "fit" else examples(settings["train"], settings["chunks"]))
    ]
    learn = lawful.Rules(rule.soft("learn") if rule.name in SOFT else rule for rule in RULES)
    kinds = {
        "hard": RULES,
        "log odds": estimate_prices(learn, gold),
        "perceptron": estimate_prices(
            learn, gold, method="perceptron", tagger=_Scaled(fit(settings)[0], scale), epochs=3
        ),
    }
    result: dict[str, Any] = {"scale": scale, "kinds": {}, "sweep": {}}
    for kind, rules in kinds.items():
        result["kinds"][kind] = {
            **score(test, decode(scored, rules)),
            "prices": {rule.name: rule.price for rule in rules if rule.price != "hard"},
            "ms": timed(scored, rules),
        }
    for price in PRICES:
        rules = lawful.Rules(
            rule.soft(price) if rule.name == "ARGUMENT CANDIDATES" else rule for rule in RULES
        )
        result["sweep"][str(price)] = score(test, decode(scored, rules))["all"]
    return result


def calibrate(scored: Sequence[lawful.Lattice], gold: Sequence[Sequence[str]]) -> float:
    """The factor for scores without transitions that makes the gold labels most likely, by a search over a grid."""
    labels = list(scored[0].labels)
    emissions = np.concatenate([lattice.emissions for lattice in scored])
    right = np.array([labels.index(label) for sequence in gold for label in sequence])
    rows = np.arange(len(right))

    def likelihood(factor: float) -> float:
        rated = emissions * factor
        top = rated.max(axis=1, keepdims=True)
        total = top[:, 0] + np.log(np.exp(rated - top).sum(axis=1))
        return float((rated[rows, right] - total).sum())

    return max((float(2.0**power) for power in np.arange(-12, 3, 0.25)), key=likelihood)


def scaled(scored: Sequence[lawful.Lattice], factor: float) -> list[lawful.Lattice]:
    """Lattices whose scores are multiplied by a factor; none has transitions."""
    return [
        lawful.Lattice(one.emissions * factor, labels=one.labels, context=one.context, tokens=one.tokens)
        for one in scored
    ]


class _Scaled:
    """A tagger whose scores are multiplied by a factor."""

    def __init__(self, model: Any, factor: float) -> None:
        self.model, self.factor, self.labels = model, factor, model.labels

    def lattice(self, tokens: Sequence[Any]) -> lawful.Lattice:
        one = self.model.lattice(tokens)
        return lawful.Lattice(one.emissions * self.factor, labels=one.labels, tokens=tokens)


def timed(scored: Sequence[lawful.Lattice], rules: lawful.Rules) -> dict[str, float]:
    """CPU milliseconds per proposition: the paper's algorithm (relaxation, or branch and bound for soft rules), and auto."""
    hard = all(rule.price == "hard" for rule in rules)
    found = {}
    papers: DecoderOptions = {"solver": "relaxation", "order": "random"}
    ways: dict[str, DecoderOptions] = {
        "paper": papers if hard else {"solver": "branch_and_bound"},
        "auto": {"solver": "auto"},
    }
    for name, options in ways.items():
        options["on_infeasible"] = "least_bad"
        decoder = lawful.Decoder(rules, labels=scored[0].labels, **options)
        decoder.decode(scored[0])
        began = time.process_time()
        for lattice in scored:
            decoder.decode(lattice)
        found[name] = 1000 * (time.process_time() - began) / len(scored)
    return found
