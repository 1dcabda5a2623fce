"""Soft rules (Tromble & Eisner, section 6.2): prices by log odds, by the perceptron, by likelihood, and a sweep."""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from typing import Any

import lawful
from experiments.srl.data import attributes, examples
from experiments.srl.learners import fit, lattices
from experiments.srl.tables import RULES, decode, score
from lawful.decoding.options import DecoderOptions
from lawful.learning import estimate_prices, fit_temperature
from lawful.learning.gold import labelled_sequences
from lawful.learning.prices.cross_fitting import CrossFitted
from lawful.models.calibrated import scaled_lattices

__all__ = ["PRICES", "run_soft"]

PRICES = (0.0, 0.5, 1.0, 2.0, 4.0, 8.0, 16.0, 32.0)
SOFT = ("ARGUMENT CANDIDATES", "AT LEAST ONE ARGUMENT", *(n for n in RULES.names if n.startswith("NO DUP")))
FOLDS = 3
EVERY = 4  # every fourth proposition of the training data gives temperature and prices: a dozen numbers need no more
ROUNDS = 5  # of which the fastest counts: other processes only add time


def run_soft(settings: dict[str, Any]) -> dict[str, Any]:
    """Scores under prices of several origins, and the time that soft rules take beside hard ones.

    The learner that is tested has seen all training data. Temperature and prices are cross-fitted: each third of the training data
    is scored by a learner that has seen the others, and a quarter of it gives the numbers.
    """
    test = examples(settings["test"], settings["chunks"])
    train = examples(settings["train"], settings["chunks"])
    features = settings["features"]
    gold = labelled_sequences([(attributes(one, features), one.labels, one.context) for one in train])
    model = fit(settings)[0]
    crossed = CrossFitted(model, gold, folds=FOLDS)
    unscaled = crossed.lattices([sequence.tokens for sequence in gold])[::EVERY]
    gold, train = gold[::EVERY], train[::EVERY]
    temperature = fit_temperature(_Known(crossed.labels, unscaled), gold)
    tagger = _Known(crossed.labels, scaled_lattices(unscaled, 1 / temperature))
    learn = lawful.Rules(rule.soft("learn") if rule.name in SOFT else rule for rule in RULES)
    scored, known = (
        [
            lawful.Lattice(one.emissions, labels=one.labels, context=example.context)
            for one, example in zip(found, of, strict=True)
        ]
        for found, of in ((scaled_lattices(lattices(settings), 1 / temperature), test), (tagger.known, train))
    )
    kinds = {
        "hard": RULES,
        "log odds": estimate_prices(learn, gold),
        "perceptron": estimate_prices(learn, gold, method="perceptron", tagger=tagger, epochs=2),
        "likelihood": estimate_prices(learn, gold, method="likelihood", tagger=tagger),
    }
    result: dict[str, Any] = {"temperature": temperature, "kinds": {}, "sweep": {}}
    for kind, rules in kinds.items():
        result["kinds"][kind] = {
            **score(test, decode(scored, rules)),
            "train": score(train, decode(known, rules))["all"],
            "prices": {rule.name: rule.price for rule in rules if rule.price != "hard"},
        }
    for kind, ms in timed(scored, kinds).items():
        result["kinds"][kind]["ms"] = ms
    for price in PRICES:
        rules = lawful.Rules(
            rule.soft(price) if rule.name == "ARGUMENT CANDIDATES" else rule for rule in RULES
        )
        result["sweep"][str(price)] = {
            "train": score(train, decode(known, rules))["all"],
            "test": score(test, decode(scored, rules))["all"],
        }
    return result


class _Known:
    """A tagger that has scored its sequences already, all of them in one order."""

    calibrated = True

    def __init__(self, labels: lawful.LabelSet, known: Sequence[Any]) -> None:
        self.labels, self.known = labels, list(known)

    def lattice(self, tokens: Sequence[Any], /) -> Any:
        raise NotImplementedError("all sequences are asked for at once")

    def lattices(self, sequences: Iterable[Sequence[Any]]) -> list[Any]:
        """The scores of all sequences."""
        asked = list(sequences)
        assert len(asked) == len(self.known)
        return self.known


def timed(scored: Sequence[lawful.Lattice], kinds: dict[str, lawful.Rules]) -> dict[str, dict[str, float]]:
    """CPU milliseconds per proposition: the paper's algorithm (relaxation, or branch and bound for soft rules), and auto.

    All kinds of prices take turns; of several rounds each one's fastest counts.
    """
    found: dict[str, dict[str, float]] = {kind: {} for kind in kinds}
    decoders: dict[tuple[str, str], lawful.Decoder] = {}
    for kind, rules in kinds.items():
        hard = all(rule.price == "hard" for rule in rules)
        papers: DecoderOptions = {"solver": "relaxation", "order": "random"}
        ways: dict[str, DecoderOptions] = {
            "paper": papers if hard else {"solver": "branch_and_bound"},
            "auto": {"solver": "auto"},
        }
        for name, options in ways.items():
            options["on_infeasible"] = "least_bad"
            decoders[kind, name] = lawful.Decoder(rules, labels=scored[0].labels, **options)
            decoders[kind, name].decode(scored[0])
    for number in range(ROUNDS):
        for (kind, name), decoder in decoders.items():
            if name == "paper" and number:
                continue  # slow, and far from its limit
            began = time.process_time()
            for lattice in scored:
                decoder.decode(lattice)
            ms = 1000 * (time.process_time() - began) / len(scored)
            found[kind][name] = min(ms, found[kind].get(name, ms))
    return found
