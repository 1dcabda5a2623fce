"""What decoding found, and everything it knows about how."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any, overload

from bylaw.lattice import GraphLattice, Lattice
from bylaw.rules.ruleset import Rules
from bylaw.solvers.solution import Round, Solution

__all__ = ["Decoding", "Decodings"]


class Decoding:
    """The best labels of one sequence under its rules, with the proof and the price.

    What costs time is worked out when it is asked for, and then kept.

    Attributes
    ----------
    lattice : Lattice or GraphLattice
    rules : Rules
    solver : str
        The solver that found the answer.
    seconds : float
        Wall time of the call that decoded it; a batch shares one clock.
    fell_back : bool
        Whether obeying the rules cost more than `max_loss`, so that these are the rule-free labels.
    """

    def __init__(
        self,
        lattice: Lattice | GraphLattice,
        rules: Rules,
        solution: Solution,
        *,
        solver: str,
        seconds: float,
        plain: Decoding | None = None,
        fell_back: bool = False,
    ) -> None:
        self.lattice, self.rules, self.solver, self.seconds = lattice, rules, solver, seconds
        self.fell_back = fell_back
        self._solution = solution
        self._plain = plain

    @cached_property
    def labels(self) -> tuple[str, ...]:
        """The label of each token."""
        return self.lattice.labels.decode(self._solution.labels or ())

    @property
    def score(self) -> float:
        """The lattice's score of the labels, less the prices of the soft rules that they break."""
        return self._solution.score

    @property
    def status(self) -> str:
        """'optimal' if proved best, 'bounded' if a limit ended the search, 'infeasible' if hard rules are broken."""
        return self._solution.status

    @property
    def bound(self) -> float:
        """No label sequence that obeys the hard rules scores more than this."""
        return self._solution.bound

    @property
    def gap(self) -> float:
        """How far the score may be from the best one; 0 if it is proved best."""
        return 0.0 if self.bound == self.score else self.bound - self.score

    @property
    def why(self) -> str:
        """Why the solver did what it did, in a sentence."""
        return self._solution.why

    @property
    def rounds(self) -> tuple[Round, ...]:
        """Which rules entered when, and how large the lattice was after it."""
        return self._solution.rounds

    @property
    def states(self) -> int:
        """How many lattice states were looked at in all."""
        return self._solution.states

    @cached_property
    def violations(self) -> Mapping[str, int]:
        """How many times the labels break each rule, by the rules' own reference meaning."""
        return self.rules.violations(self.labels, self.lattice.tokens, self.lattice.context)

    @property
    def broken(self) -> tuple[str, ...]:
        """The names of the rules that the labels break."""
        return tuple(name for name, count in self.violations.items() if count)

    @cached_property
    def plain(self) -> Decoding:
        """The rule-free answer to the same lattice."""
        if self._plain is not None:
            return self._plain
        from bylaw.decoding.decoder import Decoder

        return Decoder(Rules(), labels=self.lattice.labels).decode(self.lattice)

    @property
    def plain_labels(self) -> tuple[str, ...]:
        """The labels of the rule-free answer."""
        return self.plain.labels

    @property
    def loss(self) -> float:
        """The score given up against the rule-free answer."""
        return max(0.0, self.plain.score - self.score)

    @property
    def changed(self) -> tuple[int, ...]:
        """The positions at which the labels differ from the rule-free answer."""
        if len(self.labels) != len(self.plain_labels):  # a graph's paths may have different lengths
            return tuple(range(max(len(self.labels), len(self.plain_labels))))
        return tuple(t for t, pair in enumerate(zip(self.labels, self.plain_labels, strict=True)) if pair[0] != pair[1])

    def __repr__(self) -> str:
        return f"Decoding({list(self.labels)!r}, score={self.score:.6g}, status={self.status!r})"


class Decodings(Sequence[Decoding]):
    """The results of a batch, in order. Each is made when it is looked at."""

    def __init__(self, items: Sequence[Any], make: Any, seconds: float) -> None:
        self._items, self._make, self.seconds = items, make, seconds

    @overload
    def __getitem__(self, index: int) -> Decoding: ...
    @overload
    def __getitem__(self, index: slice) -> list[Decoding]: ...
    def __getitem__(self, index: int | slice) -> Decoding | list[Decoding]:
        if isinstance(index, slice):
            return [self[i] for i in range(*index.indices(len(self)))]
        place = range(len(self))[index]
        result: Decoding = self._make(place)
        return result

    def __len__(self) -> int:
        return len(self._items)

    def __iter__(self) -> Iterator[Decoding]:
        return (self[i] for i in range(len(self)))

    def __repr__(self) -> str:
        return f"Decodings({len(self)} sequences)"
