"""What a decoder does for a tagger: tokens in, labels out."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import compress
from typing import TYPE_CHECKING, Any

from lawful.corpus.sentence import Sentence
from lawful.corpus.sequences import ContextsLike, SequencesLike, cut_strings, read_sequences
from lawful.decoding.result import Decoding, Decodings
from lawful.errors import InputError, SearchError
from lawful.lattice import AnyLattice, Tagger
from lawful.lattice.tagger import in_context, lattices_of

if TYPE_CHECKING:
    from lawful.corpus.texts.tokenizer import Tokenizer
    from lawful.decoding.prepared import Prepared

__all__ = ["Predicting", "cut_for", "score_sequences", "text_tokenizer"]


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

    def predict(
        self, sequences: SequencesLike, *, contexts: ContextsLike = None, jobs: int | None = None
    ) -> list[list[str]]:
        """The labels of token sequences, as the tagger scores them and the rules allow.

        An empty sequence gets an empty answer.

        Parameters
        ----------
        sequences : iterable of token sequences, of `Sentence`, or of texts
            Texts are strings, which a tagger with a `tokenizer` (every model of lawful) cuts into tokens. A list of
            strings without any blank is refused: it may be one sequence of tokens.
        contexts : iterable of mappings, optional
            What comes with each sequence by name, for rules that ask for it. A `Sentence` brings its own; a name in
            both is taken from here.
        jobs : int, optional
            Threads; all cores if not given.

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
        filled, lattices = score_sequences(self._asked(), sequences, contexts)
        try:
            labellings = iter(self.decode_batch(lattices, jobs=jobs).labels)
        except SearchError as error:
            if error.sequence is None:
                raise
            numbers = [number for number, has_tokens in enumerate(filled) if has_tokens]
            raise error.in_sequence(numbers[error.sequence]) from None
        return [list(next(labellings)) if has_tokens else [] for has_tokens in filled]

    def decode_tokens(
        self, tokens: Sequence[Any] | Sentence | str, *, context: Mapping[str, Any] | None = None
    ) -> Decoding:
        """The decoding of one token sequence, `Sentence` or text: labels, score, loss, and what the rules changed."""
        tokenizer = text_tokenizer(self._asked()) if isinstance(tokens, str) else None
        if tokenizer is not None:
            tokens = tokenizer.sentence(str(tokens))
        [inputs], contexts = read_sequences([tokens], None if context is None else [context])
        lattice = self._asked().lattice(inputs)
        return self.decode(lattice if contexts is None else in_context(lattice, contexts[0]))

    def _asked(self) -> Tagger:
        if self.tagger is None:
            raise InputError("this decoder has no tagger: make it with Decoder(rules, tagger=...)")
        return self.tagger


def text_tokenizer(tagger: Tagger) -> Tokenizer | None:
    """The tokenizer of a tagger, for texts; None if it has none. One that needs more than words is refused.

    Examples
    --------
    >>> import lawful
    >>> text_tokenizer(lawful.HMM().fit([["to", "Bonn"]], [["O", "City"]])).convention
    'words'
    """
    tokenizer: Tokenizer | None = getattr(tagger, "tokenizer", None)
    if tokenizer is not None:
        check: Callable[[], None] | None = getattr(tagger, "check_text", None)
        if check is not None:
            check()
    return tokenizer


def cut_for(tagger: Tagger, sequences: SequencesLike) -> SequencesLike:
    """The sequences, with texts among them cut into tokens as the tagger needs them.

    Examples
    --------
    >>> import lawful
    >>> cut_for(lawful.HMM().fit([["to", "Bonn"]], [["O", "City"]]), ["to Bonn"])[0].tokens
    ('to', 'Bonn')
    """
    if isinstance(sequences, (str, Sentence)) or not isinstance(sequences, Iterable):
        return sequences  # which is refused where sequences are read
    listed = list(sequences)
    if not any(isinstance(sequence, str) for sequence in listed):
        return listed
    tokenizer = text_tokenizer(tagger)
    return listed if tokenizer is None else cut_strings(listed, tokenizer)


def score_sequences(
    tagger: Tagger, sequences: SequencesLike, contexts: ContextsLike = None
) -> tuple[list[bool], Iterable[AnyLattice]]:
    """Which sequences have tokens, and the lattices of those, with their contexts.

    Examples
    --------
    >>> from lawful.lattice import Lattice
    >>> class Even:
    ...     labels = None
    ...     def lattice(self, tokens):
    ...         return Lattice([[0.0, 0.0]] * len(tokens), tokens=tokens)
    >>> filled, lattices = score_sequences(Even(), [["a"], []], [{"verb": 0}, {}])
    >>> filled, [lattice.context["verb"] for lattice in lattices]
    ([True, False], [0])
    """
    tokens, named = read_sequences(cut_for(tagger, sequences), contexts)
    filled = [len(of_sequence) > 0 for of_sequence in tokens]
    inputs = [list(of_sequence) for of_sequence in tokens if len(of_sequence)]
    return filled, lattices_of(tagger, inputs, None if named is None else compress(named, filled))
