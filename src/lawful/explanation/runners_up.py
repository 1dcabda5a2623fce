"""The next best label sequences under the rules, found by forbidding those that are known.

`nbest` gives as many as one likes, from the product of the lattice and all rules. For a few, this way is cheaper where
rules are many: each of them is one more decoding, in which only broken rules take part.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from lawful.automata.counting import CountingMachine
from lawful.decoding.result import Decoding
from lawful.explanation.charges import Charge, bill_of
from lawful.rules.compiled.parts import make_part
from lawful.rules.example import BoundMachine
from lawful.solvers.choice import auto
from lawful.solvers.solution import Problem

__all__ = ["RunnerUp", "all_but", "find_runners_up"]


@dataclass(frozen=True, slots=True)
class RunnerUp:
    """An answer that nearly won.

    Attributes
    ----------
    labels : tuple of str
    score : float
        Prices of broken soft rules paid.
    behind : float
        How much less that is than the best score; 0 for a tie.
    differs : tuple of int
        The positions at which the labels are not those of the answer.
    broken : tuple of Charge
        The soft rules that it breaks.
    """

    labels: tuple[str, ...]
    score: float
    behind: float
    differs: tuple[int, ...]
    broken: tuple[Charge, ...]

    def to_dict(self) -> dict[str, Any]:
        """Ready for JSON."""
        return {
            "labels": list(self.labels),
            "score": self.score,
            "behind": self.behind,
            "differs": list(self.differs),
            "broken": [charge.to_dict() for charge in self.broken],
        }


def find_runners_up(decoding: Decoding, problem: Problem, count: int) -> tuple[RunnerUp, ...]:
    """The best label sequences after the answer, fewer than `count` if there are no more.

    Examples
    --------
    >>> import lawful
    >>> from lawful.explanation.leaving_out import LeavingOut
    >>> found = lawful.decode(lawful.Lattice([[2.0, 0.5], [2.0, 1.0]], labels=["A", "B"]))
    >>> [(one.labels, one.behind) for one in find_runners_up(found, LeavingOut(found).problem, 2)]
    [(('A', 'B'), 1.0), (('B', 'A'), 1.5)]
    """
    return tuple(
        RunnerUp(
            labels,
            score,
            max(0.0, decoding.score - score),
            positions_apart(labels, decoding.labels),
            bill_of(decoding.lattice, decoding.rules, labels).broken,
        )
        for labels, score in _next_best(decoding, problem, count)
    )


def positions_apart(ours: Sequence[str], theirs: Sequence[str]) -> tuple[int, ...]:
    """Where two label sequences differ; beyond the end of one, everywhere."""
    return tuple(t for t in range(max(len(ours), len(theirs))) if ours[t : t + 1] != theirs[t : t + 1])


def _next_best(decoding: Decoding, problem: Problem, count: int) -> Iterator[tuple[tuple[str, ...], float]]:
    names = decoding.lattice.labels
    found = [names.encode(decoding.labels)]
    table = np.arange(len(names), dtype=np.uint16)[None, :]
    for _ in range(count):
        bound = BoundMachine(all_but(found, len(names)), table)
        part = make_part(bound, rule=len(problem.names), price=np.inf, per="sequence")
        further = replace(
            problem,
            parts=(*problem.parts, part),
            kinds=(*problem.kinds, None),
            names=(*problem.names, "not a better answer"),
            sources=(),
        )
        solution = auto(further)
        if solution.labels is None:
            return
        found.append(solution.labels)
        yield names.decode(solution.labels), solution.score


def all_but(sequences: Iterable[Sequence[int]], labels: int) -> CountingMachine:
    """A machine that every label sequence obeys but these: they are branches of a tree, and end in violations.

    Examples
    --------
    >>> machine = all_but([(0, 1)], 2)
    >>> machine.count([0, 1]), machine.count([0, 0]), machine.count([0]), machine.count([0, 1, 1])
    (1, 0, 0, 0)
    """
    elsewhere = 1
    delta, ends = [[elsewhere] * labels, [elsewhere] * labels], set()
    for sequence in sequences:
        state = 0
        for label in sequence:
            if delta[state][label] == elsewhere:
                delta[state][label] = len(delta)
                delta.append([elsewhere] * labels)
            state = delta[state][label]
        ends.add(state)
    return CountingMachine.from_lists(
        delta, [[0] * labels for _ in delta], [int(state in ends) for state in range(len(delta))]
    )
