"""The judge: every answer is scored anew, by code that shares nothing with the solvers."""

from __future__ import annotations

import math

from lawful.errors import InternalError
from lawful.lattice import AnyLattice, path_score
from lawful.rules.compiled_rules import price_of
from lawful.rules.rule import Rule
from lawful.rules.ruleset import Rules
from lawful.solvers.solution import Solution

__all__ = ["charge", "judge", "soft_score"]


def charge(rule: Rule, violations: int) -> float:
    """What a rule charges for that many violations; infinity if it is hard.

    Examples
    --------
    >>> from lawful.rules import at_most
    >>> charge(at_most(1, "A").soft(2.0), 3), charge(at_most(1, "A").soft(2.0, per="violation"), 3)
    (2.0, 6.0)
    """
    if not violations:
        return 0.0
    return price_of(rule) * (1 if rule.per == "sequence" else violations)


def soft_score(lattice: AnyLattice, rules: Rules, labels: tuple[str, ...]) -> float:
    """The lattice's score of a labelling, less what the soft rules charge by their reference meaning."""
    soft = (rule for rule in rules if rule.price != "hard")
    paid = sum(charge(rule, _violations(rule, lattice, labels)) for rule in soft)
    return path_score(lattice, labels) - paid


def judge(lattice: AnyLattice, rules: Rules, solution: Solution) -> None:
    """Raise `InternalError` if a solution breaks a hard rule or its score is not what its labels earn."""
    if solution.labels is None:
        return
    labels = lattice.labels.decode(solution.labels)
    score = soft_score(lattice, rules, labels)
    for rule in rules:
        if rule.price == "hard" and _violations(rule, lattice, labels):
            raise InternalError(
                f"an answer breaks the hard rule {rule.name!r}: a bug in lawful; please report it"
            )
    if not math.isclose(
        score, solution.score, rel_tol=1e-9, abs_tol=1e-9 * (1 + lattice.magnitude(len(labels)))
    ):
        raise InternalError(
            f"a solver gives {solution.score!r} to an answer that earns {score!r}: a bug in lawful; please report it"
        )


def _violations(rule: Rule, lattice: AnyLattice, labels: tuple[str, ...]) -> int:
    """By the reference meaning."""
    return rule.violations(labels, lattice.tokens, lattice.context, label_set=lattice.labels)
