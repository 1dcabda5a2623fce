"""The hand-crafted chunk encoding of Loper's Figures 4.1 and 4.2: chunks are proper, numeric or other."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from lawful.automata.transducers.transducer import Ending, Transducer, TransducerArc
from lawful.encodings.encoding import Attributes, Encoding
from lawful.encodings.schemes import scheme_encoding
from lawful.encodings.symbols import FeatureSymbol

__all__ = ["hand_crafted_encoding"]

# What is known of a chunk while it is read, if it is of the kind that its tags say: by the kind of a token, what is known
# next. A chunk may end where that is in CLOSED. "proper": a name; "number"; "noun"; "rest".
PROPER, NUMERIC, OTHER = "1", "2", "3"
_KNOWN = {
    PROPER: {
        "no name yet": {
            "proper": "a name",
            "number": "no name yet",
            "noun": "no name yet",
            "rest": "no name yet",
        },
        "a name": {"proper": "a name", "number": "a name", "noun": "a name", "rest": "a name"},
    },
    NUMERIC: {
        "no number yet": {"number": "a number", "rest": "no number yet"},
        "a number": {"number": "a number", "rest": "a number"},
    },
    OTHER: {
        "neither": {"number": "a number", "noun": "a noun", "rest": "neither"},
        "a number": {"number": "a number", "noun": "a noun", "rest": "a number"},
        "a noun": {"number": "a noun", "noun": "a noun", "rest": "a noun"},
    },
}
_FIRST = {PROPER: "no name yet", NUMERIC: "no number yet", OTHER: "neither"}
_CLOSED = {(PROPER, "a name"), (NUMERIC, "a number"), (OTHER, "neither"), (OTHER, "a noun")}
_OUTSIDE = 0


def hand_crafted_encoding(
    attributes: Attributes | None = None,
    *,
    names: Sequence[str] = ("pos=NNP", "pos=NNPS"),
    numbers: Sequence[str] = ("pos=CD",),
    nouns: Sequence[str] = ("pos=NN", "pos=NNS"),
) -> Encoding:
    """IOB1 chunks whose tags tell their kind: I.1 and B.1 with a name, I.2 and B.2 with a number but no noun, I.3 and B.3.

    The figure's "CC" stands for CD, and O is not split. Which kind a chunk is of shows perhaps only at its last token, so the
    transducer guesses it at the first one, and a guess that does not come true leads nowhere.

    Parameters
    ----------
    attributes : function of tokens, optional
        The attributes of each token: `features.attributes` of some `Features`.
    names, numbers, nouns : sequences of str
        The attributes that say what a token is.

    Examples
    --------
    >>> def attributes(tokens):
    ...     return [{f"pos={token}"} for token in tokens]
    >>> encoding = hand_crafted_encoding(attributes)
    >>> encoding.encode(["I", "I", "B", "O", "I"], ["DT", "NNP", "CD", "VBD", "PRP"])
    ('I.1', 'I.1', 'B.2', 'O', 'I.3')
    """
    state = {(kind, known): 1 + number for number, (kind, known) in enumerate(_inside())}
    tokens = {"proper": names, "number": numbers, "noun": nouns}
    told = [attribute for of_kind in tokens.values() for attribute in of_kind]

    def conditions(sort: str) -> Iterator[tuple[tuple[str, ...], tuple[str, ...]]]:
        """What attributes a kind of token has and lacks, one way after the other; no two ways fit the same token."""
        if sort == "rest":
            yield (), tuple(told)
        for attribute in tokens.get(sort, ()):
            yield (attribute,), tuple(told[: told.index(attribute)])

    arcs = [TransducerArc(_OUTSIDE, "O", _OUTSIDE, ("O",))]
    endings = [Ending(_OUTSIDE)]

    def add(source: int, label: str, kind: str, known: str) -> None:
        for sort, then in _KNOWN[kind][known].items():
            for required, forbidden in conditions(sort):
                symbol = FeatureSymbol.of(label, required, forbidden)
                arcs.append(TransducerArc(source, symbol, state[kind, then], (f"{label}.{kind}",)))

    for kind, first in _FIRST.items():
        add(_OUTSIDE, "I", kind, first)
    for (kind, known), number in state.items():
        add(number, "I", kind, known)
        if (kind, known) in _CLOSED:
            endings.append(Ending(number))
            arcs.append(TransducerArc(number, "O", _OUTSIDE, ("O",)))
            for other, first in _FIRST.items():
                add(number, "B", other, first)
    return Encoding(
        Transducer(arcs, endings),
        labels=scheme_encoding("IOB1", "IOB1").labels,
        name="hand-crafted chunks",
        attributes=attributes,
    )


def _inside() -> Iterator[tuple[str, str]]:
    for kind, states in _KNOWN.items():
        for known in states:
            yield kind, known
