"""Lattices to which rules are already tied."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple, overload

from lawful import _core
from lawful.lattice.trellis import Lattice

__all__ = ["Prepared", "PreparedBatch"]


class Prepared(NamedTuple):
    """A lattice to which a decoder's rules are already tied."""

    lattice: Lattice
    binding: _core.Binding
    core: _core.Problem


class PreparedBatch(Sequence[Prepared]):
    """Many of them, with what the kernels need laid out in one list."""

    def __init__(self, items: Iterable[Prepared]) -> None:
        self._items = tuple(items)
        self.cores = [item.core for item in self._items]

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
