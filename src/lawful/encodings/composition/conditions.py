"""Which tokens meet the conditions of an encoding."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from lawful.encodings.encoding import Encoding
from lawful.encodings.symbols import FeatureSymbol, matches
from lawful.models.features import Features
from lawful.models.features.index import AttributeIndex

__all__ = ["Conditions"]

Bools = npt.NDArray[np.bool_]


class Conditions:
    """The conditions of some symbols, for many sequences at once: where templates make the attributes, the core looks for those only.

    Parameters
    ----------
    encoding : Encoding
    symbols : sequence of FeatureSymbol
        What it reads.

    Examples
    --------
    >>> from lawful.encodings import identity_encoding
    >>> from lawful.models.features import word
    >>> features = Features(word())
    >>> plain = identity_encoding(["A", "B"])
    >>> looking = Encoding(plain.transducer, labels=plain.labels, attributes=features.attributes)
    >>> symbol = FeatureSymbol("A", required=("word=x",))
    >>> [which.tolist() for which in Conditions(looking, [symbol]).meeting([["x", "y"], ["x"]])]
    [[True, False, True]]
    """

    def __init__(self, encoding: Encoding, symbols: Sequence[FeatureSymbol]) -> None:
        self._encoding, self._symbols = encoding, symbols
        features = getattr(encoding.attributes, "__self__", None)
        self._features: Features | None = None
        if isinstance(features, Features):
            self._features = Features(*features.templates)  # not hashed: attributes are found by name
            names = [name for symbol in symbols for name in (*symbol.required, *symbol.forbidden)]
            self._index = AttributeIndex(dict.fromkeys(names))

    def meeting(self, sequences: Sequence[Sequence[Any] | None]) -> list[Bools]:
        """For each symbol the tokens (M,), of all sequences one after another, on which it may be read."""
        given = [tokens for tokens in sequences if tokens is not None]
        if self._features is None or len(given) < len(sequences):
            attributes = [
                of_token
                for tokens in sequences
                for of_token in self._encoding.attributes_of(tokens, 0 if tokens is None else len(tokens))
            ]
            return [
                np.array([matches(symbol, symbol.label, of_token) for of_token in attributes], dtype=np.bool_)
                for symbol in self._symbols
            ]
        found = self._features.extract(given, self._index, jobs=1)
        token = np.repeat(np.arange(found.positions), np.diff(found.item_offsets))
        holds = np.zeros((found.positions, len(self._index)), dtype=np.bool_)
        holds[token, found.attributes] = True
        return [self._fits(symbol, holds) for symbol in self._symbols]

    def _fits(self, symbol: FeatureSymbol, holds: Bools) -> Bools:
        fits = np.ones(len(holds), dtype=np.bool_)
        for name in symbol.required:
            fits &= holds[:, self._index.find(name)]
        for name in symbol.forbidden:
            fits &= ~holds[:, self._index.find(name)]
        return fits
