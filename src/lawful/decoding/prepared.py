"""Lattices to which rules are already tied."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
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
    """Many of them, with what the kernels need laid out in one list.

    Attributes
    ----------
    cores : list of _core.Problem
        The problems of those that go to the compiled engine, in order.
    others : list of int
        The indices of those that go to another solver.
    """

    def __init__(self, items: Iterable[Prepared]) -> None:
        self._items = tuple(items)
        self.cores = [item.core for item in self._items if item.core is not None]
        self.others: list[int] = []
        if len(self.cores) < len(self._items):
            self.others = [index for index, item in enumerate(self._items) if item.core is None]

    def __reduce__(self) -> tuple[Any, ...]:
        """As data: its items."""
        return PreparedBatch, (self._items,)

    @overload
    def __getitem__(self, index: int) -> Prepared: ...
    @overload
    def __getitem__(self, index: slice) -> PreparedBatch: ...
    def __getitem__(self, index: int | slice) -> Prepared | PreparedBatch:
        return PreparedBatch(self._items[index]) if isinstance(index, slice) else self._items[index]

    def __len__(self) -> int:
        return len(self._items)

    def __iter__(self) -> Iterator[Prepared]:
        return iter(self._items)
