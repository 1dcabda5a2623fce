"""What a decoder does for a tagger: tokens in, labels out."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from lawful.decoding.result import Decoding, Decodings
from lawful.errors import InputError
from lawful.lattice import AnyLattice, Tagger
from lawful.lattice.tagger import lattices_of

if TYPE_CHECKING:
    from lawful.decoding.prepared import Prepared

__all__ = ["Predicting", "token_lists"]


class Predicting:
    """The methods of a `Decoder` that was made with a tagger."""

    tagger: Tagger | None

    def decode_batch(
        self, lattices: Iterable[AnyLattice | Prepared], *, jobs: int | None = None
    ) -> Decodings:
        """The best labels of many lattices."""
        raise NotImplementedError

    def decode(self, lattice: AnyLattice | Prepared) -> Decoding:
        """The best labels of one lattice."""
        raise NotImplementedError

    def predict(self, sequences: Iterable[Sequence[Any]], *, jobs: int | None = None) -> list[list[str]]:
        """The labels of token sequences, as the tagger scores them and the rules allow.

        An empty sequence gets an empty answer.

        Examples
        --------
        >>> import lawful
        >>> class Shouting:
        ...     labels = lawful.LabelSet(["quiet", "loud"])
        ...     def lattice(self, tokens):
        ...         scores = [[0.0, 2.0 if t.isupper() else -1.0] for t in tokens]
        ...         return lawful.Lattice(scores, labels=self.labels, tokens=tokens)
        >>> decoder = lawful.Decoder(lawful.ends_with("loud"), tagger=Shouting())
        >>> decoder.predict([["HEY", "you"], []])
        [['loud', 'loud'], []]
        """
        token_sequences = token_lists(sequences)
        labellings = iter(
            self.decode_batch(lattices_of(self._asked(), filter(None, token_sequences)), jobs=jobs).labels
        )
        return [list(next(labellings)) if sequence else [] for sequence in token_sequences]

    def decode_tokens(self, tokens: Sequence[Any]) -> Decoding:
        """The decoding of one token sequence: labels, score, loss, and what the rules changed."""
        return self.decode(self._asked().lattice(tokens))

    def _asked(self) -> Tagger:
        if self.tagger is None:
            raise InputError("this decoder has no tagger: make it with Decoder(rules, tagger=...)")
        return self.tagger


def token_lists(sequences: Iterable[Sequence[Any]]) -> list[list[Any]]:
    """Token sequences as lists. Strings are refused: their letters would pass for tokens.

    Examples
    --------
    >>> token_lists([("a", "b"), []])
    [['a', 'b'], []]
    >>> token_lists(["a b"])
    Traceback (most recent call last):
    lawful.errors.InputError: sequence 0 must be a list of tokens, got 'a b'
    """
    if isinstance(sequences, str) or not isinstance(sequences, Iterable):
        raise InputError(f"expected a list of token sequences, got {sequences!r:.60}")
    lists = []
    for number, tokens in enumerate(sequences):
        if isinstance(tokens, str) or not isinstance(tokens, Iterable):
            hint = "; give its .tokens, or its .rows()" if hasattr(tokens, "tokens") else ""
            raise InputError(f"sequence {number} must be a list of tokens, got {tokens!r:.60}{hint}")
        lists.append(list(tokens))
    return lists
