"""Files appear whole or not at all, under their own name, whoever writes them."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

import lawful
from lawful.cli.work.output import print_json
from lawful.corpus import Sentence, write_columns, write_parquet
from lawful.models.saving import write_model
from lawful.support.files import text_over, written_aside

WRITERS: dict[str, Callable[[Path], object]] = {
    "columns": lambda path: write_columns([Sentence(("a",))], path),
    "parquet": lambda path: write_parquet([Sentence(("a",))], path),
    "rules": lambda path: lawful.write_rules(lawful.forbid("A"), path),
    "model": lambda path: write_model(path, "example", {}, {}),
    "json": lambda path: print_json([1], path),
}


@pytest.mark.parametrize("write", WRITERS.values(), ids=WRITERS)
def test_links_stay_and_permissions_too(write: Callable[[Path], object], tmp_path: Path) -> None:
    real, link = tmp_path / "real", tmp_path / "link"
    real.write_text("old")
    real.chmod(0o640)
    link.symlink_to(real)
    write(link)
    assert link.is_symlink() and real.read_bytes() != b"old"
    assert real.stat().st_mode & 0o7777 == 0o640
    assert sorted(one.name for one in tmp_path.iterdir()) == ["link", "real"]


@pytest.mark.parametrize("write", WRITERS.values(), ids=WRITERS)
def test_an_error_names_the_file_that_was_asked_for(write: Callable[[Path], object], tmp_path: Path) -> None:
    with pytest.raises((OSError, lawful.InputError)) as caught:
        write(tmp_path / "no" / "x")
    assert str(tmp_path / "no" / "x") in str(caught.value) and ".part" not in str(caught.value)


@pytest.mark.parametrize("write", WRITERS.values(), ids=WRITERS)
def test_a_new_file_has_the_usual_permissions(write: Callable[[Path], object], tmp_path: Path) -> None:
    (tmp_path / "usual").write_text("")
    write(tmp_path / "x")
    assert (tmp_path / "x").stat().st_mode == (tmp_path / "usual").stat().st_mode


def test_what_was_there_stays_after_an_error(tmp_path: Path) -> None:
    path = tmp_path / "x"
    path.write_bytes(b"old")
    with pytest.raises(ZeroDivisionError), written_aside(path) as raw, text_over(raw) as text:
        text.write("half")
        raise ZeroDivisionError
    assert path.read_bytes() == b"old"
    assert [one.name for one in tmp_path.iterdir()] == ["x"]


def test_long_names_have_room_beside_them(tmp_path: Path) -> None:
    path = tmp_path / ("ö" * 127)  # 254 bytes, of 255
    with written_aside(path) as raw:
        raw.write(b"new")
    assert path.read_bytes() == b"new"


def test_devices_are_written_to() -> None:
    with written_aside(os.devnull) as raw:
        raw.write(b"gone")
    assert not Path(os.devnull).is_file()
