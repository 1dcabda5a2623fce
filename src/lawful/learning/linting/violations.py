"""Where labelled data breaks a rule, how few labels would mend it, and what a model believes instead."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from lawful.decoding import Decoder
from lawful.errors import LawfulError
from lawful.labels import LabelSet
from lawful.lattice import AnyLattice, Lattice
from lawful.learning.gold import Labelled
from lawful.rules.rule import Rule
from lawful.rules.tokens.values import text_of

__all__ = ["Breach", "believe", "excerpt", "mend"]


@dataclass(frozen=True)
class Breach:
    """One sequence that breaks a rule.

    Attributes
    ----------
    place : str
        File and line, or the number of the sequence.
    positions : tuple of int
        The tokens at which the rule was broken; empty if only the end of the sequence tells.
    excerpt : str
        These tokens with their neighbours and labels.
    mended : tuple of (int, str, str)
        What a model believes instead, as changes (position, label, other label) after which the rule holds; empty without a model, or
        where no labels keep the rule.
    probability : float or None
        How sure the model is of the least sure of these labels, given the rule; None without a model.
    """

    place: str
    positions: tuple[int, ...]
    excerpt: str
    mended: tuple[tuple[int, str, str], ...] = ()
    probability: float | None = None

    def to_dict(self) -> dict[str, Any]:
        """Ready for JSON."""
        return vars(self) | {"positions": list(self.positions), "mended": [list(one) for one in self.mended]}


def mend(rule: Rule, labels: LabelSet, sequence: Labelled) -> tuple[tuple[int, str, str], ...]:
    """The fewest label changes after which a sequence keeps a rule: an exact search, as for any lattice.

    Examples
    --------
    >>> from lawful.learning.gold import labelled_sequences
    >>> from lawful.rules import at_most
    >>> one = labelled_sequences([(["x", "y", "z"], ["A", "B", "A"])])[0]
    >>> mend(at_most(1, "A"), LabelSet(["A", "B"]), one)
    ((2, 'A', 'B'),)
    """
    emissions = np.zeros((len(sequence.labels), len(labels)))
    emissions[np.arange(len(sequence.labels)), labels.encode(sequence.labels)] = 1.0
    lattice = Lattice(emissions, labels=labels, tokens=sequence.tokens, context=sequence.context)
    try:
        best: Sequence[str] = Decoder(rule.hard(), labels=labels).decode(lattice).labels
    except LawfulError:  # no labels of this sequence keep the rule, or it is too large to tell
        return ()
    return _changes(sequence.labels, best)


def believe(
    rule: Rule, lattice: AnyLattice, sequence: Labelled
) -> tuple[tuple[tuple[int, str, str], ...], float | None]:
    """What a model believes of a sequence that breaks a rule: its best labels that keep it, as changes, and how sure it is.

    Examples
    --------
    >>> from lawful.learning.gold import labelled_sequences
    >>> from lawful.rules import at_most
    >>> one = labelled_sequences([(["x", "y", "z"], ["A", "B", "A"])])[0]
    >>> lattice = Lattice([[0.0, 3.0], [0.0, 3.0], [5.0, 0.0]], labels=["A", "B"])
    >>> changes, probability = believe(at_most(1, "A"), lattice, one)
    >>> changes, round(probability, 2)
    (((0, 'A', 'B'),), 1.0)
    """
    decoder = Decoder(rule.hard(), labels=lattice.labels)
    try:
        best: Sequence[str] = decoder.decode(lattice).labels
        table = decoder.marginals(lattice).labels
    except LawfulError:
        return (), None
    changes = _changes(sequence.labels, best)
    names = list(lattice.labels)
    sure = [float(table[position, names.index(new)]) for position, _, new in changes]
    return changes, min(sure, default=None)


def _changes(gold: Sequence[str], other: Sequence[str]) -> tuple[tuple[int, str, str], ...]:
    pairs = enumerate(zip(gold, other, strict=True))
    return tuple((position, old, new) for position, (old, new) in pairs if old != new)


def excerpt(sequence: Labelled, positions: Sequence[int], *, around: int = 2) -> str:
    """Tokens with their labels around the first of some positions; from the start if there is none."""
    middle = positions[0] if positions else 0
    first, last = max(0, middle - around), min(len(sequence.labels), middle + around + 1)
    shown = " ".join(
        f"{text_of(sequence.tokens[position])}/{sequence.labels[position]}" for position in range(first, last)
    )
    return f"{'... ' if first else ''}{shown}{' ...' if last < len(sequence.labels) else ''}"
