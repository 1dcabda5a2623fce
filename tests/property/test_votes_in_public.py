"""Votes as users call them, all four kinds, against their definitions: taggers in other encodings, n-best lists, rules.

The test takes a few hundred ensembles; `LAWFUL_PROBLEMS=5000 pytest tests/property/test_votes_in_public.py` as many as one likes.
What is judged are the labels themselves: the score that they earn by the definition must be the best, and the one that is told.
"""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Sequence
from itertools import product
from typing import Any

import numpy as np
import pytest

import lawful
from lawful.errors import InfeasibleError, InputError, RuleError
from lawful.labels import LabelSet
from lawful.lattice import GraphLattice, TagLattice
from lawful.rules import Rules
from lawful.testing import (
    RandomEnsemble,
    clause_lattices,
    enumerate_all,
    penalty,
    random_clauses,
    random_ensemble,
    random_rules,
)
from lawful.voting import Vote, vote_on
from lawful.voting.linear_votes import winners

CHUNKS = 4
ENSEMBLES = int(os.environ.get("LAWFUL_PROBLEMS", "400")) // CHUNKS
METHODS = ("log-linear", "linear", "local", "repaired")
Labels = tuple[str, ...]


class Judge:
    """The scores of all label sequences of one ensemble, in plain Python."""

    def __init__(self, ensemble: RandomEnsemble) -> None:
        self.ensemble = ensemble
        self.scores: list[dict[Labels, float]] = []
        for lattice in ensemble.lattices:
            best: dict[Labels, float] = {}
            for labels, score in enumerate_all(lattice):  # a graph may spell labels twice
                best[labels] = max(score, best.get(labels, -math.inf))
            self.scores.append({labels: score for labels, score in best.items() if score > -math.inf})
        first = ensemble.lattices[0]
        names = dict.fromkeys(label for lattice in ensemble.lattices for label in lattice.labels)
        self.sequences = list(product(names, repeat=first.length or 0))
        self.charged = {labels: penalty(first, ensemble.rules, labels) for labels in self.sequences}

    def log_linear(self, labels: Labels) -> float:
        return math.fsum(
            weight * scored.get(labels, -math.inf) for weight, scored in zip(self.ensemble.weights, self.scores, strict=True)
        )  # fmt: skip

    def linear(self, labels: Labels) -> float:
        terms = [
            math.log(weight) + scored[labels] - _log_sum(list(scored.values()))
            for weight, scored in zip(self.ensemble.weights, self.scores, strict=True)
            if labels in scored
        ]
        return _log_sum(terms)

    def local(self, labels: Labels) -> float:
        """The weight of the taggers that agree, token by token. What each wants is asked of the library: draws are its own."""
        return math.fsum(
            weight * sum(a == b for a, b in zip(labels, answer, strict=True))
            for weight, answer in self.wishes()
        )

    def repaired(self, labels: Labels) -> float:
        return self.local(labels) if any(labels in scored for scored in self.scores) else -math.inf

    def wishes(self) -> list[tuple[float, Labels]]:
        if not hasattr(self, "_wishes"):
            self._wishes = [
                (weight, lawful.decode(lattice).labels)
                for weight, lattice, scored in zip(
                    self.ensemble.weights, self.ensemble.lattices, self.scores, strict=True
                )
                if scored
            ]
        return self._wishes

    def earned(self, method: str, labels: Labels) -> float:
        score: Callable[[Labels], float] = getattr(self, method.replace("-", "_"))
        charged = self.charged[labels]
        return -math.inf if math.isinf(charged) else score(labels) - charged

    def best(self, method: str) -> float:
        if method in ("local", "repaired") and not self.wishes():
            return -math.inf
        return max(self.earned(method, labels) for labels in self.sequences)


def _log_sum(terms: Sequence[float]) -> float:
    highest = max(terms, default=-math.inf)
    return (
        highest
        if highest == -math.inf
        else highest + math.log(math.fsum(math.exp(t - highest) for t in terms))
    )


def vote_of(ensemble: RandomEnsemble, method: Any, **options: Any) -> Vote | None:
    try:
        return vote_on(ensemble.lattices, ensemble.weights, method=method, rules=ensemble.rules, **options)
    except InfeasibleError:
        return None


