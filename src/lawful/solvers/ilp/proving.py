"""The best solution of a program, and how far it is proved: HiGHS is asked until its tolerances no longer matter."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Literal, NamedTuple

from lawful.errors import InternalError
from lawful.lattice.sums import PathSum
from lawful.solvers.ilp.highs import Outcome, solve
from lawful.solvers.ilp.losses import LARGEST, Losses, exact_losses
from lawful.solvers.ilp.program import Arrays, Floats
from lawful.solvers.ilp.ruled_program import RuledProgram
from lawful.solvers.problem import Problem
from lawful.solvers.published.graph_search import GraphSearch, Path

__all__ = ["Legal", "Proof", "prove"]

TOLERANCE = 1e-9  # to which HiGHS works, relative to the largest loss
ENOUGH = 16  # such a loss may be so many times what the answer adds up,
MUCH = 1000  # and so many times what the answer loses
SAME = 1e-6  # how far the objective may be, relative to the largest loss, from what the labels lose
MOST_CUTS = 8  # answers that are set aside to see whether the next one is clearly worse


class Legal(NamedTuple):
    """A path that obeys the hard rules.

    Attributes
    ----------
    arcs : list of int
    labels : tuple of int
    earned : PathSum
        By the lattice and the rules' own counting, and not by the program.
    loss : Fraction
        What it loses against the best path without rules, in units.
    """

    arcs: list[int]
    labels: tuple[int, ...]
    earned: PathSum
    loss: Fraction


class Proof(NamedTuple):
    """What is known about the best solution.

    Attributes
    ----------
    status : "optimal", "infeasible", "limit" or "unproved"
    best : Legal or None
    bound : float
        No path scores more.
    nodes : int
        Of all search trees.
    reason : str
        Why it is unproved.
    """

    status: Literal["optimal", "infeasible", "limit", "unproved"]
    best: Legal | None
    bound: float
    nodes: int
    reason: str = ""


def prove(problem: Problem, model: RuledProgram, arrays: Arrays, *, steps: int | None = None) -> Proof:
    """Solve a program and prove its answer.

    The first answer may be wrong by the tolerances of HiGHS, which are relative to the largest loss. Where they are
    small beside what the answer adds up, that is the end. Otherwise losses are cut down to the answer's own, and HiGHS
    is asked again. Where that does not help, the answer is forbidden: if the next one loses clearly more, it was best.
    Raises `LimitError` if the time is over before HiGHS can begin. `steps` is what each search may take; who sets it
    has other solvers to ask, and is told "unproved" at once where HiGHS may not see the difference between two answers.

    Examples
    --------
    >>> from lawful.lattice.trellis import Lattice
    >>> from lawful.solvers.ilp.ruled_program import ruled_program
    >>> problem = Problem(Lattice([[0.0, -1e30], [0.25, 1.0]]))
    >>> model = ruled_program(problem)
    >>> prove(problem, model, model.program.arrays()).best.labels
    (0, 1)
    """
    losses = exact_losses(model, problem.limits)
    if steps is not None and not losses.even:
        return Proof("unproved", None, math.inf, 0, "some scores are too small beside others for HiGHS")
    cap, cuts, searched = losses.largest, 0, 0
    best: Legal | None = None
    least = Fraction(0)  # no path that is still allowed loses less
    while True:
        cost, scale = losses.objective(cap)
        outcome = solve(arrays._replace(cost=cost), seconds=problem.limits.seconds_left, steps=steps)
        searched += outcome.nodes
        slack = Fraction(TOLERANCE) * LARGEST * scale
        if math.isfinite(outcome.bound):
            least = max(least, Fraction(-outcome.bound) * scale - slack)
        if outcome.status == "infeasible":  # nothing is left
            status: Literal["optimal", "infeasible"] = "infeasible" if best is None else "optimal"
            return Proof(status, best, -math.inf if best is None else best.earned.score, searched)
        if best is not None and cuts and least > best.loss:
            return Proof("optimal", best, best.earned.score, searched)
        legal = None if outcome.values is None else _read(problem, model, losses, outcome.values)
        if legal is not None and (best is None or legal.loss < best.loss):
            best = legal
        if legal is None or best is None or outcome.status != "optimal":
            stopped: Literal["limit", "unproved"] = "limit" if outcome.status == "limit" else "unproved"
            return Proof(stopped, best, _bound(losses, least, best), searched, outcome.said)
        _check(legal, losses, outcome, cap, scale)
        if best.loss <= Fraction(best.earned.rounding) * losses.unit:  # as good as without rules
            return Proof("optimal", best, best.earned.score, searched)
        enough = LARGEST * scale <= ENOUGH * Fraction(best.earned.size) * losses.unit
        smaller = math.ceil(2 * best.loss)
        if smaller * (MUCH if enough else 2) <= cap:
            cap = smaller
            continue
        if enough:
            return Proof("optimal", best, best.earned.score, searched)
        if cuts == MOST_CUTS:
            return Proof("unproved", best, _bound(losses, least, best), searched, _too_wide(losses, best))
        arrays = arrays.without(legal.arcs)
        cuts += 1


def _read(problem: Problem, model: RuledProgram, losses: Losses, values: Floats) -> Legal:
    """The labels of a solution, scored by the lattice and the rules, and not by the program."""
    arcs = model.network.path(values)
    labels = model.network.labels(arcs)
    search = GraphSearch(problem)
    charges = [search.cost(rule, Path(labels, 0.0)) for rule in problem.rules.in_force]
    if math.inf in charges:
        raise InternalError("a solution of the linear program breaks a hard rule; please report it")
    return Legal(arcs, labels, search.earned(labels), losses.of(arcs, charges))


def _check(legal: Legal, losses: Losses, outcome: Outcome, cap: int, scale: Fraction) -> None:
    """The program and the judge must see the same loss, unless the cap hides some of it."""
    told, same = Fraction(-outcome.bound) * scale, Fraction(SAME) * LARGEST * scale
    if abs(told - legal.loss) > same and not (legal.loss > cap and told >= cap - same):
        raise InternalError(
            f"the linear program is worth {losses.score(told)!r}, but its labels score {legal.earned.score!r}: a bug "
            "in lawful; please report it with the lattice and the rules"
        )


def _bound(losses: Losses, least: Fraction, best: Legal | None) -> float:
    bound = math.nextafter(losses.score(least), math.inf)
    return bound if best is None else max(bound, best.earned.score)


def _too_wide(losses: Losses, best: Legal) -> str:
    lost = float(best.loss / losses.unit)
    return (
        f"HiGHS works to 1e-9 of what is at stake, and the rules cost {lost:.3g} here, while the answer's own scores "
        f"add up to {best.earned.size:.3g}"
    )
