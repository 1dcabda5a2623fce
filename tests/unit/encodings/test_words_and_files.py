"""Encodings in words, by name, and in files; and transducers that write in time."""

from __future__ import annotations

import json
from itertools import product
from pathlib import Path

import numpy as np
import pytest

from benchmarks.encodings.agreement import encodings, random_encodings
from lawful.automata import Transducer, synchronize
from lawful.encodings import (
    Encoding,
    FeatureSymbol,
    describe_encoding,
    encoding_named,
    guess_source,
    history_encoding,
    read_encoding,
    scheme_encoding,
    write_encoding,
)
from lawful.errors import EncodingError, FileError, InputError, MachineError
from lawful.models.features import Features, word
from lawful.schemes import SCHEMES

# --- in time -----------------------------------------------------------------------------------------------


def same_rewritings(machine: Transducer, other: Transducer) -> bool:
    return all(
        machine.rewritings(symbols) == other.rewritings(symbols)
        for length in range(5)
        for symbols in product(machine.inputs, repeat=length)
    )


def test_a_synchronous_machine_rewrites_alike() -> None:
    rng = np.random.default_rng(2)
    made = random_encodings(rng)
    some = [encoding for encoding in encodings() if len(encoding.transducer.inputs) < 5]
    for encoding in [*some, *(next(made) for _ in range(10))]:
        machine = synchronize(encoding.transducer)
        assert all(len(arc.output) == 1 for arc in machine.arcs) and not any(
            e.output for e in machine.endings
        )
        if len(machine.inputs) < 6:
            assert same_rewritings(machine, encoding.transducer), encoding


def test_what_is_written_early_is_stored() -> None:
    early = Transducer([(0, "a", 1, "xy"), (1, "b", 0, ()), (1, "c", 2, "z"), (2, "b", 0)], [(0,)])
    machine = synchronize(early)
    assert machine.rewrite("abacb") == tuple("xyxyz")
    assert same_rewritings(machine, early)


def test_a_machine_that_changes_lengths_cannot_be_synchronous() -> None:
    with pytest.raises(MachineError, match="as many symbols as it reads"):
        synchronize(Transducer([(0, "a", 0, "xx")], [(0,)]))
    with pytest.raises(MachineError, match="more than 3 states"):
        synchronize(history_encoding(["A", "B"], 3).transducer, limit=3)


# --- in words ----------------------------------------------------------------------------------------------


def test_words_say_what_each_part_remembers() -> None:
    lines = describe_encoding(history_encoding(["A", "B"], 2)).splitlines()
    assert lines[0] == "2 labels as 6 tags"
    assert lines[1:5] == ["A is split into", "  A.A  after A", "  A.B  after B", "  A.^  at the start"]
    third = describe_encoding(history_encoding(["A", "B"], 3))
    assert "  A.B.A  after A B" in third and "  A.B.^  after B at the start" in third
    split = Encoding(
        Transducer(
            [
                (0, FeatureSymbol.of("I", ["word=Ann"], ["word=Bo"]), 0, ["I.1"]),
                (0, FeatureSymbol.of("I", (), ["word=Ann"]), 0, ["I.2"]),
                (0, "O", 0, ["out"]),
            ],
            [(0,)],
        )
    )
    assert describe_encoding(split).splitlines()[1:] == [
        "I is split into",
        "  I.1  on tokens with word=Ann and without word=Bo",
        "  I.2  on tokens without word=Ann",
        "O becomes out",
    ]


def test_words_admit_what_they_cannot_say() -> None:
    rest = Transducer(  # the parity of all labels so far
        [(0, "A", 1, ["A.1"]), (1, "A", 0, ["A.2"])], [(0,), (1,)]
    )
    assert "depending on more than the last 3 labels" in describe_encoding(Encoding(rest))


# --- by name -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "scheme", sorted({"IOB1", "IOB2", "IOE1", "IOE2", "IOBES", "BILOU", "BMES", "BMEWO"})
)
def test_the_scheme_of_labels_is_guessed(scheme: str) -> None:
    chunks = ["B-X", "I-X", "B-X", "O", "B-Y", "B-X", "I-X", "I-X"]
    labels = scheme_encoding("IOB2", scheme, ["X", "Y"]).encode(chunks)
    assert guess_source([labels]) == scheme
    assert encoding_named("IOB2", [labels]).encode(labels) == tuple(chunks)


def test_names_that_do_not_fit_are_refused() -> None:
    with pytest.raises(InputError, match="unknown encoding 'IOBX'; the encodings are canonical, IO, "):
        encoding_named("IOBX", [["O"]])
    with pytest.raises(InputError, match="no chunks of any scheme \\('noun' is none\\)"):
        encoding_named("IOBES", [["noun", "B-x"]])
    with pytest.raises(InputError, match="label 'B_x' at position 1 of sequence 1 is none of IOB2"):
        encoding_named("IOBES", [["O", "B_x"]], source="IOB2")
    assert encoding_named("IOBES", [["O", "B_x"]], separator="_").encode(["B_x"]) == ("S_x",)
    assert encoding_named("canonical", [["noun"]]).encode(["noun"]) == ("noun",)
    with pytest.raises(InputError, match="order must be"):
        encoding_named("order0", [["noun"]])
    assert set(SCHEMES) < set(encoding_named.__globals__["NAMES"])


# --- in files ----------------------------------------------------------------------------------------------


def test_a_file_keeps_an_encoding(tmp_path: Path) -> None:
    path = tmp_path / "encoding.json"
    looking = Encoding(
        Transducer(
            [
                (0, FeatureSymbol.of("I", ["word=Ann"]), 0, ["I.ü"]),
                (0, FeatureSymbol.of("I", (), ["word=Ann"]), 0, ["I.2"]),
            ],
            [(0,)],
        ),
        attributes=Features(word()).attributes,
    )
    write_encoding(looking, path)
    assert read_encoding(path).encode(["I", "I"], ["Ann", "x"]) == ("I.ü", "I.2")


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda data: b"", "it is no JSON"),
        (lambda data: data[: len(data) // 2], "it is no JSON"),
        (
            lambda data: data.replace(b'"version": 1', b'"version": 9'),
            "has version 9 of the format, but this lawful reads 1",
        ),
        (lambda data: data.replace(b"lawful encoding", b"something"), "is no encoding that lawful wrote"),
        (lambda data: b"[" * 100_000, "it is no JSON"),
        (lambda data: data.replace(b'"arcs"', b'"arks"'), "these data are no encoding"),
        (lambda data: data.replace(b'"E"', b'"I"'), "it is no encoding: tags"),
    ],
)
def test_damaged_files_are_refused(tmp_path: Path, change: object, message: str) -> None:
    path = tmp_path / "encoding.json"
    write_encoding(scheme_encoding("IOB1", "IOE1"), path)
    assert json.loads(path.read_bytes())["format"] == "lawful encoding"
    path.write_bytes(change(path.read_bytes()))  # type: ignore[operator]
    with pytest.raises(EncodingError, match=message):
        read_encoding(path)
    with pytest.raises(FileError, match=r"no\.json"):
        read_encoding(tmp_path / "no.json")
