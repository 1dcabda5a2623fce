"""The folders of the C++ core include one another in one direction only, and stay small."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path, PurePosixPath

import pytest

CPP = Path(__file__).parents[2] / "cpp"
INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]', re.MULTILINE)
INCLUDED_FOLDERS = {
    "support": "",
    "kernels": "support",
    "scores": "support kernels",
    "rules": "support kernels scores",
    "engine": "support kernels scores rules",
    "graph": "support kernels scores rules",
    "solvers": "support kernels scores rules engine graph",
    "features": "support kernels",
    "linear": "support kernels features",
    "semi_crf": "support kernels scores rules features linear",
    "learning": "support kernels features linear",
    "parserator": "support kernels features",
    "evaluation": "support",
}
"""For each folder of cpp/core, the other folders that its files may include."""

MOST_STEMS = 14  # in one folder; a header and its source count once
SOURCES = sorted(path.relative_to(CPP).as_posix() for path in CPP.rglob("*.[ch]pp"))


def wrong_includes(file: str, source: str) -> list[str]:
    """The headers that a file of the core includes from a folder that does not come before its own."""
    folder = file.split("/")[1]
    allowed = {folder, *INCLUDED_FOLDERS[folder].split()}
    return [
        name for quote, name in INCLUDE.findall(source) if quote == '"' and name.split("/")[1] not in allowed
    ]


@pytest.mark.parametrize("file", [file for file in SOURCES if file.startswith("core/")])
def test_folders_of_the_core_include_only_folders_before_them(file: str) -> None:
    assert wrong_includes(file, (CPP / file).read_text()) == []


def test_the_order_knows_every_folder_and_has_no_cycle() -> None:
    assert {path.name for path in (CPP / "core").iterdir()} == set(INCLUDED_FOLDERS)
    for folder, before in INCLUDED_FOLDERS.items():
        for other in before.split():
            assert folder not in INCLUDED_FOLDERS[other].split()


@pytest.mark.parametrize("room", ["bindings", "tests"])
def test_bindings_and_tests_have_the_folders_of_the_core(room: str) -> None:
    folders = {path.name for path in (CPP / room).iterdir() if path.is_dir()}
    assert folders <= set(INCLUDED_FOLDERS)


def test_no_folder_holds_too_many_files() -> None:
    stems = {PurePosixPath(file).with_suffix("") for file in SOURCES}
    sizes = Counter(stem.parent.as_posix() for stem in stems)
    assert {folder: size for folder, size in sizes.items() if size > MOST_STEMS} == {}


def test_the_check_sees_what_it_should() -> None:
    upward = '#include "core/engine/engine.hpp"\n#include "core/support/limits.hpp"\n#include <vector>'
    assert wrong_includes("core/rules/part.cpp", upward) == ["core/engine/engine.hpp"]
    assert wrong_includes("core/solvers/beam.cpp", upward) == []


def test_every_included_header_exists() -> None:
    for file in SOURCES:
        for quote, name in INCLUDE.findall((CPP / file).read_text()):
            assert quote == "<" or (CPP / name).is_file(), (file, name)
