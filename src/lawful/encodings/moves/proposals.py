"""Random moves for a search, by a seed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

import numpy as np

from lawful.automata.acceptor import Dfa
from lawful.encodings.encoding import Encoding
from lawful.encodings.moves.kinds import (
    MOVES,
    CopyFeatureForward,
    CopyStateForward,
    CopyTagForward,
    DelayOutput,
    Move,
    NewTag,
    RelabelArc,
    SpecializeFeature,
    SpecializeTag,
    UnrollLoop,
)
from lawful.encodings.symbols import label_of
from lawful.errors import EncodingError
from lawful.lattice.arrays import Floats

__all__ = ["propose_move"]

TRIES = 1000


def propose_move(
    encoding: Encoding,
    rng: np.random.Generator,
    *,
    valid: Dfa | None = None,
    attributes: Mapping[str, int] | None = None,
    kinds: Sequence[str] | None = None,
    label_counts: Mapping[str, int] | None = None,
) -> tuple[Move, Encoding]:
    """A random move that suits an encoding, and the encoding after it.

    A kind of move is drawn, then its arc or state, then the rest; what does not suit is drawn again.

    Parameters
    ----------
    encoding : Encoding
    rng : numpy Generator
    valid : Dfa, optional
        The valid label sequences, as `check_encoding` takes them.
    attributes : mapping from attribute to count, optional
        The attributes of tokens that moves may look at, drawn in proportion to how often they occur. None: no such moves.
    kinds : sequence of str, optional
        The kinds of moves to draw from; all if not given.
    label_counts : mapping from label to count, optional
        How often each label occurs: arcs and tags are then drawn in proportion to it, all alike if not given. Where there are dozens of
        labels, most of which are rare, most moves would change next to nothing.

    Examples
    --------
    >>> from lawful.encodings import identity_encoding
    >>> move, changed = propose_move(identity_encoding(["A", "B"]), np.random.default_rng(2))
    >>> len(changed.tags) >= 2
    True
    """
    names = [name for name in kinds or MOVES if attributes or "feature" not in name]
    unknown = [name for name in names if name not in MOVES]
    if unknown:
        raise EncodingError(f"unknown move {unknown[0]!r}; the moves are {', '.join(MOVES)}")
    shares = None if label_counts is None else _shares(encoding, label_counts)
    for _ in range(TRIES):
        move = _draw(names[rng.integers(len(names))], encoding, rng, attributes or {}, shares)
        try:
            return move, move.apply(encoding, valid)
        except EncodingError:
            continue  # it does not suit: a precondition fails, or the result is no encoding
    raise EncodingError(f"none of {TRIES} random moves suits the encoding")


def _shares(encoding: Encoding, label_counts: Mapping[str, int]) -> Floats:
    """How often each arc is to be drawn: as often as its label, of which the arcs that read it have equal parts."""
    labels = [label_of(arc.input) for arc in encoding.transducer.arcs]
    reading = Counter(labels)
    counts = np.array([(1 + label_counts.get(label, 0)) / reading[label] for label in labels])
    shares: Floats = counts / counts.sum()
    return shares


def _draw(
    kind: str,
    encoding: Encoding,
    rng: np.random.Generator,
    attributes: Mapping[str, int],
    shares: Floats | None,
) -> Move:
    transducer = encoding.transducer

    def draw_arc() -> int:
        return int(
            rng.integers(len(transducer.arcs)) if shares is None else rng.choice(len(shares), p=shares)
        )

    arc = draw_arc()
    state = int(rng.integers(transducer.states))
    fresh = bool(rng.integers(2))
    tags = list(encoding.tags)
    tag = tags[rng.integers(len(tags))]
    if shares is not None and (written := transducer.arcs[draw_arc()].output):
        tag = str(written[0])
    at = int(rng.integers(max(1, len(transducer.arcs[arc].output))))
    if kind == NewTag.kind:
        return NewTag(arc, at)
    if kind == SpecializeTag.kind:
        return SpecializeTag(arc, at)
    if kind == RelabelArc.kind:
        return RelabelArc(arc, tuple(tags[rng.integers(len(tags))] for _ in transducer.arcs[arc].output))
    if kind == UnrollLoop.kind:
        return UnrollLoop(arc, fresh)
    if kind == DelayOutput.kind:
        return DelayOutput(state, tag)
    if kind == CopyTagForward.kind:
        return CopyTagForward(state, tag, fresh)
    if kind == CopyStateForward.kind:
        return CopyStateForward(state, int(rng.integers(transducer.states)), fresh)
    names, counts = list(attributes), np.array([*attributes.values()], dtype=np.float64)
    attribute = names[rng.choice(len(names), p=counts / counts.sum())]
    if kind == CopyFeatureForward.kind:
        return CopyFeatureForward(state, attribute, fresh)
    return SpecializeFeature(arc, attribute, fresh)
