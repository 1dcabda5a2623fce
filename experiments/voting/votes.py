"""The runs: weights on held-out data, then single models and votes on the test data, once."""

from __future__ import annotations

from typing import Any, get_args

import numpy as np

import lawful
from experiments.voting.voters import TASKS_OF_VOTES, Part, labels_of, split, tokens_of, voter
from lawful.corpus import Sentence
from lawful.evaluation import compare_outputs
from lawful.rules.bound_rules import NO_RULES
from lawful.support.numbers import check_choice
from lawful.tasks import TASKS
from lawful.voting import canonical_states, find_linear_winners
from lawful.voting.ballot import Method

__all__ = ["EXPERIMENTS", "test_run", "weights_run", "work"]

Run = dict[str, Any]

EVERY = 5  # of so many test sentences one is also voted on without bounds, as in the thesis

EXPERIMENTS: dict[str, tuple[str, tuple[str, ...]]] = {
    "standard": ("np", ("IOB1", "IOB2", "IOE1", "IOE2", "IOBES")),
    "orders": ("np", ("IOB1", "order 2")),
    "all": ("np", ("IOB1", "IOB2", "IOE1", "IOE2", "IOBES", "order 2")),
    "bio": ("bio", ("IOB1", "IOB2", "IOE1", "IOE2", "IOBES")),
}


def weights_run(name: str, method: str) -> Run:
    """Choose the weights of a vote on the last tenth of the training data."""
    return {"run": "weights", "experiment": name, "method": method}


def test_run(name: str, weights: dict[str, list[float]]) -> Run:
    """Score the models and the votes on the test data."""
    return {"run": "test", "experiment": name, "weights": weights}


def work(settings: Run) -> Run:
    """Do one run."""
    return _choose(settings) if settings["run"] == "weights" else _test(settings)


def _models(name: str, part: Part) -> list[lawful.models.SequenceModel]:
    task, encodings = EXPERIMENTS[name]
    return [voter(task, encoding, part) for encoding in encodings]


def _method(name: str) -> Method:
    return check_choice("method", name, get_args(Method))


def _scheme(name: str) -> str:
    return TASKS_OF_VOTES[EXPERIMENTS[name][0]].canonical


def _choose(settings: Run) -> Run:
    name, method = settings["experiment"], settings["method"]
    task, encodings = EXPERIMENTS[name]
    whole = split(task, "whole")
    held_out = whole[len(whole) * 9 // 10 :]
    ensemble = lawful.Ensemble(_models(name, "part"), method=_method(method), names=encodings)
    chosen = lawful.voting.choose_weights(
        ensemble._said(tokens_of(held_out)),
        labels_of(held_out),
        method=_method(method),
        labels=ensemble.labels,
        search="grid" if len(encodings) <= 5 else "coordinates",
        measure="f1",
        scheme=_scheme(name),
    )
    return {
        "weights": list(chosen.weights),
        "f1": chosen.score,
        "tried": chosen.tried,
        "sentences": len(held_out),
    }


def _test(settings: Run) -> Run:
    name, weights = settings["experiment"], settings["weights"]
    task, encodings = EXPERIMENTS[name]
    models = _models(name, TASKS_OF_VOTES[task].reported)
    sentences: list[Sentence] = TASKS[TASKS_OF_VOTES[task].corpus].load("test")
    tokens, gold = tokens_of(sentences), labels_of(sentences)
    outputs: dict[str, list[list[str]]] = {
        encoding: model.predict(tokens) for encoding, model in zip(encodings, models, strict=True)
    }
    for method, shares in weights.items():
        outputs[method] = lawful.Ensemble(models, shares, method=_method(method)).predict(tokens)
    for method in ("local", "linear", "log-linear"):  # as a user has it who chooses nothing
        even = "local" if method == "local" else f"{method}, equal weights"
        outputs[even] = lawful.Ensemble(models, method=_method(method)).predict(tokens)
    result: Run = {"scores": {}, "sentences": len(sentences)}
    for output, answers in outputs.items():
        micro = lawful.evaluate(gold, answers, scheme=_scheme(name)).micro
        result["scores"][output] = [micro.precision, micro.recall, micro.f1]
    best = max(encodings, key=lambda encoding: result["scores"][encoding][2])
    result["best single"] = best
    result["significance"] = {
        output: compare_outputs(
            gold, outputs[best], answers, metric="span_f1", seed=0, scheme=_scheme(name)
        ).to_dict()
        for output, answers in outputs.items()
        if output not in encodings
    }
    result["paths"] = _paths(models, tokens, weights["linear"])
    return result


def _paths(models: list[lawful.models.SequenceModel], tokens: list[list[Any]], weights: list[float]) -> Run:
    """How many ways into a group an exact linear vote keeps: by dominance alone, as in the thesis, and with bounds too."""
    labels = models[0].labels
    said = zip(*(model.lattices(tokens) for model in models), strict=True)
    means: dict[bool, list[float]] = {True: [], False: []}
    most = {True: 0, False: 0}
    unproved = programs = 0
    for number, lattices in enumerate(said):
        graphs = [canonical_states(lattice, labels) for lattice in lattices]
        scores = []
        for use_bounds in (True, False) if number % EVERY == 0 else (True,):
            [answer] = find_linear_winners(graphs, [weights], NO_RULES, use_bounds=use_bounds)
            means[use_bounds].append(answer.paths.mean)
            most[use_bounds] = max(most[use_bounds], answer.paths.most)
            unproved += answer.bound > answer.score + 1e-9
            programs += answer.paths.programs
            scores.append(answer.score)
        assert abs(scores[0] - scores[-1]) < 1e-9 * (1 + abs(scores[0]))
    return {
        "sentences": len(means[False]),
        "mean": float(np.mean(means[False])),
        "most": most[False],
        "mean with bounds": float(np.mean(means[True])),
        "most with bounds": most[True],
        "unproved": unproved,
        "programs": programs,
    }
