"""Sequences as callers give them: lists of tokens or sentences, with or without a context each."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import compress
from typing import Any, NamedTuple

from lawful.corpus.sentence import Sentence
from lawful.corpus.texts.tokenizer import Tokenizer
from lawful.errors import InputError

__all__ = [
    "ContextsLike",
    "SequencesLike",
    "TokenSequences",
    "cut_strings",
    "filled_sequences",
    "read_sequences",
    "token_lists",
]

SequencesLike = Iterable[Sequence[Any] | Sentence]
ContextsLike = Iterable[Mapping[str, Any]] | None


class TokenSequences(NamedTuple):
    """Token sequences, and what rules need to know about each of them.

    Attributes
    ----------
    tokens : list of token sequences
    contexts : list of mappings, or None
        One for each sequence; None if there is nothing to know about any.
    """

    tokens: list[Sequence[Any]]
    contexts: list[Mapping[str, Any]] | None


def read_sequences(
    sequences: SequencesLike, contexts: ContextsLike = None, *, name: str = ""
) -> TokenSequences:
    """Sequences with their contexts: those of sentences, to which `contexts` adds, or which it replaces by name.

    Strings are refused: their letters would pass for tokens.

    Parameters
    ----------
    sequences : iterable of token sequences or sentences
    contexts : iterable of mappings, optional
        One for each sequence.
    name : str
        What the sequences are called in error messages.

    Examples
    --------
    >>> read_sequences([["a"], Sentence(["b"], context={"verb": 0})])
    TokenSequences(tokens=[['a'], ('b',)], contexts=[{}, {'verb': 0}])
    >>> read_sequences([["a"], ["b"]], [{"verb": 0}])
    Traceback (most recent call last):
    lawful.errors.InputError: there are 2 token sequences but 1 contexts: sequence 2 has none
    """
    if isinstance(sequences, (str, Sentence)) or not isinstance(sequences, Iterable):
        what = f"{name} must be" if name else "expected"
        raise InputError(f"{what} a list of token sequences, got {sequences!r:.60}")
    tokens: list[Sequence[Any]] = []
    known = []
    for number, sequence in enumerate(sequences):
        if isinstance(sequence, Sentence):
            tokens.append(sequence.inputs())
            known.append((number, sequence.context))
        elif isinstance(sequence, str | Mapping) or not isinstance(sequence, Iterable):
            of = f" of {name}" if name else ""
            # A mapping is a token with its columns.
            hint = ": for one sequence pass [tokens]" if isinstance(sequence, Mapping) else ""
            raise InputError(
                f"sequence {number + 1}{of} must be a list of tokens, got {sequence!r:.60}{hint}"
            )
        else:
            tokens.append(sequence if hasattr(sequence, "__len__") else list(sequence))
    if contexts is None and not any(context for _, context in known):
        return TokenSequences(tokens, None)
    named: list[Mapping[str, Any]] = [{}] * len(tokens)
    if contexts is not None:
        named = _checked_contexts(contexts, len(tokens), name)
    for number, context in known:
        named[number] = {**context, **named[number]}
    return TokenSequences(tokens, named)


def cut_strings(sequences: Sequence[Any], tokenizer: Tokenizer) -> Sequence[Any]:
    """The sequences, with texts among them cut into tokens: a list of strings is a list of texts.

    If none of the strings has a blank, they may be one sequence of tokens, and are refused.

    Examples
    --------
    >>> cut_strings(["to Bonn"], Tokenizer())[0].tokens
    ('to', 'Bonn')
    >>> cut_strings(["to", "Bonn"], Tokenizer())
    Traceback (most recent call last):
    lawful.errors.InputError: a list of strings without blanks ('to', 'Bonn') may be one sequence of tokens or several texts: \
for one sequence pass [tokens], for texts model.cut_texts(texts)
    """
    texts = [sequence for sequence in sequences if isinstance(sequence, str)]
    if not texts:
        return sequences
    if len(texts) < len(sequences):
        raise InputError(
            "texts (strings) and token sequences are mixed: give either, or cut texts with model.cut_texts"
        )
    if not any(len(text.split()) > 1 for text in texts):
        shown = ", ".join(map(repr, texts[:3])) + (", ..." if len(texts) > 3 else "")
        raise InputError(
            f"a list of strings without blanks ({shown}) may be one sequence of tokens or several texts: for one sequence "
            "pass [tokens], for texts model.cut_texts(texts)"
        )
    return [tokenizer.sentence(text) for text in texts]


def filled_sequences(
    sequences: SequencesLike, contexts: ContextsLike = None, *, name: str = ""
) -> TokenSequences:
    """The same without empty sequences.

    Examples
    --------
    >>> filled_sequences([[], ["a"]], [{}, {"verb": 0}])
    TokenSequences(tokens=[['a']], contexts=[{'verb': 0}])
    """
    tokens, named = read_sequences(sequences, contexts, name=name)
    filled = [len(of_sequence) > 0 for of_sequence in tokens]
    return TokenSequences(
        list(compress(tokens, filled)), None if named is None else list(compress(named, filled))
    )


def token_lists(sequences: SequencesLike) -> list[list[Any]]:
    """Token sequences as lists.

    Examples
    --------
    >>> token_lists([("a", "b"), [], Sentence(["c"])])
    [['a', 'b'], [], ['c']]
    >>> token_lists(["a b"])
    Traceback (most recent call last):
    lawful.errors.InputError: sequence 1 must be a list of tokens, got 'a b'
    """
    return [list(tokens) for tokens in read_sequences(sequences).tokens]


def _checked_contexts(
    contexts: Iterable[Mapping[str, Any]], count: int, name: str
) -> list[Mapping[str, Any]]:
    of = f" of {name}" if name else ""
    if isinstance(contexts, (str, Mapping)) or not isinstance(contexts, Iterable):
        raise InputError(
            f"contexts must be a list of mappings, one for each sequence{of}, got {contexts!r:.60}"
        )
    named = list(contexts)
    for number, context in enumerate(named):
        if not isinstance(context, Mapping):
            raise InputError(
                f"the context of sequence {number + 1}{of} must be a mapping of names to values, got {context!r:.60}"
            )
    if len(named) != count:
        first = (
            f"sequence {len(named) + 1}{of} has none"
            if len(named) < count
            else f"there is no sequence {count + 1}{of}"
        )
        raise InputError(f"there are {count} token sequences but {len(named)} contexts: {first}")
    return named
