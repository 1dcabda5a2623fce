"""Schemes and histories as encodings, beside the converter, and repairs beside all that could be repaired to."""

from __future__ import annotations

from itertools import product

import pytest

from lawful.automata import Transducer, find_ambiguity
from lawful.encodings import (
    Encoding,
    FeatureSymbol,
    check_encoding,
    domain_of,
    hand_crafted_encoding,
    history_encoding,
    identity_encoding,
    repairing_transducer,
    scheme_encoding,
)
from lawful.errors import EncodingError, InputError, MachineError
from lawful.schemes import convert_labels
from lawful.testing.chunk_schemes import count_illegal_steps

NAMES = ["IOB1", "IOB2", "IOE1", "IOE2", "IOBES", "BILOU", "BMES", "BMEWO"]
TYPES = {"plain": ("",), "labelled": ("X", "Y")}
LONGEST = {"plain": 5, "labelled": 4}


def sequences(encoding: Encoding, longest: int) -> list[tuple[str, ...]]:
    return [labels for length in range(longest + 1) for labels in product(encoding.labels, repeat=length)]


@pytest.mark.parametrize("kind", TYPES)
@pytest.mark.parametrize("target", [*NAMES, "IO"])
@pytest.mark.parametrize("source", [*NAMES, "IO"])
def test_a_scheme_encodes_as_the_converter_converts(source: str, target: str, kind: str) -> None:
    encoding = scheme_encoding(source, target, TYPES[kind])
    for labels in sequences(encoding, LONGEST[kind] - (len(encoding.labels) > 5)):
        if count_illegal_steps(labels, source):
            with pytest.raises(EncodingError):
                encoding.encode(labels)
        else:
            assert list(encoding.encode(labels)) == convert_labels(labels, source, target)


@pytest.mark.parametrize("target", NAMES)
@pytest.mark.parametrize("source", NAMES)
def test_what_was_encoded_is_decoded_without_repairs(source: str, target: str) -> None:
    encoding = scheme_encoding(source, target)
    assert find_ambiguity(encoding.inverse) is None
    for labels in sequences(encoding, 5):
        if not count_illegal_steps(labels, source):
            assert encoding.decode(encoding.encode(labels)) == (labels, 0)


def test_io_forgets_where_chunks_end() -> None:
    ambiguity = find_ambiguity(scheme_encoding("IOB1", "IO").inverse)
    assert ambiguity is not None and ambiguity.symbols == ("I", "I")


def test_only_schemes_that_look_ahead_are_late() -> None:
    late = {name for name in NAMES if scheme_encoding("IOB1", name).delayed}
    assert late == {"IOE1", "IOE2", "IOBES", "BILOU", "BMES", "BMEWO"}
    assert set(scheme_encoding("IOB1", "IOE1").offsets.values()) == {0, 1}
    assert not scheme_encoding("IOBES", "IOB1").delayed


@pytest.mark.parametrize("target", NAMES)
def test_any_tags_decode_with_the_fewest_repairs(target: str) -> None:
    encoding = scheme_encoding("IOB1", target)
    written = {
        encoding.encode(labels): labels
        for labels in sequences(encoding, 4)
        if not count_illegal_steps(labels, "IOB1")
    }
    for tags in product(encoding.tags, repeat=4):
        decoded = encoding.decode(tags)
        distance = {legal: sum(map(str.__ne__, tags, legal)) for legal in written if len(legal) == len(tags)}
        fewest = min(distance.values())
        assert decoded.repairs == fewest
        assert decoded.labels in {written[legal] for legal, repairs in distance.items() if repairs == fewest}


@pytest.mark.parametrize("target", ["IOB1", "IOB2", "IOE1", "IOE2"])
def test_one_machine_can_do_all_repairs(target: str) -> None:
    encoding = scheme_encoding("IOB1", target)
    machine = repairing_transducer(encoding.inverse)
    for tags in product(encoding.tags, repeat=5):
        (way,) = machine.rewritings(tags)
        assert way.weight == encoding.decode(tags).repairs
        repaired = encoding.encode(tuple(map(str, way.output)))
        assert sum(map(str.__ne__, tags, repaired)) == way.weight


def test_not_every_encoding_has_a_machine_for_its_repairs() -> None:
    with pytest.raises(MachineError, match="more than 500 states, perhaps no end of them"):
        repairing_transducer(scheme_encoding("IOB1", "IOBES").inverse, limit=500)


@pytest.mark.parametrize("order", [1, 2, 3])
def test_a_history_is_a_label_with_those_before_it(order: int) -> None:
    encoding = history_encoding(["A", "B", "C"], order)
    for labels in sequences(encoding, 5):
        padded = ("^",) * (order - 1) + labels
        expected = tuple(".".join(reversed(padded[t : t + order])) for t in range(len(labels)))
        assert encoding.encode(labels) == expected
        assert encoding.decode(expected) == (labels, 0)


