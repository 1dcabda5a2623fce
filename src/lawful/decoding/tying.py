"""The sequences of a batch: looked at at once, tied to the rules when somebody asks for that."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cached_property
from typing import Any

from lawful import _core
from lawful.decoding.prepared import Prepared, PreparedBatch
from lawful.errors import InputError
from lawful.lattice import AnyLattice, Lattice
from lawful.rules.bound_rules import as_bound, look_at_all
from lawful.rules.compiled_rules import CompiledRules

__all__ = ["GivenBatch"]


class GivenBatch:
    """Lattices that are to be decoded, or prepared, under the same rules.

    Parameters
    ----------
    compiled : CompiledRules
    lattices : iterable of lattices, or of what was prepared
        An error of whoever makes them is raised when those before it are found to be right.
    prepare : function of a lattice
        Ties the rules to one of any kind, or says what is wrong with it.
    at_once : bool
        Whether the core may tie the rules to many trellises at once.
    threads : int

    Attributes
    ----------
    examples : _core.Examples or None
        What the rules see of the sequences, if the core can tie them to every single one.
    """

    def __init__(
        self,
        compiled: CompiledRules,
        lattices: Iterable[AnyLattice | Prepared],
        prepare: Callable[[AnyLattice], Prepared],
        *,
        at_once: bool,
        threads: int,
    ) -> None:
        if isinstance(lattices, (str, AnyLattice, Prepared)) or not isinstance(lattices, Iterable):
            raise InputError(f"expected a list of lattices, got {lattices!r:.60}")
        self._compiled, self._prepare, self._threads = compiled, prepare, threads
        self.examples: _core.Examples | None = None
        if isinstance(lattices, PreparedBatch):
            self.prepared = lattices
            return
        self._items: list[Any] = []
        failure: InputError | None = None
        try:
            self._items.extend(lattices)
        except InputError as error:  # an earlier one may be wrong as well
            error.add_note(f"in sequence {len(self._items) + 1} of the batch")
            failure = error
        labels = compiled.labels
        plain = at_once and all(
            type(item) is Lattice and (item.labels is labels or item.labels == labels) for item in self._items
        )
        self._seen = look_at_all(compiled, self._items) if plain else None
        if self._seen is not None and not self._seen.apart:
            self.examples = self._seen
        if failure is not None:
            _ = self.prepared
            raise failure

    @cached_property
    def prepared(self) -> PreparedBatch:
        """Rules tied to all of them: at once in the core where that can do it, and one by one where not."""
        cores = _core.Problems()
        known: dict[int, Prepared] = {}
        if self._seen is not None:
            left = cores.extend(self._seen, self._threads)
        else:
            left = list(range(len(self._items)))
            for _ in left:
                cores.append(None)
        for index in left:
            try:
                item = self._items[index]
                prepared = item if isinstance(item, Prepared) else self._prepare(item)
            except InputError as error:
                error.add_note(f"in sequence {index + 1} of the batch")
                raise
            known[index] = prepared
            if prepared.core is not None:
                cores.put(index, prepared.core)

        return PreparedBatch.tied(cores, known, lambda index: self._tied(index, cores[index]))

    def one(self, index: int) -> Prepared:
        """Rules tied to one of them: who looks at a few need not wait until they are tied to all."""
        if self.examples is not None and "prepared" not in self.__dict__:
            core = _core.problem_of(self.examples, index)
            if core is not None:
                return self._tied(index, core)
        return self.prepared[index]

    def _tied(self, index: int, core: _core.Problem) -> Prepared:
        lattice = self._items[index]  # a Lattice: the core ties no others
        return Prepared(lattice, as_bound(self._compiled, lattice, core.own), core)