def check(judge: Judge, method: str, vote: Vote | None) -> None:
    best = judge.best(method)
    if vote is None:
        assert best == -math.inf
        return
    # Draws between taggers are settled by a billionth of a vote a token.
    near = 1e-6 if method in ("local", "repaired") else 1e-9 * (1 + abs(best))
    assert vote.status == "optimal"
    assert judge.earned(method, vote.labels) == pytest.approx(best, abs=near)
    if method != "log-linear":
        assert vote.score == pytest.approx(best, abs=max(near, 2e-6 if method != "linear" else near))
    else:
        sums = math.fsum(
            weight * _log_sum(list(scored.values()))
            for weight, scored in zip(judge.ensemble.weights, judge.scores, strict=True)
        )
        assert vote.score == pytest.approx(best - sums, abs=near + 1e-9 * abs(sums))


def encodings_in(ensemble: RandomEnsemble) -> int:
    """How many different ones vote."""
    kinds = [
        tuple(lattice.columns.tag_of) if isinstance(lattice, TagLattice)
        else "some" if isinstance(lattice, GraphLattice)
        else "plain"
        for lattice in ensemble.lattices
    ]  # fmt: skip
    return len(set(map(str, kinds)))


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_all_votes_are_what_their_definitions_say(chunk: int) -> None:
    together = 0
    rng = np.random.default_rng([61, chunk])
    for _ in range(ENSEMBLES):
        ensemble = random_ensemble(rng, rules=int(rng.choice([0, 1, 2, 3])))
        judge = Judge(ensemble)
        for method in METHODS:
            vote = vote_of(ensemble, method)
            check(judge, method, vote)
            free = max(getattr(judge, method.replace("-", "_"))(labels) for labels in judge.sequences)
            changed = vote is None or judge.best(method) < free - 1e-6
            together += changed and encodings_in(ensemble) > 1
    # Mixed encodings and rules that matter, at once: not only one or the other.
    assert together > 0.8 * ENSEMBLES


def formula(rng: np.random.Generator) -> RandomEnsemble:
    """Clauses, where ways cannot be told apart for long: what is approximate really loses something there."""
    variables = int(rng.integers(4, 7))
    lattices = clause_lattices(random_clauses(rng, variables, int(rng.integers(3, 14))), variables)
    rules = random_rules(rng, LabelSet(["T", "F"]), int(rng.integers(0, 2)))
    try:
        for rule in rules:
            penalty(lattices[0], Rules(rule), ("T",) * variables)
    except (RuleError, InputError):  # it asks for tokens, which a formula has not
        rules = Rules()
    return RandomEnsemble(lattices, (1 / len(lattices),) * len(lattices), rules)


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_what_is_approximate_keeps_its_bound_under_rules_too(chunk: int) -> None:
    worse = 0
    rng = np.random.default_rng([62, chunk])
    for number in range(ENSEMBLES):
        ensemble = formula(rng) if number % 2 else random_ensemble(rng, rules=int(rng.integers(0, 3)))
        judge = Judge(ensemble)
        best = judge.best("linear")
        tolerance = float(rng.choice([0.01, 0.3, 0.9]))
        for options in ({"tolerance": tolerance}, {"max_paths": 1}, {"tolerance": tolerance, "max_paths": 2}):
            vote = vote_of(ensemble, "linear", **options)
            if vote is None:
                assert best == -math.inf
                continue
            near = 1e-9 * (1 + abs(best))
            assert vote.score <= best + near <= vote.bound + 2 * near
            assert not vote.labels or judge.earned("linear", vote.labels) == pytest.approx(
                vote.score, abs=near
            )
            if "max_paths" not in options:
                assert vote.score >= best + math.log1p(-tolerance) - near
            if vote.status == "optimal":
                assert vote.score == pytest.approx(best, abs=near)
            worse += vote.score < best - 1e-6
    assert worse  # or nothing here could fail


def test_a_liar_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    """A search that keeps the ways it should drop gives legal answers with scores of their own; they are not the best ones."""
    honest = winners.drop_dominated

    def greedy(values: Any, states: Any, promise: Any, **options: Any) -> Any:
        found = honest(values, states, promise, **options)
        found.kept = found.kept[-1:]
        return found

    monkeypatch.setattr(winners, "drop_dominated", greedy)
    rng = np.random.default_rng(63)
    caught = 0
    for _ in range(150):
        ensemble = random_ensemble(rng, rules=1)
        judge, vote = Judge(ensemble), vote_of(ensemble, "linear")
        try:
            check(judge, "linear", vote)
        except AssertionError:
            caught += 1
    assert caught
