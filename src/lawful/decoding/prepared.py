"""Lattices to which rules are already tied."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, NamedTuple, overload

from lawful import _core
from lawful.lattice.base import AnyLattice, ChainLattice
from lawful.rules.bound_rules import BoundRules

__all__ = ["Prepared", "PreparedBatch"]


class Prepared(NamedTuple):
    """A lattice to which a decoder's rules are already tied.

    Attributes
    ----------
    lattice : Lattice or GraphLattice
    rules : BoundRules
    core : _core.Problem or None
        Both as the compiled engine takes them; None if they go to another solver.
    """

    lattice: AnyLattice
    rules: BoundRules
    core: _core.Problem | None

    def __reduce__(self) -> tuple[Any, ...]:
        """As data: lattice and rules."""
        return _prepared_again, (self.lattice, self.rules, self.core is not None)


def _prepared_again(lattice: AnyLattice, rules: BoundRules, to_engine: bool) -> Prepared:  # noqa: FBT001
    trellis = lattice if to_engine and isinstance(lattice, ChainLattice) else None
    return Prepared(lattice, rules, None if trellis is None else rules.problem(trellis))


class PreparedBatch(Sequence[Prepared]):
    """Many of them, with what the kernels need laid out in one list. Each is made when it is looked at.

    Attributes
    ----------
    cores : _core.Problems
        What goes to the compiled engine; None for the others.
    others : list of int
        The indices of those that go to another solver.
    """

    def __init__(self, items: Iterable[Prepared]) -> None:
        known = dict(enumerate(items))
        self.cores = _core.Problems()
        for item in known.values():
            self.cores.append(item.core)
        self._make, self._known = known.__getitem__, known
        self.others: list[int] = self.cores.missing

    @classmethod
    def tied(
        cls, cores: _core.Problems, known: dict[int, Prepared], make: Callable[[int], Prepared]
    ) -> PreparedBatch:
        """Those of which the core has the problems; `make` gives one by its index, if it is not known yet."""
        batch = cls(())
        batch.cores, batch._known, batch._make = cores, known, make
        batch.others = cores.missing
        return batch

    def __reduce__(self) -> tuple[Any, ...]:
        """As data: its items."""
        return PreparedBatch, (tuple(self),)

    @overload
    def __getitem__(self, index: int) -> Prepared: ...
    @overload
    def __getitem__(self, index: slice) -> PreparedBatch: ...
    def __getitem__(self, index: int | slice) -> Prepared | PreparedBatch:
        indices = range(len(self))[index]
        return self._at(indices) if isinstance(indices, int) else PreparedBatch(map(self._at, indices))

    def _at(self, index: int) -> Prepared:
        known = self._known.get(index)
        return self._make(index) if known is None else known

    def __len__(self) -> int:
        return len(self.cores)

    def __iter__(self) -> Iterator[Prepared]:
        return map(self._at, range(len(self)))
