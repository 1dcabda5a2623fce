"""What decoding found, and everything it knows about how."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import chain
from typing import Any, overload

import numpy as np
import numpy.typing as npt

from lawful import _core
from lawful.lattice import AnyLattice
from lawful.rules.bound_rules import BoundRules
from lawful.rules.ruleset import Rules
from lawful.solvers.solution import Round, Solution

__all__ = ["Decoding", "Decodings"]


class Decoding:
    """The best labels of one sequence under its rules, with the proof and the price.

    What costs time is worked out when it is asked for, and then kept.

    Attributes
    ----------
    lattice : Lattice or GraphLattice
    bound_rules : BoundRules
        The rules, tied to the lattice.
    solver : str
        The solver that found the answer.
    seconds : float
        Wall time of the call that decoded it; a batch shares one clock.
    fell_back : bool
        Whether obeying the rules would cost more than `max_loss`, so that these are the rule-free labels.

    Examples
    --------
    >>> import lawful
    >>> lattice = lawful.Lattice([[2.0, 0.0], [0.0, 1.0], [3.0, 0.0]], labels=["A", "B"])
    >>> best = lawful.decode(lattice, lawful.at_most_segments(1, "A"))
    >>> best.labels, best.plain_labels, best.loss
    (('A', 'A', 'A'), ('A', 'B', 'A'), 1.0)
    """

    def __init__(
        self,
        lattice: AnyLattice,
        rules: BoundRules,
        read: Callable[[], Solution],
        plain: Callable[[], Decoding],
        *,
        solver: str,
        seconds: float,
        fell_back: bool = False,
    ) -> None:
        self.lattice, self.bound_rules, self.solver, self.seconds = lattice, rules, solver, seconds
        self.fell_back = fell_back
        self._read, self._decode_plain = read, plain

    @property
    def rules(self) -> Rules:
        """The rules, at the prices that held."""
        return self.bound_rules.rules

    @cached_property
    def solution(self) -> Solution:
        """What the solver gave back, with labels and rules as numbers."""
        return self._read()

    @cached_property
    def labels(self) -> tuple[str, ...]:
        """The label of each token; empty if no answer was found."""
        return self.lattice.labels.decode(self.solution.labels or ())

    @property
    def score(self) -> float:
        """The lattice's score of the labels, less the prices of the soft rules that they break."""
        return self.solution.score

    @property
    def status(self) -> str:
        """'optimal' if proved best, 'bounded' if a limit ended the search, 'infeasible' if hard rules are broken."""
        return self.solution.status

    @property
    def bound(self) -> float:
        """No label sequence that obeys the hard rules scores more than this."""
        return self.solution.bound

    @property
    def gap(self) -> float:
        """How far the score may be from the best one; 0 if it is proved best."""
        return 0.0 if self.bound <= self.score else self.bound - self.score

    @property
    def why(self) -> str:
        """What the solver did, in a sentence."""
        return self.solution.why

    @property
    def rounds(self) -> tuple[Round, ...]:
        """Which rules entered when, and how large the lattice was then."""
        return self.solution.rounds

    @property
    def states(self) -> int:
        """How many lattice states were looked at in all."""
        return self.solution.states

    @cached_property
    def violations(self) -> Mapping[str, int]:
        """How many times the labels break each rule, by the rules' own reference meaning."""
        return self.rules.violations(
            self.labels, self.lattice.tokens, self.lattice.context, label_set=self.lattice.labels
        )

    @property
    def broken(self) -> tuple[str, ...]:
        """The names of the rules that the labels break."""
        return tuple(name for name, count in self.violations.items() if count)

    @cached_property
    def plain(self) -> Decoding:
        """The rule-free answer to the same lattice."""
        return self._decode_plain() if self.rules else self

    @property
    def plain_labels(self) -> tuple[str, ...]:
        """The labels of the rule-free answer."""
        return self.plain.labels

    @property
    def loss(self) -> float:
        """The score given up against the rule-free answer."""
        return max(0.0, self.plain.score - self.score)

    @cached_property
    def changed(self) -> tuple[int, ...]:
        """The positions at which the labels differ from the rule-free answer."""
        ours, plain = self.labels, self.plain_labels
        if ours == plain:
            return ()
        # the paths of a graph may have different lengths
        return tuple(t for t in range(max(len(ours), len(plain))) if ours[t : t + 1] != plain[t : t + 1])

    def __repr__(self) -> str:
        return f"Decoding({list(self.labels)!r}, score={self.score:.6g}, status={self.status!r})"

    def __reduce__(self) -> tuple[Any, ...]:
        """As data: lattice, rules and solution; the rule-free answer is found again if it is asked for."""
        made_of = (self.lattice, self.bound_rules, self.solution, self._decode_plain)
        return _decoding_again, (*made_of, self.solver, self.seconds, self.fell_back)


