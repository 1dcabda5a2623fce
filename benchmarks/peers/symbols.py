"""One alphabet for a whole workload, so that rules about tokens become automata that all its sequences share.

A symbol stands for a label and for all that the rules distinguish about the token under it. Without this, rules such
as "changes only after punctuation" would need an automaton a sequence.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

import lawful
from lawful.rules.example import BoundMachine, Example

__all__ = ["Reading", "Symbols"]

Integers = npt.NDArray[np.integer[Any]]


class Reading(NamedTuple):
    """One automaton of one rule for one sequence, and where its kinds stand in the profiles."""

    place: int
    column: int
    bound: BoundMachine


class Symbols:
    """The symbols of some lattices under some rules: 1 + profile * K + label; 0 is OpenFst's epsilon.

    Attributes
    ----------
    profiles : int array (P, columns)
        The different rows of kinds that tokens have.
    """

    def __init__(self, rules: lawful.Rules, lattices: Sequence[lawful.Lattice]) -> None:
        labels = lattices[0].labels
        self.size = len(labels)
        compiled = [rule.compile(labels) for rule in rules]
        columns: dict[tuple[int, int], int] = {}
        self._readings: dict[int, list[Reading]] = {}
        for lattice in lattices:
            example = Example(lattice.length, lattice.tokens, lattice.context)
            self._readings[id(lattice)] = [
                Reading(index, columns.setdefault((index, layer), len(columns)), bound)
                for index, rule in enumerate(compiled)
                for layer, bound in enumerate(rule.bind(example))
            ]
        kinds = [self._kinds(lattice, len(columns)) for lattice in lattices]
        self.profiles, inverse = np.unique(np.concatenate(kinds), axis=0, return_inverse=True)
        ends = np.cumsum([lattice.length for lattice in lattices])[:-1]
        rows = np.split(inverse.reshape(-1), ends)
        self._rows = {id(lattice): row for lattice, row in zip(lattices, rows, strict=True)}

    def of(self, lattice: lawful.Lattice) -> Integers:
        """The symbol (T, K) of each label at each token."""
        return 1 + self._rows[id(lattice)][:, None] * self.size + np.arange(self.size)[None, :]

    def readings(self, lattice: lawful.Lattice) -> list[Reading]:
        """The automata that a sequence must obey, in the order of the rules."""
        return self._readings[id(lattice)]

    def classes(self, reading: Reading) -> Integers:
        """The class (P * K,) that an automaton reads for each symbol."""
        classes: Integers = reading.bound.table[self.profiles[:, reading.column]]
        return classes.reshape(-1)

    def _kinds(self, lattice: lawful.Lattice, columns: int) -> Integers:
        kinds = np.zeros((lattice.length, columns), dtype=np.int64)
        for reading in self.readings(lattice):
            if reading.bound.kinds is not None:
                kinds[:, reading.column] = reading.bound.kinds
        return kinds
