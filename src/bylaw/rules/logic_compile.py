"""Running several rules side by side and judging them together at the end."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import reduce
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from bylaw.automata.acceptor import Dfa
from bylaw.automata.boolean import combine
from bylaw.automata.counting import CountingMachine
from bylaw.automata.modes import from_dfa, obeyed
from bylaw.errors import MachineError, RuleTooLargeError
from bylaw.rules.compiled import MAX_STATES, Table, frozen, tighten
from bylaw.rules.example import Bound, CompiledRule, Example

__all__ = ["LogicRule"]

MOST_KINDS = 4096
MOST_CACHED = 1024

Judge = Callable[[Sequence[bool]], bool]


class _Joined(NamedTuple):
    machine: CountingMachine
    table: Table
    rows: npt.NDArray[np.uint16]  # (U_left * U_right,): the row of `table` for each pair of rows
    inputs: tuple[Any, ...]  # kept alive, since the cache knows them by their id


@dataclass(frozen=True, eq=False)
class LogicRule:
    """Rules under a judge, who hears which of them were obeyed. He must be associative if there are more than two.

    Each part becomes a machine that says yes or no at the end; two at a time they become one, smallest first
    and foremost because a minimal machine goes into the next step. Results are kept, so that examples with the
    same machines and tables get the same objects.
    """

    parts: tuple[CompiledRule, ...]
    judge: Judge
    rule: str
    size: int  # the number of labels
    _cache: dict[tuple[Any, ...], _Joined] = field(default_factory=dict, init=False)
    _yes: Bound = field(init=False)

    def __post_init__(self) -> None:
        always = CountingMachine.from_lists([[0]], [[0]], [0])
        object.__setattr__(self, "_yes", Bound(always, frozen(np.zeros((1, self.size)))))

    @property
    def static(self) -> bool:
        """Whether all parts are."""
        return all(part.static for part in self.parts)

    def bind(self, example: Example) -> Sequence[Bound]:
        """One machine, which counts 1 at the end if the judge says no."""
        verdicts = [self._verdict(part.bind(example)) for part in self.parts]
        if len(verdicts) == 1:
            return (self._join(verdicts[0], self._yes, self._judge_first),)
        return (reduce(lambda left, right: self._join(left, right, self.judge), verdicts),)

    def _judge_first(self, answers: Sequence[bool]) -> bool:
        return self.judge(answers[:1])

    def _verdict(self, bounds: Sequence[Bound]) -> Bound:
        """The machines of one part as one that counts at most 1, at the end."""
        return reduce(lambda left, right: self._join(left, right, all), bounds, self._yes)

    def _join(self, left: Bound, right: Bound, judge: Judge) -> Bound:
        key = (judge, id(left.machine), id(left.table), id(right.machine), id(right.table))
        joined = self._cache.get(key)
        if joined is None:
            if len(self._cache) >= MOST_CACHED:
                self._cache.clear()
            joined = self._cache.setdefault(key, _joined(left, right, judge, self.rule))
        if left.kinds is None and right.kinds is None:
            return Bound(joined.machine, joined.table)
        pairs: Any = 0 if left.kinds is None else left.kinds.astype(np.intp) * len(right.table)
        pairs = pairs + (0 if right.kinds is None else right.kinds)
        return Bound(joined.machine, joined.table, joined.rows[pairs])


def _joined(left: Bound, right: Bound, judge: Judge, rule: str) -> _Joined:
    kinds = len(left.table) * len(right.table)
    if kinds > MOST_KINDS:
        raise RuleTooLargeError(rule, kinds, MOST_KINDS)
    width = right.machine.classes
    pairs = left.table[:, None, :].astype(np.int64) * width + right.table[None, :, :]
    used, places = np.unique(pairs, return_inverse=True)
    answers = [_over(left.machine, used // width), _over(right.machine, used % width)]
    try:
        both = combine(answers, judge, limit=MAX_STATES)
    except MachineError:
        raise RuleTooLargeError(rule, MAX_STATES + 1, MAX_STATES) from None
    machine, table = tighten(from_dfa(both), frozen(places.reshape(kinds, -1)))
    table, rows = _without_repeats(table)
    inputs = (left.machine, left.table, right.machine, right.table)
    return _Joined(machine, table, rows, inputs)


def _over(machine: CountingMachine, classes: npt.NDArray[np.int64]) -> Dfa:
    """Whether the machine counts nothing, read over other classes."""
    answer = obeyed(machine)
    return Dfa(answer.delta[:, classes], answer.accepting)


def _without_repeats(table: Table) -> tuple[Table, npt.NDArray[np.uint16]]:
    """The distinct rows in the order in which they first appear, and the new place of each old row."""
    _, first, inverse = np.unique(table, axis=0, return_index=True, return_inverse=True)
    kept = np.sort(first)
    return frozen(table[kept]), frozen(np.searchsorted(kept, first[inverse.reshape(-1)]))