def _decoding_again(
    lattice: AnyLattice,
    rules: BoundRules,
    solution: Solution,
    plain: Callable[[], Decoding],
    solver: str,
    seconds: float,
    fell_back: bool,  # noqa: FBT001
) -> Decoding:
    return Decoding(
        lattice, rules, lambda: solution, plain, solver=solver, seconds=seconds, fell_back=fell_back
    )


class Decodings(Sequence[Decoding]):
    """The results of a batch, in order. Each is made when it is looked at.

    Attributes
    ----------
    scores : float64 array (N,)
    seconds : float
        Wall time of the batch.
    seen : _core.Examples or None
        What the rules saw of the sequences, if the core looked at all of them: who counts violations need not look again.

    Examples
    --------
    >>> import lawful
    >>> lattices = [lawful.Lattice([[0.0, score]], labels=["A", "B"]) for score in (1.0, -1.0)]
    >>> results = lawful.Decoder(labels=["A", "B"]).decode_batch(lattices)
    >>> results.labels, results.numbers.tolist(), results.scores.tolist()
    ([('B',), ('A',)], [1, 0], [1.0, 0.0])
    >>> [result.status for result in results]
    ['optimal', 'optimal']
    """

    def __init__(
        self,
        make: Callable[[int], Decoding],
        scores: npt.NDArray[np.float64],
        seconds: float,
        *,
        optimal: Callable[[], list[tuple[str, ...]]] | None = None,
        numbers: Callable[[], npt.NDArray[np.int32]] | None = None,
        seen: _core.Examples | None = None,
    ) -> None:
        self._make, self.scores, self.seconds, self.seen = make, scores, seconds, seen
        self._optimal, self._numbers = optimal, numbers  # the labels of all, if all are proved best

    @cached_property
    def labels(self) -> list[tuple[str, ...]]:
        """The labels of each sequence; quicker than to ask one result after the other."""
        return [decoding.labels for decoding in self] if self._optimal is None else self._optimal()

    @cached_property
    def numbers(self) -> npt.NDArray[np.int32]:
        """The labels of all sequences end to end, as indices in the label set; those of one without an answer are left out."""
        if self._numbers is not None:
            return self._numbers()
        labels = [decoding.solution.labels or () for decoding in self]
        return np.fromiter(chain.from_iterable(labels), np.int32, sum(map(len, labels)))

    @property
    def statuses(self) -> list[str]:
        """The status of each sequence."""
        return [decoding.status for decoding in self] if self._optimal is None else ["optimal"] * len(self)

    @overload
    def __getitem__(self, index: int) -> Decoding: ...
    @overload
    def __getitem__(self, index: slice) -> list[Decoding]: ...
    def __getitem__(self, index: int | slice) -> Decoding | list[Decoding]:
        indices = range(len(self))[index]
        return self._make(indices) if isinstance(indices, int) else [self._make(each) for each in indices]

    def __len__(self) -> int:
        return len(self.scores)

    def __iter__(self) -> Iterator[Decoding]:
        return map(self._make, range(len(self)))

    def __repr__(self) -> str:
        return f"Decodings({len(self)} sequences)"

    def __reduce__(self) -> tuple[Any, ...]:
        """As data: the results, one by one."""
        return _decodings_again, (list(self), self.scores, self.seconds)


def _decodings_again(decodings: list[Decoding], scores: npt.NDArray[np.float64], seconds: float) -> Decodings:
    return Decodings(decodings.__getitem__, scores, seconds)
