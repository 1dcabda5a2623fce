"""What a rule may look at besides the labels: the tokens of one sequence, its named context, the label set."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, NamedTuple, Protocol, runtime_checkable

import numpy as np
import numpy.typing as npt

from lawful import _core
from lawful.automata.counting import CountingMachine
from lawful.labels import LabelSet

__all__ = ["BoundMachine", "CompiledRule", "CoreRule", "Example", "Source"]


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


@runtime_checkable
class CoreRule(CompiledRule, Protocol):
    """A rule that the core can tie to many sequences at once, with the same result."""

    def enter(
        self, binder: _core.Binder, make: Callable[[BoundMachine], _core.Part], *, once: bool
    ) -> Source:
        """Add the rule to what ties them, and say what it wants to know of each.

        `make` gives the part of a machine. `once`: the rule is soft and paid once, however many machines it takes.
        """
        ...


class Source(NamedTuple):
    """Where a rule that the core can tie to many sequences at once gets what it wants to know of each.

    Attributes
    ----------
    wanted : Context, or a value
        What to look up in the context of each sequence; or what holds for all of them.
    known : dict, optional
        The parts of values that were met before, where each value has a part of its own.
    ask : function, optional
        Gives the part of another value.
    read_array : function of examples, the number of the source, and an array
        The same for the values of all sequences in one array; None if there is no such form.
    one_each : bool
        Whether that array has one number for each sequence (N,), and not rows (M, 3) of sequence, start and end.
    """

    wanted: Any
    known: dict[Any, _core.Part] | None = None
    ask: Callable[[Any], _core.Part] | None = None
    read_array: Callable[[_core.Examples, int, npt.NDArray[np.int64]], None] | None = None
    one_each: bool = False
