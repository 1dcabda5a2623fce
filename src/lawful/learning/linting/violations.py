"""Where labelled data breaks a rule, and how few labels would mend it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from lawful.decoding import Decoder
from lawful.errors import LawfulError
from lawful.labels import LabelSet
from lawful.lattice import Lattice
from lawful.learning.gold import Labelled
from lawful.rules.rule import Rule
from lawful.rules.tokens.values import text_of

__all__ = ["Breach", "excerpt", "mend"]


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
        The fewest changes (position, label, other label) after which the rule holds; empty if there are none.
    """

    place: str
    positions: tuple[int, ...]
    excerpt: str
    mended: tuple[tuple[int, str, str], ...]

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
    return tuple(
        (position, old, new)
        for position, (old, new) in enumerate(zip(sequence.labels, best, strict=True))
        if old != new
    )


def excerpt(sequence: Labelled, positions: Sequence[int], *, around: int = 2) -> str:
    """Tokens with their labels around the first of some positions; from the start if there is none."""
    middle = positions[0] if positions else 0
    first, last = max(0, middle - around), min(len(sequence.labels), middle + around + 1)
    shown = " ".join(
        f"{text_of(sequence.tokens[position])}/{sequence.labels[position]}" for position in range(first, last)
    )
    return f"{'... ' if first else ''}{shown}{' ...' if last < len(sequence.labels) else ''}"
