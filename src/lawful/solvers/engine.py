"""The compiled engine: relaxation on trellises, with everything that makes it fast. `auto` uses it."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

from lawful import _core
from lawful.errors import InputError, InternalError
from lawful.lattice.base import ChainLattice
from lawful.rules.bound_rules import BoundRules
from lawful.solvers.outcomes import core_problem
from lawful.solvers.problem import Problem
from lawful.solvers.solution import Round, Solution, Status
from lawful.support.limits import Limits

__all__ = ["core_limits", "crowded", "engine", "goes_to_engine", "read_answer", "search_segments"]

# Measured by benchmarks/families; docs/decisions/0013-what-auto-chooses.md has the reasons.
CROWDED, STATES_A_TOKEN, MANY = 100, 3, 1000
HAND_OVER = 0  # states after which the engine gives a problem up; 0: it decides by the size of the problem

CHOSEN, BY_STATES = _core.SearchWay.chosen, _core.SearchWay.states
MOST_SEARCHED = 100_000  # states of a search among segments: a tenth of a second at most
DISAGREEMENT = (
    "the search and the judge disagree about the score of an answer: a bug in lawful; "
    "please report it with the lattice and the rules"
)


def engine(problem: Problem, *, hands_over: bool = False, by_states: bool = False) -> Solution:
    """Solve a problem whose lattice is a trellis.

    Parameters
    ----------
    problem : Problem
    hands_over : bool
        Stop where the search grows beyond what the engine is good for. The solution is bounded then, its `limit` "budget".
    by_states : bool
        Search single states only, however many.

    Examples
    --------
    >>> from lawful.lattice import Lattice
    >>> engine(Problem(Lattice([[0.0, 1.0], [2.0, 0.0]]))).labels
    (1, 0)
    """
    if not isinstance(problem.lattice, ChainLattice):
        raise InputError("the compiled engine takes trellises; general graphs go to solver='relaxation'")
    limits = core_limits(problem.limits, hands_over=hands_over, by_states=by_states)
    answers = _core.decode(core_problem(problem, "engine"), limits)
    return read_answer(answers, 0, problem.limits)


def search_segments(
    problems: Sequence[_core.SegmentProblem], labels: int, limits: Limits, threads: int = 1
) -> list[Solution | None]:
    """The best segmentations under rules, by the core; None for a problem on which it gave up.

    Examples
    --------
    >>> search_segments([], 3, Limits())
    []
    """
    most = MOST_SEARCHED if limits.states_left is None else min(MOST_SEARCHED, limits.states_left)
    return [_read_segments(answer) for answer in _core.decode_segments(problems, most // labels, threads)]


def _read_segments(answer: _core.SegmentAnswer) -> Solution | None:
    if answer.status == "disagreement":
        raise InternalError(DISAGREEMENT)
    if answer.status != "optimal":
        return None
    rounds = tuple(
        Round(tuple(dict.fromkeys(rules)), score, states, arcs)
        for rules, score, states, arcs in answer.rounds
    )
    entered = sum(len(round_.rules) for round_ in rounds)
    why = (
        f"segments: {entered} rules entered, which were broken; the last answer breaks no other"
        if entered
        else "segments: the best ones without rules break none"
    )
    return Solution(
        tuple(answer.tags),
        answer.score,
        "optimal",
        answer.score,
        rounds,
        sum(round_.states for round_ in rounds),
        why,
    )


def goes_to_engine(lattice: ChainLattice, rules: BoundRules) -> bool:
    """Whether `auto` gives a problem to the compiled engine at once, which takes many of them in one call.

    Examples
    --------
    >>> from lawful.lattice import Lattice
    >>> goes_to_engine(Lattice([[0.0, 1.0]]), Problem(Lattice([[0.0, 1.0]])).rules)
    True
    """
    # Nearly always the first test is enough, and the parts need not be looked at.
    return rules.largest < CROWDED or not crowded(rules.parts, lattice.length)


def crowded(parts: Iterable[_core.Part], length: int) -> list[int]:
    """The states of each automaton that has far more of them than the sequence has tokens, if they are many together.

    A rule that counts reaches at most one more state with every token, however far it counts; a machine that uses its
    states for more than that is another matter.

    Examples
    --------
    >>> crowded((), 5)
    []
    """
    least = max(CROWDED, STATES_A_TOKEN * length)
    large = [part.states for part in parts if part.states >= least and not part.local]
    return large if math.prod(large) >= MANY else []


def core_limits(limits: Limits, *, hands_over: bool = False, by_states: bool = False) -> _core.Limits:
    """What is left of limits, as the kernels take it; `hands_over` and `by_states` as for `engine`."""
    fresh = (
        limits.since is None and not limits.spent
    )  # as for nearly every decode: then there is nothing to work out
    return _core.Limits(
        max_states=limits.max_states if fresh else limits.states_left,
        timeout=limits.timeout if fresh else limits.seconds_left,
        max_memory=limits.max_memory,
        bounded=limits.on_limit == "bounded",
        hand_over=HAND_OVER if hands_over else -1,
        way=BY_STATES if by_states else CHOSEN,
    )


def read_answer(answers: _core.Answers, index: int, limits: Limits) -> Solution:
    """One answer of the kernels as a solution; raises what they only report."""
    reported = answers.status(index)
    if reported == "disagreement":
        raise InternalError(DISAGREEMENT)
    limit = answers.limit(index)
    if reported == "limited":
        raise limits.reached(limit)
    rounds = tuple(
        Round(tuple(dict.fromkeys(entered)), score, states, arcs)
        for entered, score, states, arcs in answers.rounds(index)
    )
    score = answers.score(index)
    status: Status = (
        "optimal" if reported == "optimal" else "bounded" if reported == "bounded" else "infeasible"
    )
    return Solution(
        labels=tuple(answers.labels(index)) if score > float("-inf") else None,
        score=score,
        status=status,
        bound=answers.bound(index),
        rounds=rounds,
        states=answers.states(index),
        why=_why(rounds, status, limit, repaired=answers.repaired(index)),
        limit=limit if status == "bounded" else "",
    )


def _why(rounds: Sequence[Round], status: Status, limit: str, *, repaired: bool) -> str:
    entered = sum(len(round_.rules) for round_ in rounds)
    if status == "infeasible":
        return f"no path is left with {entered} rules inside" if entered else "no path is left"
    if status == "bounded":
        return f"the search stopped at {limit} with {entered} rules inside"
    if len(rounds) == 1 and not repaired:
        return "one plain pass, with local rules folded into the scores; its answer breaks no other rule"
    if repaired:
        return f"a quick legal path was proved best, with {entered} rules inside"
    return f"{entered} rules entered in {len(rounds) - 1} rounds; the last answer breaks no other rule"
