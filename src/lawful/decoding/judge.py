"""The judge: every answer is scored anew, by code that shares nothing with the solvers."""

from __future__ import annotations

from lawful.errors import InternalError
from lawful.lattice import AnyLattice
from lawful.lattice.scoring import path_terms
from lawful.lattice.sums import PathSum, add_up
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


def soft_score(lattice: AnyLattice, rules: Rules, labels: tuple[str, ...]) -> PathSum:
    """The lattice's score of a labelling, less what the soft rules charge by their reference meaning.

    Examples
    --------
    >>> from lawful.lattice import Lattice
    >>> from lawful.rules import Rules, forbid
    >>> soft_score(Lattice([[1.0, 0.0]], labels=["A", "B"]), Rules(forbid("A").soft(0.25)), ("A",)).score
    0.75
    """
    soft = (rule for rule in rules if rule.price != "hard")
    charges = (-charge(rule, _violations(rule, lattice, labels)) for rule in soft)
    return add_up([*path_terms(lattice, labels), *charges])


def judge(lattice: AnyLattice, rules: Rules, solution: Solution) -> None:
    """Raise `InternalError` if a solution breaks a hard rule or its score is not what its labels earn."""
    if solution.labels is None:
        return
    labels = lattice.labels.decode(solution.labels)
    for rule in rules:
        if rule.price == "hard" and _violations(rule, lattice, labels):
            raise InternalError(
                f"an answer breaks the hard rule {rule.name!r}: a bug in lawful; please report it"
            )
    earned = soft_score(lattice, rules, labels)
    if not earned.agrees(solution.score):
        raise InternalError(
            f"a solver gives {solution.score!r} to an answer that earns {earned.score!r}: a bug in lawful; "
            "please report it with the lattice and the rules"
        )


def _violations(rule: Rule, lattice: AnyLattice, labels: tuple[str, ...]) -> int:
    """By the reference meaning."""
    return rule.violations(labels, lattice.tokens, lattice.context, label_set=lattice.labels)
