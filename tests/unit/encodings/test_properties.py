"""What makes a transducer an encoding, and examples where it is none; judged by enumerating short sequences."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import assume, given, settings, strategies as st

from lawful.automata import Ending, Transducer, TransducerArc, trim_transducer
from lawful.encodings import (
    Encoding,
    FeatureSymbol,
    check_encoding,
    domain_of,
    history_encoding,
    identity_encoding,
    require_encoding,
    scheme_encoding,
)
from lawful.errors import EncodingError
from lawful.schemes import SCHEMES

LABELS, TAGS = ["A", "B"], ["x", "y", "z"]


@st.composite
def candidates(draw: st.DrawFn) -> Encoding:
    state = st.integers(0, 2)
    output = st.lists(st.sampled_from(TAGS), max_size=2).map(tuple)
    symbol = st.sampled_from(LABELS)
    arcs = draw(st.lists(st.builds(TransducerArc, state, symbol, state, output), min_size=2, max_size=7))
    endings = draw(st.lists(st.builds(Ending, state, output), min_size=1, max_size=3))
    transducer = trim_transducer(Transducer(arcs, endings))
    assume(transducer.outputs)
    return Encoding(transducer, labels=LABELS)


@settings(max_examples=300, deadline=None)
@given(candidates())
def test_flaws_are_found_where_there_are_any(encoding: Encoding) -> None:
    flaws = {flaw.property: flaw for flaw in check_encoding(encoding)}
    words = [word for length in range(6) for word in product(LABELS, repeat=length)]
    ways = {word: [way.output for way in encoding.transducer.rewritings(word)] for word in words}
    written = [tags for outputs in ways.values() for tags in outputs]
    if "length" not in flaws:
        assert all(len(tags) == len(word) for word, outputs in ways.items() for tags in outputs)
        if "inverse" not in flaws:
            assert len(set(written)) == len(written)
        else:
            assert len(encoding.inverse.rewritings(flaws["inverse"].example)) > 1
    else:
        assert flaws["length"].message
    if "domain" not in flaws:
        assert all(ways.values())
    else:
        assert not encoding.transducer.rewritings(flaws["domain"].example)


@pytest.mark.parametrize("target", [name for name in SCHEMES if name != "IO"])
@pytest.mark.parametrize("types", [("",), ("X", "Y", "Z")])
def test_schemes_are_encodings_of_chunks(target: str, types: tuple[str, ...]) -> None:
    chunks = domain_of(scheme_encoding("IOB1", "IOB1", types))
    assert check_encoding(scheme_encoding("IOB1", target, types), chunks) == []


def test_histories_and_the_canonical_encoding_are_encodings_of_everything() -> None:
    assert check_encoding(identity_encoding(["A", "B", "C"])) == []
    assert check_encoding(history_encoding(["A", "B", "C"], 3)) == []


def test_a_domain_too_large_or_too_small_is_shown() -> None:
    [flaw] = check_encoding(scheme_encoding("IOB1", "IOB2"))
    assert flaw == ("domain", ("B",), "labels ('B',) are valid, but cannot be encoded")
    chunks = domain_of(scheme_encoding("IOB1", "IOB1"))
    [flaw] = check_encoding(identity_encoding(["O", "I", "B"]), chunks)
    assert flaw.message == "labels ('B',) are not valid, but have tags"


def test_conditions_must_cover_all_tokens() -> None:
    noun, other = FeatureSymbol.of("A", ["noun"]), FeatureSymbol.of("A", (), ["noun"])
    half = Encoding(Transducer([(0, noun, 0, ["A.1"])], [(0,)]))
    [flaw] = check_encoding(half)
    assert flaw.message == "labels ('A',) on tokens with [[]] are valid, but cannot be encoded"
    whole = Transducer([(0, noun, 0, ["A.1"]), (0, other, 0, ["A.2"])], [(0,)])
    assert check_encoding(Encoding(whole)) == []


def test_an_ending_that_writes_too_much_is_shown() -> None:
    [flaw] = check_encoding(Encoding(Transducer([(0, "A", 0, ["x"])], [(0, ["y"])])))
    assert flaw.property == "length" and flaw.message == "() gets 1 tags"
    with pytest.raises(EncodingError, match=r"this transducer is no encoding: \(\) gets 1 tags"):
        require_encoding(Encoding(Transducer([(0, "A", 0, ["x"])], [(0, ["y"])])))


def test_a_machine_that_writes_nothing_is_refused() -> None:
    with pytest.raises(EncodingError, match="writes nothing"):
        Encoding(Transducer([(0, "A", 0)], [(0,)]))


def test_too_many_conditions_are_refused_not_tried() -> None:
    arcs = [(0, FeatureSymbol.of("A", [f"a{i}"]), 0, ["x"]) for i in range(30)]
    with pytest.raises(EncodingError, match="looks at 30 attributes"):
        check_encoding(Encoding(Transducer(arcs, [(0,)])))
