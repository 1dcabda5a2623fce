"""The C++ core knows nothing of Python, so that it can be tested and sanitised alone."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

CPP = Path(__file__).parents[2] / "cpp"
INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]', re.MULTILINE)
SYSTEM = {"mach/mach.h", "sys/wait.h"}  # how much memory a Mac has left; a test waits for a child
FILES = sorted(
    path.relative_to(CPP).as_posix()
    for folder in ("core", "tests")
    for path in (CPP / folder).rglob("*.[ch]pp")
)


def foreign_includes(folder: str, source: str) -> list[str]:
    """Includes that are neither the standard library's, nor the system's, nor the core's own."""
    own = ("core/", "tests/") if folder == "tests" else ("core/",)
    return [
        name
        for quote, name in INCLUDE.findall(source)
        if (quote == '"' and not name.startswith(own))
        or (quote == "<" and name not in SYSTEM and ("/" in name or name == "Python.h"))
    ]


@pytest.mark.parametrize("file", FILES)
def test_the_core_includes_no_python_header(file: str) -> None:
    assert foreign_includes(file.split("/")[0], (CPP / file).read_text()) == []


def test_the_check_sees_what_it_should() -> None:
    assert foreign_includes("core", "#include <Python.h>\n#include <vector>") == ["Python.h"]
    assert foreign_includes("core", "# include <nanobind/nanobind.h>") == ["nanobind/nanobind.h"]
    assert foreign_includes("core", '#include "bindings/bindings.hpp"') == ["bindings/bindings.hpp"]
    assert foreign_includes("core", '#include "tests/check.hpp"\n#include "core/rules/part.hpp"') == [
        "tests/check.hpp"
    ]
