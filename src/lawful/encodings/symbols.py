"""What an encoding reads: a canonical label, perhaps only on tokens with certain attributes."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import NamedTuple

from lawful.automata.transducers.transducer import Symbol

__all__ = ["FeatureSymbol", "label_of", "matches"]


class FeatureSymbol(NamedTuple):
    """A canonical label on tokens that have some attributes and lack others ("feature symbols", Loper 4.4.4).

    Examples
    --------
    >>> str(FeatureSymbol("I", ("pos=NNP",), ("shape=X",)))
    'I[pos=NNP][not shape=X]'
    """

    label: str
    required: tuple[str, ...] = ()
    forbidden: tuple[str, ...] = ()

    def __str__(self) -> str:
        conditions = [*self.required, *(f"not {attribute}" for attribute in self.forbidden)]
        return self.label + "".join(f"[{condition}]" for condition in conditions)

    @classmethod
    def of(
        cls, label: str, required: Iterable[str] = (), forbidden: Iterable[str] = ()
    ) -> FeatureSymbol | str:
        """The symbol with its conditions in order; the label itself if there are none.

        Examples
        --------
        >>> FeatureSymbol.of("I"), FeatureSymbol.of("I", ["b", "a"])
        ('I', FeatureSymbol(label='I', required=('a', 'b'), forbidden=()))
        """
        conditions = tuple(sorted(set(required))), tuple(sorted(set(forbidden)))
        return cls(label, *conditions) if any(conditions) else label


def label_of(symbol: Symbol) -> str:
    """The canonical label that a symbol reads.

    Examples
    --------
    >>> label_of("I"), label_of(FeatureSymbol("I", ("a",)))
    ('I', 'I')
    """
    return symbol.label if isinstance(symbol, FeatureSymbol) else str(symbol)


def matches(symbol: Symbol, label: str, attributes: Collection[str]) -> bool:
    """Whether a symbol reads a label on a token with these attributes.

    Examples
    --------
    >>> matches(FeatureSymbol("I", ("a",), ("b",)), "I", {"a"}), matches(FeatureSymbol("I", ("a",)), "I", ())
    (True, False)
    """
    if not isinstance(symbol, FeatureSymbol):
        return symbol == label
    return (
        symbol.label == label
        and all(attribute in attributes for attribute in symbol.required)
        and not any(attribute in attributes for attribute in symbol.forbidden)
    )
