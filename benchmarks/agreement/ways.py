"""Every exact way to solve: the solvers, each with the options that change how it searches."""

from __future__ import annotations

from dataclasses import dataclass, field
from time import process_time
from typing import Any

from lawful.errors import GraphError, RuleError, UnprovedError
from lawful.solvers.choice import SOLVERS
from lawful.solvers.problem import Problem
from lawful.solvers.solution import Solution

__all__ = ["WAYS", "Way", "counts_of_ways", "solve", "way_named"]


@dataclass(frozen=True)
class Way:
    """A solver with its options. One that `may_be_slow` gets only so much time for each workload."""

    solver: str
    options: dict[str, Any] = field(default_factory=dict)
    may_be_slow: bool = False

    @property
    def name(self) -> str:
        """As people read it."""
        return ", ".join([self.solver, *(f"{key}={value}" for key, value in self.options.items())])


# Brute force and the integer program as published build things that hardly fit a machine for some workloads. With
# prune=True both do without the edges that a legal path proves useless, and are still exact.
WAYS = (
    Way("auto"),
    Way("viterbi"),
    Way("relaxation"),
    Way("relaxation", {"order": "most_violated", "at_once": True}),
    Way("branch_and_bound"),
    Way("branch_and_bound", {"prune": "edges"}),
    Way("brute_force", {"prune": True}),
    Way("brute_force", may_be_slow=True),
    Way("a_star", {"completion": "published"}),
    Way("a_star", {"completion": "plain"}),
    Way("a_star", {"completion": "relaxed"}),
    Way("beam", {"width": None, "completion": "published"}),
    Way("beam", {"width": None, "completion": "plain"}),
    Way("beam", {"width": None, "completion": "relaxed"}),
    Way("dual"),
    Way("ilp", {"prune": True}),
    Way("ilp", may_be_slow=True),
)


def counts_of_ways() -> dict[str, dict[str, Any]]:
    """What is counted for each way on random problems, at the start."""
    return {
        way.name: {"solved": 0, "not for it": 0, "worst": 0.0, "seconds": 0.0, "disagreements": []}
        for way in WAYS
    }


def solve(way: Way, problem: Problem, counts: dict[str, Any]) -> Solution | None:
    """What a way finds, counted; None if it is not for such problems: only for trellises or local rules, or without a proof."""
    started = process_time()
    try:
        solution = SOLVERS[way.solver](problem, **way.options)
    except (GraphError, RuleError, UnprovedError):
        counts["not for it"] += 1
        return None
    counts["seconds"] += process_time() - started
    counts["solved"] += 1
    return solution


def way_named(name: str) -> Way:
    """The way of that name."""
    return next(way for way in WAYS if way.name == name)
