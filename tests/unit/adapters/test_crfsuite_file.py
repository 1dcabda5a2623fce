"""The binary format: what is read is what was trained, and whatever is wrong with a file is said before it is used."""

from __future__ import annotations

import struct
from pathlib import Path

import numpy as np
import pycrfsuite
import pytest

from lawful.adapters.crfsuite.model_file import MOST_LABELS, read_weights
from lawful.errors import (
    DamagedFileError,
    ForeignFileError,
    ModelFileError,
    NewerFormatError,
    TruncatedFileError,
)

ODD_NAMES = ["line\nbreak", "tab\there", "größe", "emoji 🙂", " ", "", "a:b:c", "--> ", "}", "x" * 5000]
HEADER = ["features", "labels", "attributes", "FEAT", "label names", "attribute names", "LFRF", "AFRF"]


def train(path: Path, corpus: list, **parameters: object) -> Path:
    trainer = pycrfsuite.Trainer(verbose=False, params=parameters)
    for items, labels in corpus:
        trainer.append(items, labels)
    trainer.train(str(path))
    return path


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    rng = np.random.default_rng(3)
    labels = ["N", "V", "Ünsicher", "O"]
    words: list[str | bytes] = [*ODD_NAMES, "a", "b", b"\xff\xfe bytes"]
    corpus = []
    for _ in range(40):
        items = [[words[i] for i in row] for row in rng.integers(len(words), size=(6, 3))]
        corpus.append((items, [str(one) for one in rng.choice(labels, size=6)]))
    return train(tmp_path_factory.mktemp("model") / "m", corpus, c1=0.0, c2=0.1).read_bytes()


def places(model: bytes) -> dict[str, int]:
    return dict(zip(HEADER, struct.unpack_from("<8I", model, 16), strict=True))


def with_word(model: bytes, offset: int, value: int) -> bytes:
    return model[:offset] + struct.pack("<I", value) + model[offset + 4 :]


