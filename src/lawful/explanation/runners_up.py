"""The next best label sequences under the rules, found by forbidding those that are known.

`nbest` finds any number of them from the product of the lattice and all rules. For a few answers under many rules,
this way is cheaper: each is one more decoding, which only broken rules enter.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from lawful.automata.counting import CountingMachine
from lawful.explanation.charges import Charge, bill_of
from lawful.explanation.subset_answers import SubsetAnswers
from lawful.rules.example import BoundMachine

__all__ = ["RunnerUp", "all_but", "find_runners_up"]


@dataclass(frozen=True, slots=True)
class RunnerUp:
    """One of the next best answers.

    Attributes
    ----------
    labels : tuple of str
    score : float
        With the prices of broken soft rules deducted.
    behind : float
        How much less that is than the best score; 0 for a tie.
    differs : tuple of int
        The positions at which the labels differ from the answer.
    broken : tuple of Charge
        The soft rules that these labels break.
    """

    labels: tuple[str, ...]
    score: float
    behind: float
    differs: tuple[int, ...]
    broken: tuple[Charge, ...]

    def to_dict(self) -> dict[str, Any]:
        """The runner-up as a dict, ready for JSON."""
        return {
            "labels": list(self.labels),
            "score": self.score,
            "behind": self.behind,
            "differs": list(self.differs),
            "broken": [charge.to_dict() for charge in self.broken],
        }


def find_runners_up(answers: SubsetAnswers, count: int) -> tuple[RunnerUp, ...]:
    """Find the best label sequences after the answer; fewer than `count` if there are no more.

    Examples
    --------
    >>> import lawful
    >>> decoding = lawful.decode(lawful.Lattice([[2.0, 0.5], [2.0, 1.0]], labels=["A", "B"]))
    >>> [(other.labels, other.behind) for other in find_runners_up(SubsetAnswers(decoding), 2)]
    [(('A', 'B'), 1.0), (('B', 'A'), 1.5)]
    """
    decoding, best = answers.decoding, answers.bill.total
    runners_up = []
    for labels, score in _next_best(answers, count):
        bill = bill_of(decoding.lattice, decoding.rules, labels)
        behind, apart = best.lead(bill.total), positions_apart(labels, decoding.labels)
        runners_up.append(RunnerUp(labels, score, behind, apart, bill.broken))
    return tuple(runners_up)


def positions_apart(first: Sequence[str], second: Sequence[str]) -> tuple[int, ...]:
    """The positions at which two label sequences differ; every position beyond the end of the shorter one does."""
    return tuple(t for t in range(max(len(first), len(second))) if first[t : t + 1] != second[t : t + 1])


def _next_best(answers: SubsetAnswers, count: int) -> Iterator[tuple[tuple[str, ...], float]]:
    decoding = answers.decoding
    names = decoding.lattice.labels
    known = [names.encode(decoding.labels)]
    table = np.arange(len(names), dtype=np.uint16)[None, :]
    for _ in range(count):
        bound = BoundMachine(all_but(known, len(names)), table)
        solution = answers.solve(decoding.bound_rules.also(bound, "not a better answer"))
        if solution.labels is None:
            return
        known.append(solution.labels)
        yield names.decode(solution.labels), solution.score


def all_but(sequences: Iterable[Sequence[int]], labels: int) -> CountingMachine:
    """A machine that every label sequence obeys but these: they are branches of a tree, and end in violations.

    Examples
    --------
    >>> machine = all_but([(0, 1)], 2)
    >>> machine.count([0, 1]), machine.count([0, 0]), machine.count([0]), machine.count([0, 1, 1])
    (1, 0, 0, 0)
    """
    elsewhere = 1  # the state that a sequence enters when it leaves the tree, and never leaves again
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
