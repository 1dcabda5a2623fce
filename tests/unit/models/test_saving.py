"""Model files: bit for bit, byte for byte, and every way in which a file can be wrong."""

from __future__ import annotations

import contextlib
import io
import json
import os
import stat
import tracemalloc
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from lawful.errors import (
    DamagedFileError,
    DtypeError,
    ForeignFileError,
    InputError,
    ModelFileError,
    NewerFormatError,
    TruncatedFileError,
)
from lawful.models.saving import (
    FORMAT,
    SavedModel,
    open_model,
    pack_strings,
    read_model,
    unpack_strings,
    write_model,
)
from lawful.models.saving.layout import COMMENT_LENGTH, comment_for
from lawful.models.saving.reading import parse_model
from lawful.models.saving.writing import model_bytes

META = {"labels": ["O", "Größe", "\ud800"], "alpha": 0.1, "nothing": None, "deep": {"a": [1, 2.5, True]}}
ARRAYS = {
    "weights": np.array([[0.1, -np.inf, np.nan], [5e-324, -0.0, 1e308]]),
    "ids": np.arange(4, dtype=np.int32),
    "flags": np.array([True, False]),
    "none": np.zeros((0, 3), dtype=np.float32),
    "one": np.array(7, dtype=np.uint8),
}
SMALL = model_bytes("tiny", {"a": 1}, {"w": np.array([1.0, 2.0])})