def test_weights_are_those_of_the_text_dump_but_for_its_rounding(tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    corpus = [
        (
            [[f"w{w}", f"s{w % 7}"] for w in rng.integers(50, size=8)],
            [f"L{k}" for k in rng.integers(5, size=8)],
        )
        for _ in range(50)
    ]
    path = train(tmp_path / "m", corpus, c1=0.2, c2=0.01)
    tagger = pycrfsuite.Tagger()
    tagger.open(str(path))
    info, ours = tagger.info(), read_weights(path.read_bytes())
    assert list(ours.labels) == tagger.labels()
    assert {name: int(number) for name, number in info.attributes.items()} == {
        name: number for number, name in enumerate(ours.attributes)
    }
    owners = np.repeat(np.arange(len(ours.attributes)), np.diff(ours.row_starts))
    found = {
        (ours.attributes[a], ours.labels[k]): weight
        for a, k, weight in zip(owners, ours.targets, ours.weights, strict=True)
    }
    assert found.keys() == info.state_features.keys()
    for key, weight in info.state_features.items():
        assert found[key] == pytest.approx(weight, abs=5.1e-7)
    steps = np.zeros((5, 5))
    for (a, b), weight in info.transitions.items():
        steps[ours.labels.index(a), ours.labels.index(b)] = weight
    np.testing.assert_allclose(ours.transitions, steps, atol=5.1e-7, rtol=0)
    assert (steps == 0).any()  # L1 took some away: they must be 0, not forbidden
    assert np.isfinite(ours.transitions).all()


def test_names_may_hold_anything_but_zero_bytes(model: bytes) -> None:
    names = read_weights(model).attributes
    assert set(ODD_NAMES) < set(names)
    assert b"\xff\xfe bytes".decode("utf-8", "surrogateescape") in names
    assert "Ünsicher" in read_weights(model).labels


@pytest.mark.parametrize("content", [b"", b"PK\x03\x04 a zip file", b"# text\n" * 20, b"\0" * 100])
def test_a_foreign_file_is_refused(content: bytes) -> None:
    with pytest.raises(ForeignFileError, match="my file: not a CRFsuite model") as caught:
        read_weights(content, "my file")
    assert caught.value.path == "my file"


def test_other_kinds_and_versions_are_refused(model: bytes) -> None:
    with pytest.raises(ForeignFileError, match="b'FOMX'"):
        read_weights(model[:8] + b"FOMX" + model[12:])
    with pytest.raises(ForeignFileError, match="version 99"):
        read_weights(with_word(model, 12, 99))
    with pytest.raises(NewerFormatError, match="version 101") as caught:
        read_weights(with_word(model, 12, 101))
    assert (caught.value.version, caught.value.known) == (101, 100)


def test_every_truncation_is_seen(model: bytes) -> None:
    for size in [1, 3, 4, 10, 47, 48, 49, 1000, len(model) // 2, len(model) - 1]:
        with pytest.raises(TruncatedFileError):
            read_weights(model[:size])


def test_bytes_at_the_end_are_damage(model: bytes) -> None:
    with pytest.raises(DamagedFileError, match="its header says"):
        read_weights(model + b"\n")


def test_too_many_labels_are_refused_before_anything_is_allocated(model: bytes) -> None:
    with pytest.raises(ModelFileError, match="labels; lawful reads") as caught:
        read_weights(with_word(model, 20, MOST_LABELS + 1))
    assert type(caught.value) is ModelFileError


@pytest.mark.parametrize("value", [0, 1, 2**31 - 1, 2**31, 2**32 - 1])
@pytest.mark.parametrize("place", HEADER[1:])
def test_a_wrong_header_is_damage(model: bytes, place: str, value: int) -> None:
    offset = 16 + 4 * HEADER.index(place)
    with pytest.raises(ModelFileError):
        read_weights(with_word(model, offset, value))


def test_lengths_and_numbers_inside_chunks_are_checked(model: bytes) -> None:
    at = places(model)
    wrong = [
        (at["FEAT"] + 4, 4),  # a chunk shorter than its header
        (at["FEAT"] + 8, 2**31),  # more features than fit
        (at["FEAT"] + 12, 7),  # a feature of an unknown kind
        (at["FEAT"] + 16, 2**20),  # ... of an unknown attribute
        (at["FEAT"] + 20, 2**20),  # ... for an unknown label
        (at["label names"] + 12, 0x71534462),  # the other byte order
        (at["label names"] + 20, 2**30),  # a table of names outside its chunk
        (at["attribute names"] + 24 + 2048, 5),  # a name of another number
        (at["attribute names"] + 24 + 2048 + 4, 0),  # a name without even its zero byte
        (at["attribute names"] + 24 + 2048 + 4, 2**31),  # a name longer than the file
        (at["AFRF"] + 8, 1),  # fewer lists than attributes
        (at["AFRF"] + 12, 2**32 - 4),  # a list outside its chunk
        (at["LFRF"] + 12, at["AFRF"]),  # ... inside another one
        (struct.unpack_from("<I", model, at["AFRF"] + 12)[0], 2**31),  # a list longer than its chunk
        (struct.unpack_from("<I", model, at["AFRF"] + 12)[0] + 4, 2**31),  # a list that names no feature
    ]
    for offset, value in wrong:
        with pytest.raises(DamagedFileError):
            read_weights(with_word(model, offset, value))


@pytest.mark.parametrize("weight", [float("nan"), float("inf"), -float("inf")])
def test_weights_are_finite(model: bytes, weight: float) -> None:
    offset = places(model)["FEAT"] + 12 + 12
    with pytest.raises(DamagedFileError, match="the weight of feature 0"):
        read_weights(model[:offset] + struct.pack("<d", weight) + model[offset + 8 :])


def test_flipped_bits_never_do_worse_than_raise_or_change_a_weight(model: bytes) -> None:
    """Whatever is damaged: a clear error, or a model of the same size (weights, hash tables and names have no checksum)."""
    rng = np.random.default_rng(1)
    whole = read_weights(model)
    refused = 0
    for offset, bit in zip(rng.integers(len(model), size=1500), rng.integers(8, size=1500), strict=True):
        damaged = bytearray(model)
        damaged[offset] ^= 1 << bit
        try:
            read = read_weights(bytes(damaged))
        except ModelFileError:
            refused += 1
        else:
            assert len(read.labels) == len(whole.labels)
            assert len(read.weights) == len(read.targets) == read.row_starts[-1]
            assert (read.targets < len(read.labels)).all()
    assert refused > 100
