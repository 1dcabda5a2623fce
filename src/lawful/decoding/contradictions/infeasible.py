"""When no label sequence obeys all hard rules: which of them contradict each other, and what breaks the fewest."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from dataclasses import replace

import numpy as np

from lawful import _core
from lawful.decoding.contradictions.contradiction import ContradictionSearch, RuleIndices, Trial
from lawful.decoding.contradictions.dead_end import find_dead_end
from lawful.decoding.judge import judge, soft_score
from lawful.errors import InfeasibleError, LargeScoreError, LimitError
from lawful.lattice.sums import PathSum
from lawful.rules.bound_rules import BoundRules
from lawful.solvers.choice import auto
from lawful.solvers.problem import Problem
from lawful.solvers.solution import Solution
from lawful.support.limits import Limits

__all__ = ["least_bad", "name_contradiction", "price_above_everything"]


DROWNS = 1e4  # a price this many times what an answer adds up to hides scores behind its rounding
SMALLEST = 1e-290
EFFORT = 5_000_000  # states that naming a contradiction may visit, whatever the limits


def name_contradiction(problem: Problem, solution: Solution | None = None) -> InfeasibleError:
    """The error that names the fewest rules that contradict each other, and where they collide.

    All that it asks stays within what is left of the problem's limits. When they end, it names the fewest rules that
    were found by then, and says so.

    Parameters
    ----------
    problem : Problem
        Its clock should have been started with the call.
    solution : Solution, optional
        By which the problem is known to be infeasible.

    Examples
    --------
    >>> from lawful.decoding.decoder import Decoder
    >>> from lawful.lattice import Lattice
    >>> from lawful.rules import at_least, at_most
    >>> decoder = Decoder([at_least(2, "A"), at_most(3, "B"), at_most(1, "A")], labels=["A", "B"])
    >>> name_contradiction(decoder._problem(Lattice([[0.0, 1.0]] * 3, labels=["A", "B"]))).rules
    ("at_least(2, 'A')", "at_most(1, 'A')")
    """
    feasibility = _Feasibility(problem)
    known = None if solution is None else feasibility.inside(solution)
    search = ContradictionSearch(feasibility.hard, feasibility.attempt, known=known)
    # Each step may use half of what is left, so that none starves the next one.
    with feasibility.half():
        contradiction = search.from_below()
    if contradiction is None:
        with feasibility.half():
            contradiction = search.from_above()
    located, position = feasibility.locate(contradiction.rules)
    return InfeasibleError(
        [problem.rules.names[rule] for rule in contradiction.rules],
        position,
        minimal=contradiction.minimal,
        smallest=contradiction.smallest,
        located=located,
        missing=problem.rules.missing_labels(contradiction.rules),
    )


class _Feasibility:
    """Asks which hard rules of a problem can hold together: scores do not matter, so every path scores 0."""

    def __init__(self, problem: Problem) -> None:
        self.lattice, self.rules = problem.lattice.unscored(), problem.rules
        self.hard = frozenset(part.rule for part in self.rules.parts if part.mode == "hard")
        self._local = frozenset(part.rule for part in self.rules.parts if part.local)
        self._limits = replace(problem.limits.started().within(EFFORT), on_limit="raise")

    def inside(self, solution: Solution) -> RuleIndices:
        """The rules that an infeasible search looked at; local ones are in the scores from the start."""
        entered = {rule for round_ in solution.rounds for rule in round_.rules}
        return self.hard & (self._local | entered)

    @contextmanager
    def half(self) -> Iterator[None]:
        """Inside, only half of what is left may be used."""
        whole = self._limits
        self._limits = whole.half()
        yield
        self._limits = whole.after(self._limits.spent - whole.spent)

    def attempt(self, rules: RuleIndices) -> Trial | None:
        """Whether they can all hold; None if a limit was reached."""
        limits = self._limits if rules else Limits()  # the lattice alone takes one plain pass
        try:
            limits.require_rest()
            solution = auto(Problem(self.lattice, self.rules.only(rules), limits))
        except LimitError as reached:
            if reached.limit == "max_states":
                self._limits = self._limits.after(self._limits.states_left or 0)
            return None
        self._limits = self._limits.after(solution.states)
        if solution.labels is None:
            return Trial(feasible=False, rules=self.inside(solution) & rules)
        broken = np.flatnonzero(self.rules.count(solution.labels)).tolist()
        return Trial(feasible=True, rules=self.hard.difference(broken))

    def locate(self, rules: Collection[int]) -> tuple[bool, int | None]:
        """Whether it is known where these rules leave no path; and the token, or None for the end."""
        try:
            return True, find_dead_end(Problem(self.lattice, self.rules.only(rules), self._limits))
        except LimitError:
            return False, None


def price_above_everything(problem: Problem) -> float:
    """A price that makes one violation worse than any difference in score: a power of ten."""
    lattice = problem.lattice
    length = lattice.longest  # the best path of a graph passes each state at most once
    most = 2 * lattice.magnitude() + sum(part.most_charge(length) for part in problem.rules.parts)
    return float(10.0 ** math.ceil(math.log10(most))) if most > 0 else 1.0


def least_bad(problem: Problem) -> Solution:
    """The answer with the fewest violations of hard rules, and the best score among those.

    At a limit it is the best so far, or a `LimitError`, as the limits of the problem say.

    Examples
    --------
    >>> from lawful.lattice import Lattice
    >>> from lawful.labels import LabelSet
    >>> from lawful.rules import Rules, at_least, at_most
    >>> from lawful.rules.bound_rules import bind
    >>> from lawful.rules.compiled_rules import CompiledRules
    >>> compiled = CompiledRules(Rules(at_least(2, "A"), at_most(0, "A")), LabelSet(["A", "B"]))
    >>> lattice = Lattice([[0.0, 1.0], [0.0, 3.0]], labels=["A", "B"])
    >>> solution = least_bad(Problem(lattice, bind(compiled, 2, None, {})))
    >>> solution.labels, solution.score, solution.status
    ((1, 1), 4.0, 'infeasible')
    """
    lattice = problem.lattice
    price = price_above_everything(problem)
    counted, solution = _counted_at(problem, price)
    if solution.labels is None:
        if solution.status == "bounded":
            return solution
        raise name_contradiction(Problem(lattice))  # the lattice itself has no path
    fewest = _hard_violations(problem, solution)
    # A price drowns the scores that it is added to. Where there are huge ones, with which this answer has nothing to do,
    # a smaller price counts as well and shows more.
    limits = problem.limits
    while (
        solution.status == "optimal" and price > DROWNS * _earned(problem, solution).size and price > SMALLEST
    ):
        price /= DROWNS
        limits = limits.after(solution.states)
        cheaper_rules, cheaper = _counted_at(replace(problem, limits=limits), price)
        if cheaper.status != "optimal" or _hard_violations(problem, cheaper) > fewest:
            break
        counted, solution = cheaper_rules, cheaper
    judge(lattice, counted.rules, solution)
    # The price was only there to count with: the answer gets its score without it.
    score = _earned(problem, solution).score
    least = "this one violates them the least often"
    if solution.status == "bounded":
        least = "this one violates them the least often of those that were found before a limit"
    why = f"no answer obeys all hard rules; {least}; {solution.why}"
    return replace(solution, score=score, bound=-math.inf, status="infeasible", why=why)


def _counted_at(problem: Problem, price: float) -> tuple[BoundRules, Solution]:
    counted = problem.rules.with_hard_rules_counted(price)
    total = sum(part.most_charge(problem.lattice.longest) for part in counted.parts)
    if total > _core.MOST_SCORE:  # the rules are not to blame for a price that is this function's own
        where = "what a path could add up to, which every violation of a hard rule has to outweigh"
        raise LargeScoreError(where, problem.lattice.magnitude(), total, _core.MOST_SCORE)
    return counted, auto(replace(problem, rules=counted))


def _hard_violations(problem: Problem, solution: Solution) -> int:
    hard = np.isinf(problem.rules.prices)
    return int(problem.rules.count(solution.labels or ())[hard].sum())


def _earned(problem: Problem, solution: Solution) -> PathSum:
    return soft_score(
        problem.lattice, problem.rules.rules, problem.lattice.labels.decode(solution.labels or ())
    )