def archive(
    members: dict[str, bytes], *, compression: int = zipfile.ZIP_STORED, sealed: bool = True
) -> bytes:
    """A zip file with these members, with our seal or without."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", compression) as made:
        for name, data in members.items():
            made.writestr(zipfile.ZipInfo(name), data, compress_type=compression)
        if sealed:
            made.comment = b" " * COMMENT_LENGTH
    data = buffer.getvalue()
    return data[:-COMMENT_LENGTH] + comment_for(data[:-COMMENT_LENGTH]) if sealed else data


def header(**changes: Any) -> bytes:
    fields = {
        "format": FORMAT,
        "format_version": 1,
        "kind": "tiny",
        "lawful_version": "0",
        "meta": {},
        "checksums": {},
    }
    return json.dumps(fields | changes).encode()


def npy_with_header(text: str, data: bytes = b"") -> bytes:
    padded = text.encode() + b"\n"
    return b"\x93NUMPY\x01\x00" + len(padded).to_bytes(2, "little") + padded + data


def with_array(data: bytes) -> bytes:
    from hashlib import sha256

    name = "arrays/w.npy"
    return archive({"model.json": header(checksums={name: sha256(data).hexdigest()}), name: data})


# --- what is written comes back -----------------------------------------------------------------------------


def test_a_model_comes_back_bit_for_bit(tmp_path: Path) -> None:
    path = tmp_path / "model.lawful"
    write_model(path, "tiny", META, ARRAYS)
    saved = read_model(path)
    assert (saved.kind, saved.meta, saved.format_version) == ("tiny", META, 1)
    assert set(saved.arrays) == set(ARRAYS)
    for name, array in ARRAYS.items():
        assert saved.arrays[name].dtype == array.dtype
        assert saved.arrays[name].shape == array.shape
        assert saved.arrays[name].tobytes() == array.tobytes()
        assert not saved.arrays[name].flags.writeable


def test_the_same_model_gives_the_same_bytes(tmp_path: Path) -> None:
    one, other = tmp_path / "one", tmp_path / "other"
    write_model(one, "tiny", META, ARRAYS)
    os.utime(one, (0, 0))
    backwards = dict(reversed(ARRAYS.items()))
    write_model(other, "tiny", dict(reversed(META.items())), backwards)
    assert one.read_bytes() == other.read_bytes()
    again = read_model(one)
    assert model_bytes(again.kind, again.meta, again.arrays) == one.read_bytes()


def test_order_and_byte_order_do_not_show() -> None:
    plain = np.arange(6, dtype=np.float64).reshape(2, 3)
    turned = np.asfortranarray(plain).astype(">f8")
    assert model_bytes("tiny", {}, {"w": plain}) == model_bytes("tiny", {}, {"w": turned})


def test_any_zip_tool_can_look_inside(tmp_path: Path) -> None:
    write_model(tmp_path / "m", "tiny", META, ARRAYS)
    with zipfile.ZipFile(tmp_path / "m") as opened:
        assert opened.testzip() is None
        assert json.loads(opened.read("model.json"))["kind"] == "tiny"
        loaded = np.load(io.BytesIO(opened.read("arrays/ids.npy")), allow_pickle=False)
    assert loaded.tolist() == [0, 1, 2, 3]


def test_strings_come_back() -> None:
    strings = ["", "a", "Größe", "\n", "\x00", "\ud800", "𝄞"]
    assert unpack_strings(*pack_strings(strings)) == strings
    assert unpack_strings(*pack_strings([])) == []


@pytest.mark.parametrize(
    ("text", "ends"), [(b"ab", [1]), (b"ab", [2, 1]), (b"ab", [-1, 2]), (b"ab", [3]), (b"\xff", [1])]
)
def test_packed_strings_that_do_not_fit_are_refused(text: bytes, ends: list[int]) -> None:
    with pytest.raises(InputError):
        unpack_strings(np.frombuffer(text, dtype=np.uint8), np.array(ends))


# --- writing ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("bad", [{"f": print}, {"f": float("nan")}, {"f": float("inf")}, {"f": {1, 2}}])
def test_what_json_cannot_say_is_refused_and_nothing_is_written(tmp_path: Path, bad: dict[str, Any]) -> None:
    with pytest.raises(InputError, match="must be data that JSON can hold"):
        write_model(tmp_path / "m", "tiny", bad, {})
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("bad", [np.array(["a"]), np.array([1j]), np.array([object()])])
def test_arrays_hold_numbers(bad: np.ndarray) -> None:
    with pytest.raises(DtypeError, match="'w'"):
        model_bytes("tiny", {}, {"w": bad})


@pytest.mark.parametrize("name", ["", "../w", "a/b", "ä", "." * 3, "x" * 101])
def test_names_of_arrays_are_plain(name: str) -> None:
    with pytest.raises(InputError, match="cannot be named"):
        model_bytes("tiny", {}, {name: [1.0]})


def test_a_write_that_fails_leaves_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "m"
    write_model(path, "tiny", {}, {})
    before = path.read_bytes()

    def full(_: int) -> None:
        raise OSError("no space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="no space"):
        write_model(path, "tiny", META, ARRAYS)
    assert path.read_bytes() == before
    assert list(tmp_path.iterdir()) == [path]


def test_a_file_has_the_usual_permissions(tmp_path: Path) -> None:
    (tmp_path / "usual").touch()
    write_model(tmp_path / "m", "tiny", {}, {})
    modes = {stat.S_IMODE(one.stat().st_mode) for one in tmp_path.iterdir()}
    assert len(modes) == 1


# --- damage -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("length", range(len(SMALL)))
def test_every_truncation_is_told(length: int) -> None:
    with pytest.raises((TruncatedFileError, DamagedFileError)):
        parse_model(SMALL[:length])


def test_a_truncated_file_is_called_that() -> None:
    for length in (0, 1, 3, 100, len(SMALL) // 2, len(SMALL) - COMMENT_LENGTH - 30, len(SMALL) - 1):
        with pytest.raises(TruncatedFileError, match=r"end is missing|is empty"):
            parse_model(SMALL[:length])


def test_every_flipped_byte_is_told() -> None:
    rng = np.random.default_rng(1)
    for place in range(len(SMALL)):
        flipped = bytearray(SMALL)
        flipped[place] ^= int(rng.integers(1, 256))
        with pytest.raises(ModelFileError):
            parse_model(bytes(flipped))


def test_random_damage_is_told() -> None:
    rng = np.random.default_rng(2)
    for _ in range(400):
        data = bytearray(SMALL)
        kind, place = rng.integers(3), int(rng.integers(len(data)))
        size = int(rng.integers(1, 40))
        if kind == 0:
            data[place : place + size] = rng.bytes(size)
        elif kind == 1:
            del data[place : place + size]
        else:
            data[place:place] = rng.bytes(size)
        if data == SMALL:
            continue
        with pytest.raises(ModelFileError):
            parse_model(bytes(data))


def test_random_damage_under_a_right_seal_is_told_or_harmless() -> None:
    """Somebody who can seal a file can write any numbers, but not crash a reader."""
    rng = np.random.default_rng(3)
    before = SMALL[:-COMMENT_LENGTH]
    for place in range(len(before)):
        data = bytearray(before)
        data[place] ^= 1 << int(rng.integers(8))
        with contextlib.suppress(ModelFileError):
            assert isinstance(parse_model(bytes(data) + comment_for(bytes(data))), SavedModel)


def test_bytes_after_the_end_are_told() -> None:
    with pytest.raises(ModelFileError):
        parse_model(SMALL + b"\n")


# --- other files --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "data",
    [
        b"hello",
        b"\x80\x04\x95",
        b"{}",
        archive({"a.txt": b"x"}),
        archive({"a.txt": b"x"}, sealed=False),
        archive({"model.json": b"{}"}, sealed=False),
        archive({"model.json": b'{"format": "another"}'}),
        archive({"model.json": b"[1]"}),
        archive({"a.txt": b"x", "model.json": header()}),
    ],
)
def test_foreign_files_are_called_that(data: bytes) -> None:
    with pytest.raises(ForeignFileError, match="not a model file"):
        parse_model(data)


@pytest.mark.parametrize("sealed", [True, False])
def test_newer_files_are_called_that(sealed: bool) -> None:
    data = archive({"model.json": header(format_version=9), "surprise": b"?"}, sealed=sealed)
    with pytest.raises(NewerFormatError, match="upgrade") as caught:
        parse_model(data, "later.lawful")
    assert (caught.value.version, caught.value.known, caught.value.path) == (9, 1, "later.lawful")


@pytest.mark.parametrize(
    "data",
    [
        archive({"model.json": header()}, sealed=False),
        archive({"model.json": header(format_version=0)}),
        archive({"model.json": header(format_version=True)}),
        archive({"model.json": header(format_version="2")}),
        archive({"model.json": header(kind=3)}),
        archive({"model.json": header(meta=[])}),
        archive({"model.json": header(checksums=None)}),
        archive({"model.json": header(checksums={"arrays/w.npy": "0"})}),
        archive({"model.json": header(), "arrays/w.npy": b""}),
        archive({"model.json": header(checksums={"arrays/w.npy": "0"}), "arrays/w.npy": b""}),
        archive({"model.json": b"{"}),
        archive({"model.json": b"[" * 200_000}),
        archive({"model.json": b"\xff\xfe"}),
        archive({"model.json": header()} | {f"x{n}": b"" for n in range(1001)}),
    ],
)
def test_broken_contents_are_called_damaged(data: bytes) -> None:
    with pytest.raises(DamagedFileError):
        parse_model(data)


# --- malice -------------------------------------------------------------------------------------------------


def test_a_zip_bomb_is_refused_unopened() -> None:
    zeros = b"\x00" * 50_000_000
    for bomb in (
        archive({"model.json": header() + b" " * 50_000_000}, compression=zipfile.ZIP_DEFLATED),
        archive(
            {"model.json": header(), "arrays/w.npy": zeros}, compression=zipfile.ZIP_DEFLATED, sealed=False
        ),
    ):
        assert len(bomb) < 500_000
        with pytest.raises(DamagedFileError, match="compressed"):
            parse_model(bomb)


@pytest.mark.parametrize(
    "claim",
    [
        "{'descr': '<f8', 'fortran_order': False, 'shape': (1000000000, 1000000000), }",
        "{'descr': '<f8', 'fortran_order': False, 'shape': (9223372036854775807, 2, 9223372036854775807), }",
        "{'descr': '<f8', 'fortran_order': False, 'shape': (-1,), }",
        "{'descr': '<f8', 'fortran_order': False, 'shape': (0, 99999999999999999999999), }",
        "{'descr': '<f8', 'fortran_order': False, 'shape': (" + "1, " * 70 + "1), }",
        "{'descr': '<f8', 'fortran_order': True, 'shape': (1,), }",
        "{'descr': '|O', 'fortran_order': False, 'shape': (1,), }",
        "{'descr': '<U2', 'fortran_order': False, 'shape': (1,), }",
        "{'descr': '|V8', 'fortran_order': False, 'shape': (1,), }",
        "{'descr': '<f8', 'fortran_order': False, 'shape': (1.0,), }",
        "{'descr': [('a', '<f8')], 'fortran_order': False, 'shape': (1,), }",
        "__import__('os').abort()",
        "(" * 5000,
        "{" + "'a': 1, " * 8000 + "}",
        "",
        "{'descr': '<f8', 'fortran_order': False, 'shape': (1,), }" + " " * 60_000,
    ],
)
def test_what_an_array_claims_is_checked_before_anything_is_allocated(claim: str) -> None:
    with pytest.raises(DamagedFileError):
        parse_model(with_array(npy_with_header(claim, b"" if "(0, " in claim else b"\x00" * 8)))


def test_what_an_array_claims_rightly_is_believed() -> None:
    claim = "{'descr': '<f8', 'fortran_order': False, 'shape': (1,), }"
    assert parse_model(with_array(npy_with_header(claim, b"\x00" * 8))).arrays["w"].tolist() == [0.0]


def test_a_file_that_is_too_large_is_not_read(tmp_path: Path) -> None:
    path = tmp_path / "m"
    path.write_bytes(SMALL)
    assert read_model(path, max_bytes=len(SMALL)).kind == "tiny"
    with pytest.raises(ModelFileError, match="max_bytes=100"):
        read_model(path, max_bytes=100)


def test_a_missing_file_is_the_systems_error_and_ours(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match="nowhere: cannot be opened: No such file") as caught:
        read_model(tmp_path / "nowhere")
    assert isinstance(caught.value, InputError)


# --- arrays one by one --------------------------------------------------------------------------------------


def test_an_open_file_gives_the_same_arrays_one_by_one(tmp_path: Path) -> None:
    arrays = {"a": np.arange(100_000), "b": np.ones((2, 3), dtype=np.float32), "c": np.zeros((0, 4))}
    path = tmp_path / "m"
    write_model(path, "tiny", {"x": 1}, arrays)
    with open_model(path) as saved:
        assert (saved.kind, saved.meta, len(saved.arrays)) == ("tiny", {"x": 1}, 3)
        for name, array in arrays.items():
            found = saved.arrays[name]
            assert (found.dtype, found.shape, found.tolist()) == (array.dtype, array.shape, array.tolist())
            assert not found.flags.writeable
        assert "d" not in saved.arrays
        with pytest.raises(KeyError):
            saved.arrays["d"]


def test_a_file_that_changes_while_it_is_open_is_told(tmp_path: Path) -> None:
    path = tmp_path / "m"
    write_model(path, "tiny", {}, {"a": np.arange(100_000)})
    with open_model(path) as saved:
        with path.open("r+b") as file:
            file.seek(400_000)
            file.write(b"\xff" * 8)
        with pytest.raises(DamagedFileError):
            saved.arrays["a"]


def test_reading_takes_no_more_than_one_array_beside_what_is_kept(tmp_path: Path) -> None:
    path = tmp_path / "m"
    write_model(path, "tiny", {}, {str(n): np.full(500_000, n, dtype=np.float64) for n in range(8)})
    tracemalloc.start()
    with open_model(path) as saved:
        assert [saved.arrays[str(n)][0] for n in range(8)] == list(range(8))
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert most < 2 * 4_000_000 + 1_500_000  # the file has 32 MB


def test_a_model_made_under_an_older_name_of_the_project_says_so(tmp_path: Path) -> None:
    old_name = "by" + "law"
    path = tmp_path / "old.model"
    with zipfile.ZipFile(path, "w") as archive:
        header = {
            "format": f"{old_name} model",
            "format_version": 1,
            f"{old_name}_version": "0.1.0",
            "kind": "crf",
        }
        archive.writestr("model.json", json.dumps(header))
    with pytest.raises(ForeignFileError, match=f"made by {old_name} 0.1.0; train it again"):
        read_model(path)
