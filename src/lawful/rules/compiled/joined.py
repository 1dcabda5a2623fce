"""Running several rules side by side and judging them together at the end."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import reduce
from operator import is_not
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from lawful.automata.acceptor import Dfa
from lawful.automata.counting import CountingMachine
from lawful.automata.operations.boolean import combine
from lawful.automata.operations.modes import from_dfa, obeyed
from lawful.errors import MachineError, RuleTooLargeError
from lawful.rules.compiled.forms import MAX_STATES, Table, frozen, tighten
from lawful.rules.example import BoundMachine, CompiledRule, Example

__all__ = ["LogicRule"]

FEW_KINDS = (
    32  # up to here a product knows all pairs of kinds, and serves every sequence; beyond, those that occur
)
MOST_CELLS = 400_000  # states times classes of a product, before it is minimized
MOST_CACHED = 1024

Judge = Callable[[Sequence[bool]], bool]


class _Joined(NamedTuple):
    machine: CountingMachine
    table: Table
    pairs: npt.NDArray[np.intp]  # the pairs of rows, left * U_right + right, that it knows; sorted
    rows: npt.NDArray[np.uint16]  # the row of `table` for each of them
    inputs: tuple[object, ...]  # kept alive, since the cache knows them by their id


@dataclass(frozen=True, eq=False)
class LogicRule:
    """Rules under a judge, who hears which of them were obeyed.

    Each part becomes a machine that says yes or no at the end. Two at a time they become one, so that only
    minimal machines are multiplied; with more than two parts the judge must be associative, like `all`. A part that
    is alone is joined by one that always holds. Results are kept, so that examples with the same machines and
    tables get the same objects.

    Examples
    --------
    >>> from lawful.labels import LabelSet
    >>> from lawful.rules.kinds.bans import forbid
    >>> labels = LabelSet(["A", "B"])
    >>> parts = tuple(forbid(name).compile(labels) for name in labels)
    >>> (either,) = LogicRule(parts, any, "either", size=2).bind(Example(2))
    >>> either.machine.count([0, 0]), either.machine.count([0, 1])
    (0, 1)
    """

    parts: tuple[CompiledRule, ...]
    judge: Judge
    rule: str
    size: int  # the number of labels
    _cache: dict[tuple[Any, ...], _Joined] = field(default_factory=dict, init=False)
    _yes: BoundMachine = field(init=False)

    def __post_init__(self) -> None:
        always = CountingMachine.from_lists([[0]], [[0]], [0])
        object.__setattr__(self, "_yes", BoundMachine(always, frozen(np.zeros((1, self.size)))))

    @property
    def static(self) -> bool:
        """Whether all parts are."""
        return all(part.static for part in self.parts)

    def bind(self, example: Example) -> Sequence[BoundMachine]:
        """One machine, which counts 1 at the end if the judge says no."""
        verdicts = [self.join(part.bind(example)) for part in self.parts]
        if len(verdicts) == 1:
            verdicts.append(self._yes)
        return (reduce(lambda left, right: self._join(left, right, self.judge), verdicts),)

    def join(self, machines: Sequence[BoundMachine]) -> BoundMachine:
        """The machines of one rule as one that counts at most 1, at the end."""
        return reduce(lambda left, right: self._join(left, right, all), machines, self._yes)

    def _join(self, left: BoundMachine, right: BoundMachine, judge: Judge) -> BoundMachine:
        pairs = _pairs_of_kinds(left, right)
        possible = len(left.table) * len(right.table)
        known = np.arange(possible) if possible <= FEW_KINDS else np.unique(pairs)
        inputs = (left.machine, left.table, right.machine, right.table)
        key = (judge is self.judge, *map(id, inputs), known.tobytes())
        joined = self._cache.get(key)
        # A compiled rule that was sent to another process still has the ids of this one.
        if joined is None or any(map(is_not, joined.inputs, inputs)):
            if len(self._cache) >= MOST_CACHED:
                self._cache.clear()
            joined = self._cache[key] = _joined(left, right, judge, self.rule, known)
        if left.kinds is None and right.kinds is None:
            return BoundMachine(joined.machine, joined.table)
        rows = joined.rows[np.searchsorted(joined.pairs, pairs)]
        return BoundMachine(joined.machine, joined.table, rows.tolist())


def _pairs_of_kinds(left: BoundMachine, right: BoundMachine) -> npt.NDArray[np.intp]:
    """The pair of kinds of each token, as one number; one of them if no machine looks at tokens."""
    pairs = np.array([0] if left.kinds is None else left.kinds, dtype=np.intp) * len(right.table)
    return pairs if right.kinds is None else pairs + np.array(right.kinds, dtype=np.intp)


def _joined(
    left: BoundMachine, right: BoundMachine, judge: Judge, rule: str, known: npt.NDArray[np.intp]
) -> _Joined:
    width = right.machine.classes
    on_left, on_right = np.divmod(known, len(right.table))
    pairs = left.table[on_left].astype(np.int64) * width + right.table[on_right]
    used, inverse = np.unique(pairs, return_inverse=True)
    answers = [_over(left.machine, used // width), _over(right.machine, used % width)]
    limit = min(MAX_STATES, MOST_CELLS // len(used))
    try:
        both = combine(answers, judge, limit=limit)
    except MachineError:
        raise RuleTooLargeError(rule, limit + 1, limit) from None
    machine, table = tighten(from_dfa(both), frozen(inverse.reshape(len(known), -1)))
    table, rows = _without_repeats(table)
    return _Joined(machine, table, known, rows, (left.machine, left.table, right.machine, right.table))


def _over(machine: CountingMachine, classes: npt.NDArray[np.int64]) -> Dfa:
    """Whether the machine counts nothing, read over other classes."""
    answer = obeyed(machine)
    return Dfa(answer.delta[:, classes], answer.accepting)


def _without_repeats(table: Table) -> tuple[Table, npt.NDArray[np.uint16]]:
    """The distinct rows in the order in which they first appear, and the new place of each old row."""
    _, first, inverse = np.unique(table, axis=0, return_index=True, return_inverse=True)
    kept = np.sort(first)
    return frozen(table[kept]), frozen(np.searchsorted(kept, first[inverse.reshape(-1)]))
