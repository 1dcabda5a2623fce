"""Encodings by name, for the labels of a corpus: chunk schemes and orders."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from lawful.encodings.encoding import Encoding
from lawful.encodings.schemes import history_encoding, identity_encoding, scheme_encoding
from lawful.errors import InputError
from lawful.schemes.table import SCHEMES, Scheme

__all__ = ["NAMES", "encoding_named", "guess_source", "types_of"]

NAMES = ("canonical", *SCHEMES, "order2", "order3")
"""The names that `encoding_named` knows; any other order works, too."""

_ORDER = re.compile(r"order[ -]?(\d+)")
_GUESSES = ("IOB2", "IOBES", "BILOU", "BMES", "BMEWO", "IOE2", "IOB1", "IOE1", "IO")

Labellings = Sequence[Sequence[str]]


def encoding_named(
    name: str, labels: Labellings, *, source: str | None = None, separator: str = "-"
) -> Encoding:
    """The encoding of that name for the labels of a corpus.

    Parameters
    ----------
    name : str
        A chunk scheme, for labels that are chunks; "order2", "order3", ... for each label with those before it;
        "canonical" for the labels themselves, in sequences that the chunk scheme allows if they are chunks.
    labels : sequence of label sequences
        The canonical labels.
    source : str, optional
        The chunk scheme of the labels; the one that they break least if not given.
    separator : str
        What stands between tag and type.

    Examples
    --------
    >>> gold = [["B-PER", "I-PER", "O"]]
    >>> encoding_named("BILOU", gold).encode(gold[0])
    ('B-PER', 'L-PER', 'O')
    >>> encoding_named("order2", gold).encode(gold[0])
    ('B-PER.^', 'I-PER.B-PER', 'O.I-PER')
    """
    known = sorted({label for sequence in labels for label in sequence})
    order = _ORDER.fullmatch(name)
    if order:
        return history_encoding(known, int(order[1]))
    if name not in NAMES:
        raise InputError(
            f"unknown encoding {name!r}; the encodings are {', '.join(NAMES)}, or a file that lawful search wrote"
        )
    scheme = guess_source(labels, separator=separator) if source is None else source
    if scheme is None:
        if name == "canonical":
            return identity_encoding(known)
        odd = next(label for label in known if SCHEMES["IOBES"].split(label, separator) is None)
        raise InputError(
            f"the labels are no chunks of any scheme ({odd!r} is none), so they cannot be written as {name}; "
            "types without tags become chunks with `lawful convert --from flat`"
        )
    if scheme not in SCHEMES:
        raise InputError(f"unknown scheme {scheme!r}; the schemes are {', '.join(SCHEMES)}")
    types = types_of(labels, scheme, separator=separator)
    return scheme_encoding(scheme, scheme if name == "canonical" else name, types, separator=separator)


def guess_source(labels: Labellings, *, separator: str = "-") -> str | None:
    """The chunk scheme whose tags all labels have and whose order they break least; None if there is none.

    Examples
    --------
    >>> guess_source([["B-NP", "I-NP", "O"]]), guess_source([["I-NP", "B-NP", "O"]]), guess_source([["noun"]])
    ('IOB2', 'IOB1', None)
    """
    distinct = {label for sequence in labels for label in sequence}
    steps: dict[tuple[str, str], int] = {}
    for sequence in labels:
        whole = ("O", *sequence, "O")
        for pair in pairwise(whole):
            steps[pair] = steps.get(pair, 0) + 1
    fitting = [
        name
        for name in _GUESSES
        if all(SCHEMES[name].split(label, separator) is not None for label in distinct)
    ]
    if not distinct or not fitting:
        return None
    return min(fitting, key=lambda name: _illegal(SCHEMES[name], steps, separator))


def _illegal(scheme: Scheme, steps: dict[tuple[str, str], int], separator: str) -> int:
    total = 0
    for (before, after), count in steps.items():
        first, second = scheme.split(before, separator), scheme.split(after, separator)
        if (
            first is None
            or second is None
            or (first[0], second[0], first[1] == second[1]) not in scheme.legal
        ):
            total += count
    return total


def types_of(labels: Labellings, scheme: str, *, separator: str = "-") -> list[str]:
    """The types of chunks in labels, sorted; refuses labels that are no tags of the scheme.

    Examples
    --------
    >>> types_of([["B-PER", "O"], ["B-LOC"]], "IOB2"), types_of([["B", "O"]], "IOB2")
    (['LOC', 'PER'], [''])
    """
    types: set[str] = set()
    for number, sequence in enumerate(labels):
        for position, label in enumerate(sequence):
            parts = SCHEMES[scheme].split(label, separator)
            if parts is None:
                raise InputError(
                    f"label {label!r} at position {position} of sequence {number + 1} is none of {scheme}, whose tags are "
                    f"{', '.join(SCHEMES[scheme].tags)}"
                )
            if parts[0] != "O":
                types.add(parts[1])
    return sorted(types) or [""]