# Figure 4.1 of the dissertation: a chunk is `proper` if any of its words is. The machine must guess, then see.
PROPER = Transducer(
    [
        (0, "O", 0, ["O"]),
        *[(0, symbol, 1, ["I.proper"]) for symbol in [FeatureSymbol.of("I", ["NNP"])]],
        *[(0, symbol, 2, ["I.proper"]) for symbol in [FeatureSymbol.of("I", (), ["NNP"])]],
        *[(0, symbol, 3, ["I.other"]) for symbol in [FeatureSymbol.of("I", (), ["NNP"])]],
        (1, "I", 1, ["I.proper"]),
        (1, "O", 0, ["O"]),
        (2, FeatureSymbol.of("I", ["NNP"]), 1, ["I.proper"]),
        (2, FeatureSymbol.of("I", (), ["NNP"]), 2, ["I.proper"]),
        (3, FeatureSymbol.of("I", (), ["NNP"]), 3, ["I.other"]),
        (3, "O", 0, ["O"]),
    ],
    [(0,), (1,), (3,)],
)


def test_an_encoding_may_look_at_tokens_and_ahead() -> None:
    encoding = Encoding(PROPER, name="proper", attributes=lambda tokens: [{t} for t in tokens])
    assert encoding.conditions == ("NNP",)
    tokens = ["NN", "NNP", "NN", "DT", "NN"]
    tags = encoding.encode(["I", "I", "O", "I", "I"], tokens)
    assert tags == ("I.proper", "I.proper", "O", "I.other", "I.other")
    assert encoding.decode(tags) == (("I", "I", "O", "I", "I"), 0)
    assert encoding.decode(["I.proper", "I.other"]).repairs == 1


def test_what_is_wrong_is_named() -> None:
    encoding = scheme_encoding("IOB1", "IOE1")
    with pytest.raises(EncodingError, match="label 'B' at position 1 cannot stand there in IOE1 of IOB1"):
        encoding.encode(["O", "B"])
    with pytest.raises(EncodingError, match="'X' at position 0 is not one of the tags"):
        encoding.decode(["X"])
    with pytest.raises(EncodingError, match="looks at 'NNP' of tokens, but there are none"):
        Encoding(PROPER, attributes=lambda tokens: [{t} for t in tokens]).encode(["I"])
    with pytest.raises(EncodingError, match="needs attributes="):
        Encoding(PROPER).encode(["I"], ["NNP"])
    with pytest.raises(EncodingError, match="there are 1 labels but 2 tokens"):
        Encoding(PROPER, attributes=lambda tokens: [{t} for t in tokens]).encode(["I"], ["a", "b"])
    with pytest.raises(InputError, match="unknown scheme 'IOX'"):
        scheme_encoding("IOX", "IOB1")
    with pytest.raises(InputError, match="order must be"):
        history_encoding(["A"], 0)
    with pytest.raises(EncodingError, match="rename labels with dots"):
        history_encoding(["A", "B", "A.B", "B.B"], 2)
    with pytest.raises(EncodingError, match="not one of the labels"):
        Encoding(PROPER, labels=["O"])


def test_the_canonical_encoding_changes_nothing() -> None:
    assert identity_encoding(["A", "B"]).encode(["B", "A"]) == ("B", "A")
    assert not identity_encoding(["A", "B"]).delayed


KINDS_OF_TOKENS = ("DT", "NNP", "CD", "NN")


def kind_of(parts: tuple[str, ...]) -> str:
    """Figure 4.1, with CD for its CC."""
    if "NNP" in parts:
        return "1"
    return "2" if "CD" in parts and "NN" not in parts else "3"


def test_the_hand_crafted_encoding_is_that_of_figure_4_1() -> None:
    encoding = hand_crafted_encoding(lambda tokens: [{f"pos={token}"} for token in tokens])
    assert list(encoding.tags) == ["B.1", "B.2", "B.3", "I.1", "I.2", "I.3", "O"]
    assert check_encoding(encoding, domain_of(scheme_encoding("IOB1", "IOB1"))) == []
    for labels in (("I", "I", "B", "O"), ("O", "I", "I", "I"), ("I", "O", "I", "B")):
        for parts in product(KINDS_OF_TOKENS, repeat=4):
            expected = list(labels)
            starts = [
                t
                for t in range(4)
                if labels[t] == "B" or (labels[t] == "I" and (not t or labels[t - 1] == "O"))
            ]
            for start in starts:
                end = start + 1
                while end < 4 and labels[end] == "I":
                    end += 1
                for t in range(start, end):
                    expected[t] += f".{kind_of(parts[start:end])}"
            tags = encoding.encode(labels, parts)
            assert tags == tuple(expected)
            assert encoding.decode(tags) == (labels, 0)
