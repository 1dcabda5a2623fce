"""From tokens to attribute ids: templates, compiled for the core."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from lawful import _core
from lawful.errors import InputError, LawfulError, TokenError
from lawful.models.features.attribute_sequences import AttributeSequences
from lawful.models.features.index import AttributeIndex
from lawful.models.features.templates.function_values import call_function
from lawful.models.features.templates.leaf import Leaf, source_text
from lawful.models.features.templates.template import Slot

__all__ = ["Program", "extract_sequences", "fit_sequences", "hash_sequences", "make_program"]

WITHOUT_TEXT = frozenset({"function", "first", "last", "bias"})


@dataclass(frozen=True, eq=False)
class Program:
    """The slots of a collection, compiled, with the columns and functions that are read in Python."""

    core: _core.FeatureProgram
    columns: tuple[str | int | None, ...]
    calls: tuple[Callable[..., Any] | None, ...]

    def read(self, X: Iterable[Sequence[Any]]) -> _core.FeatureCorpus:
        """The sequences, as the core reads them."""
        sequences: list[Any] = list(X)
        try:
            return self.core.read(sequences, list(self.columns), list(self.calls), source_text)
        except TokenError:
            self._locate(sequences)
            raise
        except LawfulError:
            raise
        except ValueError as error:
            if type(error) is not ValueError or not str(error).startswith("sequence "):
                raise  # raised by a function of the user
            raise InputError(str(error)) from None

    def _locate(self, sequences: list[Any]) -> None:
        """Raise the error of the first token that cannot be read, with its location."""
        for n, tokens in enumerate(sequences):
            for t, token in enumerate(tokens):
                for column in self.columns:
                    try:
                        source_text(token, column)
                    except TokenError as error:
                        raise TokenError(f"sequence {n + 1}, position {t}: {error}", position=t) from None


def make_program(slots: Sequence[Slot]) -> Program:
    """Compile slots for the core.

    Examples
    --------
    >>> from lawful.models.features.vocabulary import column, word
    >>> make_program([*word().slots(), *column("pos").slots()]).columns
    (None, 'pos')
    """
    leaves: dict[Leaf, int] = {}
    columns: dict[tuple[type, str | int | None], int] = {}
    for slot in slots:
        for placed in slot.leaves:
            leaves.setdefault(placed.leaf, len(leaves))
    data = []
    for leaf in leaves:
        reads = leaf.operation not in WITHOUT_TEXT
        source = columns.setdefault((type(leaf.source), leaf.source), len(columns)) if reads else -1
        data.append((leaf.operation, source, leaf.number))
    compiled = [
        (slot.name, [(leaves[placed.leaf], placed.offset, placed.pad) for placed in slot.leaves])
        for slot in slots
    ]
    core = _core.FeatureProgram(len(columns), data, compiled)
    return Program(core, tuple(column for _, column in columns), tuple(map(_call, leaves)))


def _call(leaf: Leaf) -> Callable[..., Any] | None:
    call = leaf.call
    if leaf.operation != "function" or call is None:
        return call
    return lambda tokens, position: call_function(leaf.name, call, tokens, position)


def fit_sequences(
    program: Program, X: Iterable[Sequence[Any]], min_count: int
) -> tuple[AttributeSequences, AttributeIndex]:
    """Extract the attributes of sequences and number them. See `Features.fit`."""
    table, arrays = program.core.fit(program.read(X), min_count)
    return AttributeSequences.from_core(arrays, len(table)), AttributeIndex.from_table(table)


def extract_sequences(
    program: Program, X: Iterable[Sequence[Any]], index: AttributeIndex, jobs: int
) -> AttributeSequences:
    """Extract the known attributes of sequences. See `Features.extract`."""
    tables = index.tables_for(program.core)
    return AttributeSequences.from_core(program.core.extract(program.read(X), tables, jobs), len(index))


def hash_sequences(
    program: Program, X: Iterable[Sequence[Any]], bits: int, *, signed: bool
) -> AttributeSequences:
    """Extract the attributes of sequences, hashed. See `Features.extract`."""
    return AttributeSequences.from_core(program.core.hash(program.read(X), bits, signed), 2**bits)
