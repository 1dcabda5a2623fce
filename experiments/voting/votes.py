"""The runs: members first, then weights on held-out data, then single models and votes on the test data, once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any, get_args

import numpy as np

import lawful
from experiments.encodings.data import CORPORA, part
from experiments.voting.voters import Member, Part, Way, choose_member, member_run, voter
from lawful.evaluation import compare_outputs
from lawful.lattice import AnyLattice
from lawful.rules.bound_rules import NO_RULES
from lawful.schemes import find_spans
from lawful.support.numbers import check_choice
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

__all__ = [
    "ERRORS",
    "EXPERIMENTS",
    "LARGE",
    "REPORTED",
    "SEARCHES",
    "VALUES",
    "Find",
    "errors_run",
    "members_of",
    "searches_of",
    "test_run",
    "weights_run",
    "work",
]

Run = dict[str, Any]
Find = Callable[[Run], Run | None]

CHECKED = 20  # sentences on which `lawful.vote` is asked too
# Of so many test sentences, else 10, one is also voted on without bounds, as in the thesis.
EVERY = {"bio": 100}
VALUES = {"grid": (0.25, 0.5, 0.75, 1.0), "coordinates": (0.1, 0.25, 0.5, 0.75, 1.0)}  # and 0
MOST_ON_GRID = 5  # members: the thesis's grid has 4 to the power of their number
LARGE = ("bio",)  # graphs of a hundred states a token: there no coordinates, whose graphs are all kept
ERRORS = ("standard", "learned")  # it is asked what the members of these do not know alike
# Where training takes long, the models that weights were chosen with are also those that are reported.
REPORTED: dict[str, Part] = {"bio": "fit"}

SCHEMES = ("IOB1", "IOB2", "IOE1", "IOE2", "IOBES")
LEARNED = ("learned 1", "learned 2", "learned 3", "learned 4")
EXPERIMENTS: dict[str, tuple[str, Way, tuple[str, ...]]] = {
    "standard": ("np", "labels", SCHEMES),
    "standard, pairs": ("np", "pairs", SCHEMES),
    "orders": ("np", "labels", ("IOB1", "order 2")),
    "learned": ("np", "labels", ("hand-crafted", *LEARNED)),
    "all": ("np", "labels", (*SCHEMES, "hand-crafted", *LEARNED)),
    "bio": ("bio", "labels", (*LEARNED, "learned 5")),
}
# How the weights of a vote are sought. The linear vote is the slower one: the thesis's way is enough for it.
SEARCHES = (("linear", "grid"), ("log-linear", "grid"), ("log-linear", "coordinates"))


def members_of(name: str) -> list[Member]:
    """The members of a vote."""
    task, way, encodings = EXPERIMENTS[name]
    return [Member(task, way, encoding) for encoding in encodings]


def searches_of(name: str) -> list[tuple[str, str]]:
    """The ways to choose weights that a vote of so many members has time for: method and search."""
    if name in LARGE:
        return [(method, search) for method, search in SEARCHES if search == "grid"]
    few = len(EXPERIMENTS[name][2]) <= MOST_ON_GRID
    return [(method, search) for method, search in SEARCHES if few or search != "grid"]


def weights_run(name: str, method: str, search: str, find: Find) -> Run | None:
    """Choose the weights of a vote on held-out data; None if the members have not been trained yet."""
    members = [find(member_run(member)) for member in members_of(name)]
    if any(member is None for member in members):
        return None
    return {
        "run": "weights",
        "experiment": name,
        "method": method,
        "search": search,
        "values": list(VALUES[search]),
        "members": members,
    }


def test_run(name: str, find: Find) -> Run | None:
    """Score the models and the votes on the test data; None if something has not been chosen yet."""
    chosen = [weights_run(name, method, search, find) for method, search in searches_of(name)]
    found = [find(settings) if settings else None for settings in chosen]
    if chosen[0] is None or any(weights is None for weights in found):
        return None
    weights = {
        f"{method}, {search}": weights["weights"]
        for (method, search), weights in zip(searches_of(name), found, strict=True)
        if weights is not None
    }
    return {"run": "test", "experiment": name, "weights": weights, "members": chosen[0]["members"]}


def errors_run(name: str, find: Find) -> Run | None:
    """Count on held-out data where the best member errs and most others do not; None if the members have not been trained yet."""
    members = [find(member_run(member)) for member in members_of(name)]
    if any(member is None for member in members):
        return None
    return {"run": "errors", "experiment": name, "members": members}


def work(settings: Run) -> Run:
    """Do one run."""
    kinds = {"member": choose_member, "weights": _choose, "errors": _errors, "test": _test}
    return kinds[settings["run"]](settings)


def _models(settings: Run, trained_on: Part) -> list[lawful.models.SequenceModel]:
    members = members_of(settings["experiment"])
    return [
        voter(member, trained_on, chosen["c2"])
        for member, chosen in zip(members, settings["members"], strict=True)
    ]


def _method(name: str) -> Method:
    return check_choice("method", name, get_args(Method))


def _choose(settings: Run) -> Run:
    task, _, encodings = EXPERIMENTS[settings["experiment"]]
    method = _method(settings["method"])
    held = part(task, "held")
    ensemble = lawful.Ensemble(_models(settings, "fit"), method=method, names=encodings)
    chosen = lawful.voting.choose_weights(
        ensemble.said(held.tokens),
        held.labels,
        method=method,
        labels=ensemble.labels,
        search="grid" if settings["search"] == "grid" else "coordinates",
        values=settings["values"],
        measure="f1",
        scheme=CORPORA[task].scheme,
    )
    return {
        "weights": list(chosen.weights),
        "f1": chosen.score,
        "tried": chosen.tried,
        "sentences": len(held.tokens),
    }


def _errors(settings: Run) -> Run:
    task, _, encodings = EXPERIMENTS[settings["experiment"]]
    held, scheme = part(task, "held"), CORPORA[task].scheme
    said = [model.predict(held.tokens, jobs=1) for model in _models(settings, "fit")]
    scores = [member["f1"] for member in settings["members"]]
    best = scores.index(max(scores))
    counts = dict.fromkeys(("missed", "missed, not by most", "found", "found, not by most"), 0)
    counts |= dict.fromkeys(("wrong", "wrong, not of most", "wrong of most alone"), 0)
    for number, right in enumerate(held.labels):
        gold = set(find_spans(list(right), scheme))
        found = [set(find_spans(list(answers[number]), scheme)) for answers in said]
        others = Counter(span for member, spans in enumerate(found) if member != best for span in spans)
        most = {span for span, count in others.items() if 2 * count > len(found) - 1}
        own = found[best]
        counts["missed"] += len(gold - own)
        counts["missed, not by most"] += len((gold - own) & most)
        counts["found"] += len(gold & own)
        counts["found, not by most"] += len((gold & own) - most)
        counts["wrong"] += len(own - gold)
        counts["wrong, not of most"] += len(own - gold - most)
        counts["wrong of most alone"] += len(most - gold - own)
    return {"best": encodings[best], **counts}


def _test(settings: Run) -> Run:
    task, _, encodings = EXPERIMENTS[settings["experiment"]]
    scheme = CORPORA[task].scheme
    tokens, gold = part(task, "test")
    name = settings["experiment"]
    models = _models(settings, REPORTED.get(name, "train"))
    counted = _Counted(models, settings["weights"], EVERY.get(name, 10))
    outputs = counted.outputs(tokens, encodings)
    result: Run = {"scores": {}, "sentences": len(tokens), "paths": counted.paths()}
    for output, answers in outputs.items():
        micro = lawful.evaluate(gold, answers, scheme=scheme).micro
        result["scores"][output] = [micro.precision, micro.recall, micro.f1]
    best = max(encodings, key=lambda encoding: result["scores"][encoding][2])
    result["best single"] = best
    result["significance"] = {
        output: compare_outputs(
            gold, outputs[best], answers, metric="span_f1", seed=0, scheme=scheme
        ).to_dict()
        for output, answers in outputs.items()
        if output not in encodings
    }
    return result


class _Counted:
    """All votes between the same models, on graphs that are built once for each sentence; and how hard the linear ones were."""

    def __init__(
        self, models: list[lawful.models.SequenceModel], weights: dict[str, list[float]], every: int = 10
    ) -> None:
        self.every = every
        even = [1 / len(models)] * len(models)
        self.models, self.labels = models, joint_labels(model.labels for model in models)
        self.names, self.tables = {}, {}
        for method in ("linear", "log-linear"):
            rows = {f"{method}, equal weights": even}
            rows |= {name: chosen for name, chosen in weights.items() if name.startswith(f"{method}, ")}
            self.names[method], self.tables[method] = list(rows), np.array(list(rows.values()))
        self.means: dict[bool, list[float]] = {True: [], False: []}
        self.most = {True: 0, False: 0}
        self.unproved = self.programs = 0

    def outputs(self, tokens: list[list[Any]], encodings: tuple[str, ...]) -> dict[str, list[list[str]]]:
        """The labels of every model and of every vote, by name."""
        names = (*encodings, "local", *self.names["linear"], *self.names["log-linear"])
        outputs: dict[str, list[list[str]]] = {name: [] for name in names}
        said = zip(*(model.lattices(tokens) for model in self.models), strict=True)
        for number, lattices in enumerate(said):
            graphs = [canonical_states(lattice, self.labels) for lattice in lattices]
            one = np.ones((1, 1))
            single = [list(self.labels.decode(best_labels(graph, one)[0])) for graph in graphs]
            votes = count_votes(single, [1.0] * len(single), self.labels)
            linear = find_linear_winners(graphs, self.tables["linear"], NO_RULES)
            answers = [
                *single,
                list(self.labels.decode(votes.argmax(axis=1))),
                *(list(self.labels.decode(_found(answer))) for answer in linear),
                *(list(self.labels.decode(row)) for row in self._log_linear(graphs)),
            ]
            for name, answer in zip(names, answers, strict=True):
                outputs[name].append(answer)
            self._count(graphs, linear[-1], alone=number % self.every == 0)
            if number < CHECKED:
                self._check(lattices, dict(zip(names, answers, strict=True)))
        return outputs

    def _log_linear(self, graphs: list[GroupedStates]) -> list[Ints]:
        """The winner for each row of weights; what has none is left out, for 0 times -inf is no score."""
        merged: dict[bytes, GroupedStates] = {}
        winners = []
        for row in self.tables["log-linear"]:
            used = np.flatnonzero(row)
            if used.tobytes() not in merged:
                merged[used.tobytes()] = merge_states([graphs[number] for number in used])
            winners.append(best_labels(merged[used.tobytes()], row[None, used])[0])
        return winners

    def _count(self, graphs: list[GroupedStates], answer: LinearAnswer, *, alone: bool) -> None:
        for use_bounds in (True, False) if alone else (True,):
            found = answer
            if not use_bounds:
                [found] = find_linear_winners(graphs, self.tables["linear"][-1:], NO_RULES, use_bounds=False)
                assert abs(found.score - answer.score) < 1e-9 * (1 + abs(answer.score))
            self.means[use_bounds].append(found.paths.mean)
            self.most[use_bounds] = max(self.most[use_bounds], found.paths.most)
            self.unproved += found.bound > found.score + 1e-9
            self.programs += found.paths.programs

    def _check(self, lattices: tuple[AnyLattice, ...], answers: dict[str, list[str]]) -> None:
        """What `lawful.vote` gives is the same."""
        asked: list[tuple[Method, str, list[float] | None]] = [("local", "local", None)]
        for method in ("linear", "log-linear"):
            rows = self.tables[method].tolist()
            asked += [(_method(method), *pair) for pair in zip(self.names[method], rows, strict=True)]
        for way, name, shares in asked:
            assert list(vote_on(lattices, shares, method=way).labels) == answers[name]

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
