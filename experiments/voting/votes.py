"""The runs: weights on held-out data, then single models and votes on the test data, once."""

from __future__ import annotations

from typing import Any, get_args

import numpy as np

import lawful
from experiments.voting.voters import TASKS_OF_VOTES, Part, labels_of, split, tokens_of, voter
from lawful.corpus import Sentence
from lawful.evaluation import compare_outputs
from lawful.lattice import AnyLattice
from lawful.rules.bound_rules import NO_RULES
from lawful.support.numbers import check_choice
from lawful.tasks import TASKS
from lawful.voting import (
    GroupedStates,
    LinearAnswer,
    canonical_states,
    find_linear_winners,
    merge_states,
    vote_on,
)
from lawful.voting.ballot import Method, joint_labels
from lawful.voting.grouped_states import Ints
from lawful.voting.local import count_votes
from lawful.voting.weights import best_labels

__all__ = ["EXPERIMENTS", "test_run", "weights_run", "work"]

Run = dict[str, Any]

CHECKED = 20  # sentences on which `lawful.vote` is asked too
VALUES = {"all": (0.25, 1.0)}  # where the thesis's grid would be large
EVERY = 10  # of so many test sentences one is also voted on without bounds, as in the thesis

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
        ensemble.said(tokens_of(held_out)),
        labels_of(held_out),
        method=_method(method),
        labels=ensemble.labels,
        search="grid",
        values=VALUES.get(name, (0.25, 0.5, 0.75, 1.0)),
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
    sentences: list[Sentence] = TASKS[TASKS_OF_VOTES[task].corpus].load("test")
    gold = labels_of(sentences)
    counted = _Counted(_models(name, TASKS_OF_VOTES[task].reported), weights)
    outputs = counted.outputs(tokens_of(sentences), encodings)
    result: Run = {"scores": {}, "sentences": len(sentences), "paths": counted.paths()}
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
    return result


class _Counted:
    """All votes between the same models, on graphs that are built once for each sentence; and how hard the linear ones were."""

    def __init__(self, models: list[lawful.models.SequenceModel], weights: dict[str, list[float]]) -> None:
        even = [1 / len(models)] * len(models)
        self.models, self.labels = models, joint_labels(model.labels for model in models)
        self.tables = {method: np.array([weights[method], even]) for method in ("linear", "log-linear")}
        self.means: dict[bool, list[float]] = {True: [], False: []}
        self.most = {True: 0, False: 0}
        self.unproved = self.programs = 0

    def outputs(self, tokens: list[list[Any]], encodings: tuple[str, ...]) -> dict[str, list[list[str]]]:
        """The labels of every model and of every vote, by name."""
        names = (*encodings, "local", *(f"{m}{w}" for m in self.tables for w in ("", ", equal weights")))
        outputs: dict[str, list[list[str]]] = {name: [] for name in names}
        said = zip(*(model.lattices(tokens) for model in self.models), strict=True)
        for number, lattices in enumerate(said):
            graphs = [canonical_states(lattice, self.labels) for lattice in lattices]
            one = np.ones((1, 1))
            single = [list(self.labels.decode(best_labels(graph, one)[0])) for graph in graphs]
            votes = count_votes(single, [1.0] * len(single), self.labels)
            linear = find_linear_winners(graphs, self.tables["linear"], NO_RULES)
            product = best_labels(merge_states(graphs), self.tables["log-linear"])
            answers = [
                *single,
                list(self.labels.decode(votes.argmax(axis=1))),
                *(list(self.labels.decode(_found(answer))) for answer in linear),
                *(list(self.labels.decode(row)) for row in product),
            ]
            for name, answer in zip(names, answers, strict=True):
                outputs[name].append(answer)
            self._count(graphs, linear[0], alone=number % EVERY == 0)
            if number < CHECKED:
                self._check(lattices, answers)
        return outputs

    def _count(self, graphs: list[GroupedStates], answer: LinearAnswer, *, alone: bool) -> None:
        for use_bounds in (True, False) if alone else (True,):
            found = answer
            if not use_bounds:
                [found] = find_linear_winners(graphs, self.tables["linear"][:1], NO_RULES, use_bounds=False)
                assert abs(found.score - answer.score) < 1e-9 * (1 + abs(answer.score))
            self.means[use_bounds].append(found.paths.mean)
            self.most[use_bounds] = max(self.most[use_bounds], found.paths.most)
            self.unproved += found.bound > found.score + 1e-9
            self.programs += found.paths.programs

    def _check(self, lattices: tuple[AnyLattice, ...], answers: list[list[str]]) -> None:
        """What `lawful.vote` gives is the same."""
        methods: tuple[Method, ...] = ("local", "linear", "log-linear")
        for method, index in zip(methods, (-5, -4, -2), strict=True):
            shares = None if method == "local" else self.tables[method][0].tolist()
            assert list(vote_on(lattices, shares, method=method).labels) == answers[index]

    def paths(self) -> Run:
        """How many ways into a group an exact linear vote keeps: by dominance alone, as in the thesis, and with bounds too."""
        return {
            "sentences": len(self.means[False]),
            "mean": float(np.mean(self.means[False])),
            "most": self.most[False],
            "mean with bounds": float(np.mean(self.means[True])),
            "most with bounds": self.most[True],
            "unproved": self.unproved,
            "programs": self.programs,
        }


def _found(answer: LinearAnswer) -> Ints:
    assert answer.labels is not None
    return answer.labels
