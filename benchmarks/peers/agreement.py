"""Whether a peer's answer and ours are equally good, by a judge that knows neither."""

from __future__ import annotations

import math
from typing import Any

import lawful
from benchmarks.shared.workloads import Workload

__all__ = ["Disagreement", "gap_of", "true_score"]


class Disagreement(AssertionError):
    """A peer and lawful do not agree on a best score: one of them is wrong."""


def gap_of(
    peer: str, workload: Workload, index: int, answer: dict[str, Any], best: float, tolerance: float
) -> float:
    """How far a peer's labels lie below our best score.

    Raises `Disagreement` if that is more than the tolerance, relative to the score; if they lie above; or if the peer
    believes in another score than its labels have.
    """
    lattice = workload.lattices[index]
    score = true_score(lattice, workload.rules, lattice.labels.decode(answer["labels"]))
    allowed, rounding = tolerance * max(1.0, abs(best)), 1e-9 * max(1.0, abs(best))
    if not best - allowed <= score <= best + rounding or abs(answer["score"] - score) > allowed:
        raise Disagreement(
            f"{workload.name}, sequence {index}: {peer} says {answer['score']!r}, its labels score {score!r}, "
            f"lawful says {best!r}"
        )
    return max(0.0, best - score)


def true_score(lattice: lawful.Lattice, rules: lawful.Rules, labels: tuple[str, ...]) -> float:
    """The score of labels under rules, by the definition: no kernel, no automaton."""
    score = lawful.lattice.path_score(lattice, labels)
    for rule in rules:
        if count := rule.violations(labels, lattice.tokens, lattice.context):
            price = math.inf if rule.price == "hard" else float(rule.price)
            score -= price * (count if rule.per == "violation" else 1)
    return score
