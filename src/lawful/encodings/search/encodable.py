"""A labelled corpus that is encoded again and again: what does not depend on the encoding is done once."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from lawful.encodings.encoding import Attributes, Encoding, are_items
from lawful.encodings.symbols import FeatureSymbol, label_of
from lawful.errors import EncodingError
from lawful.labels import LabelSet
from lawful.models.features import Features
from lawful.models.linear.attributes import AttributeBlock

__all__ = ["EncodableCorpus", "Labelled"]

Bools = npt.NDArray[np.bool_]
Ints = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Labelled:
    """Token sequences and their canonical labels."""

    tokens: Sequence[Sequence[Any]]
    labels: Sequence[Sequence[str]]


class EncodableCorpus:
    """Token sequences and their canonical labels, in flat arrays.

    Parameters
    ----------
    tokens, labels : sequences
        None of them empty.

    Attributes
    ----------
    offsets : int array (N + 1,)
        Where the tokens of each sequence begin, all sequences one after another.

    Examples
    --------
    >>> from lawful.encodings import history_encoding
    >>> corpus, encoding = EncodableCorpus([["x", "x"]], [["A", "B"]]), history_encoding(["A", "B"], 2)
    >>> [encoding.tags[tag] for tag in corpus.tags(encoding)]
    ['A.^', 'B.A']
    """

    def __init__(self, tokens: Sequence[Sequence[Any]], labels: Sequence[Sequence[str]]) -> None:
        self.tokens, self.labels = tokens, labels
        self.offsets: Ints = np.cumsum([0, *map(len, tokens)], dtype=np.int64)
        self._numbers: tuple[LabelSet, Ints] | None = None
        self._holds: dict[str, Bools] = {}
        self._finder: tuple[object, Callable[[str], Bools]] | None = None

    # --- attributes of tokens ------------------------------------------------------------------------------

    def holds(self, attribute: str, attributes: Attributes | None) -> Bools:
        """(M,): which tokens have an attribute."""
        features = getattr(attributes, "__self__", None)
        key = features if isinstance(features, Features) else attributes
        if self._finder is None or self._finder[0] != key:
            self._holds = {}
            self._finder = (
                key,
                self._of_features(features) if isinstance(features, Features) else self._of(attributes),
            )
        if attribute not in self._holds:
            self._holds[attribute] = self._finder[1](attribute)
        return self._holds[attribute]

    def _of_features(self, features: Features) -> Callable[[str], Bools]:
        plain = Features(*features.templates)  # not hashed: attributes are found by name
        block, sequences = AttributeBlock.fit(plain, self.tokens)

        def find(attribute: str) -> Bools:
            holds = np.zeros(sequences.positions, dtype=np.bool_)
            number = block.find(attribute)
            if number >= 0:
                where = np.flatnonzero(sequences.attributes == number)
                holds[np.searchsorted(sequences.item_offsets, where, side="right") - 1] = True
            return holds

        return find

    def _of(self, attributes: Attributes | None) -> Callable[[str], Bools]:
        if attributes is None and not all(map(are_items, self.tokens)):
            raise EncodingError("the encoding looks at attributes of tokens, so it needs attributes=...")
        of_tokens = [
            frozenset(of_token)
            for tokens in self.tokens
            for of_token in (tokens if attributes is None else attributes(tokens))
        ]
        return lambda attribute: np.array([attribute in of_token for of_token in of_tokens], dtype=np.bool_)

    def allowed(self, symbol: FeatureSymbol, attributes: Attributes | None) -> Bools:
        """(M,): on which tokens an encoding may read a symbol."""
        allowed = np.ones(int(self.offsets[-1]), dtype=np.bool_)
        for attribute in symbol.required:
            allowed &= self.holds(attribute, attributes)
        for attribute in symbol.forbidden:
            allowed &= ~self.holds(attribute, attributes)
        return allowed

    # --- encoding ------------------------------------------------------------------------------------------

    def tags(self, encoding: Encoding) -> Ints:
        """(M,): the tags of all sequences in an encoding, as indices of its tags."""
        quick = None if encoding.delayed else self._walked(encoding)
        if quick is not None:
            return quick
        # Late tags, several ways, or none: the encoding itself finds them, or says why not.
        attributes = self._attributes_of_tokens(encoding)
        tags: list[int] = []
        for number, labels in enumerate(self.labels):
            own = attributes and attributes[self.offsets[number] : self.offsets[number + 1]]
            encoded = encoding.encode(labels, self.tokens[number], own)
            tags += encoding.tags.encode(encoded)
        return np.array(tags, dtype=np.int64)

    def _walked(self, encoding: Encoding) -> Ints | None:
        """All sequences side by side, one token after the other; None if some token does not lead to one state."""
        bits, met = self._kinds(encoding)
        size = len(encoding.labels)
        codes = bits * size + self._label_numbers(encoding)
        shape = encoding.transducer.states, len(met) * size
        following, written = np.full(shape, -1), np.zeros(shape, dtype=np.int64)
        for arc in encoding.transducer.arcs:
            fits = np.ones(len(met), dtype=np.bool_)
            if isinstance(arc.input, FeatureSymbol):
                for attribute in arc.input.required:
                    fits &= met[:, encoding.conditions.index(attribute)]
                for attribute in arc.input.forbidden:
                    fits &= ~met[:, encoding.conditions.index(attribute)]
            read = np.flatnonzero(fits) * size + encoding.labels.index(label_of(arc.input))
            if (following[arc.source, read] >= 0).any():
                return None
            following[arc.source, read] = arc.target
            written[arc.source, read] = encoding.tags.index(str(arc.output[0]))
        tags = np.empty(len(codes), dtype=np.int64)
        states = np.zeros(len(self.labels), dtype=np.int64)
        for tokens in self.by_position:
            before, at = states[: len(tokens)], codes[tokens]
            tags[tokens] = written[before, at]
            states[: len(tokens)] = following[before, at]
            if (states[: len(tokens)] < 0).any():
                return None
        final = np.isin(states, [ending.state for ending in encoding.transducer.endings])
        return tags if final.all() else None

    @cached_property
    def longest_first(self) -> Ints:
        """(N,): the sequences by their lengths."""
        return np.argsort(-np.diff(self.offsets), kind="stable")

    @cached_property
    def by_position(self) -> list[Ints]:
        """For each position its tokens, in the order of `longest_first`: of those sequences that are so long."""
        firsts, lengths = self.offsets[:-1][self.longest_first], np.diff(self.offsets)[self.longest_first]
        return [firsts[lengths > position] + position for position in range(int(lengths.max(initial=0)))]

    def _label_numbers(self, encoding: Encoding) -> Ints:
        if self._numbers is None or self._numbers[0] != encoding.labels:
            flat = [number for sequence in self.labels for number in encoding.labels.encode(sequence)]
            self._numbers = encoding.labels, np.array(flat, dtype=np.int64)
        return self._numbers[1]

    def _kinds(self, encoding: Encoding) -> tuple[Ints, Bools]:
        """(M,): the kind of each token, by which of the encoding's conditions it meets; (kinds, conditions): those."""
        bits = np.zeros(int(self.offsets[-1]), dtype=np.int64)
        for number, attribute in enumerate(encoding.conditions):
            bits |= self.holds(attribute, encoding.attributes).astype(np.int64) << number
        seen, kinds = np.unique(bits, return_inverse=True)
        return kinds.reshape(-1), (seen[:, None] >> np.arange(len(encoding.conditions)) & 1).astype(np.bool_)

    def _attributes_of_tokens(self, encoding: Encoding) -> list[tuple[str, ...]]:
        """The conditions of an encoding that each token meets; nothing if there are none."""
        if not encoding.conditions:
            return []
        kinds, met = self._kinds(encoding)
        names = [
            tuple(name for name, holds in zip(encoding.conditions, row, strict=True) if holds)
            for row in met.tolist()
        ]
        return [names[kind] for kind in kinds.tolist()]
