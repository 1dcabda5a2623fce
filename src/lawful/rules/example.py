"""What a rule may look at besides the labels: the tokens of one sequence, its named context, the label set."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any, NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

from lawful.automata.counting import CountingMachine
from lawful.labels import LabelSet

__all__ = ["BoundMachine", "CompiledRule", "Example"]


class Example(NamedTuple):
    """The surroundings of one sequence of labels: its length, its tokens, its named context, the labels there are."""

    length: int
    tokens: Sequence[Any] | None = None
    context: Mapping[str, Any] = MappingProxyType({})
    label_set: LabelSet | None = None


class BoundMachine(NamedTuple):
    """One machine of a rule, tied to one sequence.

    At position `t`, label `k` is read by the machine as class `table[kinds[t], k]`: the token decides the row,
    the label the column.

    Attributes
    ----------
    machine : CountingMachine over C classes
    table : uint16 array (U, K), classes
    kinds : list of T int, rows of `table`; None if every token is of kind 0
    """

    machine: CountingMachine
    table: npt.NDArray[np.uint16]
    kinds: list[int] | None = None


class CompiledRule(Protocol):
    """A rule compiled for a label set. Its violations are the sum of those of its bound machines."""

    @property
    def static(self) -> bool:
        """Whether `bind` gives the very same machines for every example, whatever its tokens and context."""
        ...

    def bind(self, example: Example) -> Sequence[BoundMachine]:
        """The rule's machines for one sequence. Unchanged machines and tables are the same objects each time."""
        ...
