"""Whether a transducer is an output encoding, and if not, labels or tags that show it."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from typing import Literal, NamedTuple

import numpy as np

from lawful.automata.acceptor import Dfa, Nfa
from lawful.automata.operations.compare import counterexample
from lawful.automata.operations.determinization import determinize
from lawful.automata.transducers.ambiguity import find_ambiguity
from lawful.encodings.encoding import Encoding
from lawful.encodings.symbols import matches
from lawful.errors import EncodingError
from lawful.labels import LabelSet

__all__ = ["Flaw", "check_encoding", "domain_of", "require_encoding"]

MOST_KINDS = 1 << 12


class Flaw(NamedTuple):
    """Why a transducer is no encoding.

    Attributes
    ----------
    property : "length", "inverse" or "domain"
        Tags must be as many as labels; tags must stand for one sequence of labels; exactly the valid sequences must have tags.
    example : tuple of str
        Labels that show it; tags for "inverse".
    message : str
    """

    property: Literal["length", "inverse", "domain"]
    example: tuple[str, ...]
    message: str


def check_encoding(encoding: Encoding, valid: Dfa | None = None) -> list[Flaw]:
    """What keeps a transducer from being an encoding (the three properties of Loper 4.4.2); nothing if it is one.

    Parameters
    ----------
    encoding : Encoding
    valid : Dfa over the canonical labels, by index, optional
        The valid label sequences; all sequences if not given.

    Examples
    --------
    >>> from lawful.encodings import scheme_encoding
    >>> chunks = domain_of(scheme_encoding("IOB1", "IOB1"))
    >>> check_encoding(scheme_encoding("IOB1", "IOBES"), chunks)
    []
    >>> [flaw] = check_encoding(scheme_encoding("IOB1", "IO"), chunks)
    >>> flaw.message
    "tags ('I', 'I') stand for ('I', 'B') and for ('I', 'I')"
    """
    flaws = _check_length(encoding)
    if not flaws:  # only then it is certain that the inverse exists
        flaws = _check_inverse(encoding)
    return flaws + _check_domain(encoding, _everything(encoding.labels) if valid is None else valid)


def require_encoding(encoding: Encoding, valid: Dfa | None = None) -> Encoding:
    """The encoding itself; `EncodingError` with the first flaw if it has one.

    Examples
    --------
    >>> from lawful.encodings import scheme_encoding
    >>> require_encoding(scheme_encoding("IOB1", "IO"))
    Traceback (most recent call last):
    lawful.errors.EncodingError: IO of IOB1 is no encoding: tags ('I', 'I') stand for ('I', 'B') and for ('I', 'I')
    """
    for flaw in check_encoding(encoding, valid):
        raise EncodingError(f"{encoding.name or 'this transducer'} is no encoding: {flaw.message}")
    return encoding


def _check_length(encoding: Encoding) -> list[Flaw]:
    transducer, offsets = encoding.on_labels, encoding.offsets
    ways: dict[int, tuple[str, ...]] = {0: ()}
    queue = [0]
    for state in queue:  # grows inside the loop
        for arcs in transducer.steps[state].values():
            for arc in arcs:
                read = (*ways[state], str(arc.input))
                if arc.target not in ways:
                    ways[arc.target] = read
                    queue.append(arc.target)
                elif offsets[state] + 1 - len(arc.output) != offsets[arc.target]:
                    return [
                        Flaw(
                            "length",
                            read,
                            f"after {read} and after {ways[arc.target]} the same follows, but not as many tags are "
                            "missing: one of them gets more or fewer tags than labels",
                        )
                    ]
    return [
        Flaw(
            "length",
            ways[ending.state],
            f"{ways[ending.state]} gets {len(ways[ending.state]) - offsets[ending.state] + len(ending.output)} tags",
        )
        for ending in transducer.endings
        if len(ending.output) != offsets[ending.state]
    ][:1]


def _check_inverse(encoding: Encoding) -> list[Flaw]:
    ambiguity = find_ambiguity(encoding.inverse)
    if ambiguity is None:
        return []
    tags, first, second = (tuple(map(str, string)) for string in ambiguity)
    return [Flaw("inverse", tags, f"tags {tags} stand for {first} and for {second}")]


def _check_domain(encoding: Encoding, valid: Dfa) -> list[Flaw]:
    if valid.classes != len(encoding.labels):
        raise EncodingError(
            f"valid sequences are over {valid.classes} labels, but the encoding has {len(encoding.labels)}"
        )
    kinds = _kinds_of_tokens(encoding)
    readable = determinize(_reads(encoding, kinds))
    lifted = Dfa(np.repeat(valid.delta, len(kinds), axis=1), valid.accepting)
    example = counterexample(readable, lifted)
    if example is None:
        return []
    labels = tuple(encoding.labels[symbol // len(kinds)] for symbol in example)
    attributes = [sorted(kinds[symbol % len(kinds)]) for symbol in example]
    on = f" on tokens with {attributes}" if encoding.conditions else ""
    what = "are not valid, but have tags" if readable.accepts(example) else "are valid, but cannot be encoded"
    return [Flaw("domain", labels, f"labels {labels}{on} {what}")]


def domain_of(encoding: Encoding) -> Dfa:
    """The label sequences that an encoding can write on some tokens, by index.

    Examples
    --------
    >>> from lawful.encodings import scheme_encoding
    >>> domain = domain_of(scheme_encoding("IOB1", "IOE1"))  # labels O, I, B
    >>> domain.accepts([1, 2, 0]), domain.accepts([0, 2])
    (True, False)
    """
    return determinize(_reads(Encoding(encoding.on_labels, labels=encoding.labels), [frozenset()]))


def _everything(labels: LabelSet) -> Dfa:
    return Dfa(np.zeros((1, len(labels)), dtype=np.int32), np.ones(1, dtype=np.bool_))


def _kinds_of_tokens(encoding: Encoding) -> Sequence[frozenset[str]]:
    """All combinations of the attributes that the encoding looks at."""
    if len(encoding.labels) << len(encoding.conditions) > MOST_KINDS:
        raise EncodingError(
            f"the encoding looks at {len(encoding.conditions)} attributes of tokens, too many to check all combinations"
        )
    return [
        frozenset(name for name, has in zip(encoding.conditions, flags, strict=True) if has)
        for flags in product((False, True), repeat=len(encoding.conditions))
    ]


def _reads(encoding: Encoding, kinds: Sequence[frozenset[str]]) -> Nfa:
    """What the transducer reads: labels by index, each on every kind of token."""
    size = len(kinds)
    arcs = [
        (arc.source, encoding.labels.index(label) * size + kind, arc.target)
        for label in encoding.labels
        for kind, attributes in enumerate(kinds)
        for arc in encoding.transducer.arcs
        if matches(arc.input, label, attributes)
    ]
    finals = [ending.state for ending in encoding.transducer.endings]
    return Nfa(len(encoding.labels) * size, [0], finals, arcs)
