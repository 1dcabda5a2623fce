"""Every file of examples/ runs, is short, and prints what its last comment says.

A line `# needs: PACKAGE` names what it needs beyond the group `test`; `make test-extras` has it.
"""

from __future__ import annotations

import io
import re
import runpy
from contextlib import redirect_stdout
from pathlib import Path

import pytest

FOLDER = Path(__file__).parents[2] / "examples"
EXAMPLES = sorted(path.name for path in FOLDER.glob("*.py"))
LONGEST = 60


def promised(source: str) -> str:
    """What comes after `# prints:`, without the marks of the comment."""
    lines = source.split("# prints:\n")[1].splitlines()
    return "".join(f"{line.removeprefix('#').removeprefix(' ')}\n" for line in lines)


@pytest.mark.parametrize("name", EXAMPLES)
def test_an_example_prints_what_it_says(name: str, tmp_path, monkeypatch) -> None:
    source = (FOLDER / name).read_text()
    for package in re.findall(r"^# needs: (\w+)$", source, re.MULTILINE):
        pytest.importorskip(package)
    monkeypatch.chdir(tmp_path)
    with redirect_stdout(io.StringIO()) as printed:
        runpy.run_path(str(FOLDER / name), run_name="__main__")
    assert printed.getvalue() == promised(source)


@pytest.mark.parametrize("name", EXAMPLES)
def test_an_example_is_short(name: str) -> None:
    assert len((FOLDER / name).read_text().splitlines()) <= LONGEST


@pytest.mark.parametrize("page", ["examples/README.md", "docs/examples.md"])
def test_every_example_is_listed(page: str) -> None:
    text = (FOLDER.parent / page).read_text()
    assert [name for name in EXAMPLES if name not in text] == []


def test_the_examples_are_found() -> None:
    assert "logits.py" in EXAMPLES
    assert promised("x\n# prints:\n# 1\n#  2\n#\n") == "1\n 2\n\n"
