"""Moves make encodings of encodings: every valid sequence comes back, as long as it was, and the reason is said where not."""

from __future__ import annotations

from collections import Counter
from itertools import product

import numpy as np
import pytest

from lawful.encodings import (
    Encoding,
    check_encoding,
    domain_of,
    identity_encoding,
    propose_move,
    scheme_encoding,
)
from lawful.encodings.moves.kinds import (
    MOVES,
    CopyFeatureForward,
    CopyStateForward,
    CopyTagForward,
    DelayOutput,
    NewTag,
    RelabelArc,
    SpecializeFeature,
    SpecializeTag,
    UnrollLoop,
    move_from_dict,
)
from lawful.errors import EncodingError

ATTRIBUTES = {"digit": 3, "upper": 1}


def looked_at(encoding: Encoding) -> Encoding:
    """The encoding, able to look at tokens."""
    return Encoding(
        encoding.transducer,
        labels=encoding.labels,
        name=encoding.name,
        attributes=lambda tokens: [
            {name for name in ATTRIBUTES if (str.isdigit if name == "digit" else str.isupper)(token)}
            for token in tokens
        ],
    )


STARTS = [
    looked_at(scheme_encoding("IOB1", "IOB1")),
    looked_at(scheme_encoding("IOB1", "IOE2")),
    looked_at(scheme_encoding("IOB2", "IOBES", ["X", "Y"])),
    looked_at(identity_encoding(["A", "B", "C"])),
]


@pytest.mark.parametrize("start", STARTS, ids=lambda encoding: encoding.name)
def test_a_walk_of_moves_stays_among_encodings(start: Encoding) -> None:
    rng = np.random.default_rng(7)
    valid = domain_of(start)
    kinds: Counter[str] = Counter()
    sequences = [
        path
        for length in range(1, 5)
        for path in product(range(len(start.labels)), repeat=length)
        if valid.accepts(path)
    ]
    for _ in range(6):
        encoding = start
        for _ in range(6):
            move, changed = propose_move(encoding, rng, valid=valid, attributes=ATTRIBUTES)
            assert move_from_dict(move.to_dict()) == move
            again = move.apply(encoding, valid)
            assert again.transducer.arcs == changed.transducer.arcs
            encoding = changed
            kinds[move.kind] += 1
        for _ in range(60):
            labels = start.labels.decode(sequences[rng.integers(len(sequences))])
            tokens = rng.choice(["1", "A", "a"], size=len(labels)).tolist()
            tags = encoding.encode(labels, tokens)
            assert len(tags) == len(labels)
            assert encoding.decode(tags) == (labels, 0)
    assert len(kinds) >= 6


@pytest.mark.parametrize("kind", MOVES)
def test_every_kind_of_move_is_found_somewhere(kind: str) -> None:
    rng = np.random.default_rng(3)
    for start in STARTS:
        try:
            move, changed = propose_move(
                start, rng, valid=domain_of(start), attributes=ATTRIBUTES, kinds=[kind]
            )
        except EncodingError:
            continue
        assert move.kind == kind and check_encoding(changed, domain_of(start)) == []
        return
    pytest.fail(f"no encoding suits {kind}")


IOB1 = scheme_encoding("IOB1", "IOB1")  # arcs: 0 I, 0 O, 1 B, 1 I, 1 O
CHUNKS = domain_of(IOB1)


def test_iob_becomes_iob2_and_ioe_by_moves() -> None:
    """Section 4.5.2 and 4.5.3 on the schemes of Figure 4.5."""
    states = [(arc.source, arc.input) for arc in IOB1.transducer.arcs]
    assert states == [(0, "I"), (0, "O"), (1, "B"), (1, "I"), (1, "O")]
    iob2 = RelabelArc(0, ("B",)).apply(IOB1, CHUNKS)
    wanted = scheme_encoding("IOB1", "IOB2")
    assert iob2.encode(["O", "I", "I", "B"]) == wanted.encode(["O", "I", "I", "B"]) == ("O", "B", "I", "B")
    delayed = DelayOutput(1, "I").apply(IOB1, CHUNKS)
    assert delayed.encode(["O", "I", "I", "B", "O"]) == ("O", "I", "B", "I", "O")  # B has become E
    assert delayed.delayed


@pytest.mark.parametrize(
    ("move", "reason"),
    [
        (NewTag(2, 0), "tag 'B' is written in one place only"),
        (SpecializeTag(2, 0), "tag 'B' is written in one place only"),
        (NewTag(9, 0), "there is no arc 9"),
        (NewTag(0, 1), "writes 1 tags, so there is none at 1"),
        (RelabelArc(2, ("I",)), "relabel arc would make no encoding: tags .* stand for"),
        (RelabelArc(2, ("I", "I")), "so it cannot write 2"),
        (RelabelArc(2, ("B",)), "already"),
        (RelabelArc(2, ("X",)), "tag 'X' is not in use"),
        (UnrollLoop(0, fresh=True), "is no loop"),
        (DelayOutput(0, "I"), "nothing leads into the start"),
        (DelayOutput(1, "O"), "delay output would make no encoding: tags .* stand for"),
        (CopyTagForward(1, "O", fresh=True), "nothing to tell apart"),
        (CopyStateForward(1, 5, fresh=True), "nothing to tell apart"),
        (CopyFeatureForward(7, "digit", fresh=True), "nothing leads into state 7"),
    ],
    ids=lambda value: getattr(value, "kind", None),
)
def test_what_does_not_suit_is_refused_with_the_reason(move: NewTag, reason: str) -> None:
    with pytest.raises(EncodingError, match=reason):
        move.apply(IOB1, CHUNKS)


def test_a_feature_is_looked_at_once() -> None:
    once = SpecializeFeature(0, "digit", fresh=False).apply(STARTS[0], CHUNKS)
    assert once.conditions == ("digit",)
    again = next(i for i, arc in enumerate(once.transducer.arcs) if str(arc.input) == "I[digit]")
    with pytest.raises(EncodingError, match="looks at 'digit' already"):
        SpecializeFeature(again, "digit", fresh=False).apply(once, CHUNKS)


def test_bad_data_and_unknown_moves_are_refused() -> None:
    with pytest.raises(EncodingError, match="no move"):
        move_from_dict({"kind": "jump"})
    with pytest.raises(EncodingError, match="unknown move 'jump'"):
        propose_move(IOB1, np.random.default_rng(0), kinds=["jump"])
    with pytest.raises(EncodingError, match="none of 1000 random moves suits"):
        propose_move(identity_encoding(["A"]), np.random.default_rng(0), kinds=["new tag"])


def test_moves_by_frequency_change_what_occurs() -> None:
    encoding = identity_encoding([f"L{number}" for number in range(30)])
    counts = {"L3": 100_000}
    chosen = [
        propose_move(encoding, np.random.default_rng(seed), label_counts=counts, kinds=["copy tag forward"])[
            0
        ]
        for seed in range(20)
    ]
    assert sum(getattr(move, "tag", "") == "L3" for move in chosen) >= 19
