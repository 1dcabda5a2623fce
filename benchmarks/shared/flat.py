"""A workload as people have it whose model scored all sequences at once: a few arrays, end to end."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

import lawful
from lawful.decoding import ArrayDecodings

__all__ = ["FlatContestant"]


class FlatContestant:
    """lawful on the arrays of some lattices: scores end to end, lengths, tokens as numbers of words, context in columns."""

    def __init__(self, lattices: Sequence[lawful.Lattice], rules: lawful.Rules) -> None:
        first = lattices[0]
        self._decoder = lawful.Decoder(rules, labels=first.labels)
        self._emissions = np.concatenate([lattice.emissions for lattice in lattices])
        self._lengths = np.array([lattice.length for lattice in lattices])
        self._options: dict[str, Any] = {"transitions": first.shared_transitions}
        if first.tokens is not None:
            words = [token for lattice in lattices for token in lattice.tokens or ()]
            vocabulary = tuple(dict.fromkeys(words))
            numbers = {word: number for number, word in enumerate(vocabulary)}
            self._options |= {
                "tokens": np.array([numbers[word] for word in words]),
                "vocabulary": vocabulary,
            }
        if first.context:
            contexts = [lattice.context for lattice in lattices]
            self._options["context"] = {
                name: _column([each[name] for each in contexts]) for name in first.context
            }

    def decode(self, jobs: int = 1) -> ArrayDecodings:
        """All of them with rules."""
        return self._decoder.decode_arrays(self._emissions, self._lengths, jobs=jobs, **self._options)


def _column(values: list[Any]) -> Any:
    """Positions and spans as arrays; everything else as it is."""
    if all(isinstance(value, int) for value in values):
        return np.array(values)
    if any(isinstance(item, tuple) for value in values for item in value):
        return np.array([(number, *span) for number, spans in enumerate(values) for span in spans])
    return values
