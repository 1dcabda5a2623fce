"""What `make docs` builds the site from: every room has its page, and the pictures are those that the code draws."""

from __future__ import annotations

import ast
import inspect
import re
import runpy
from pathlib import Path

import pytest

import lawful

DOCS = Path(__file__).parents[2] / "docs"
DOCUMENTED = {
    module
    for page in (DOCS / "reference").glob("*.md")
    for listed in re.findall(r"^\.\. room:: (.+)$", page.read_text(), re.MULTILINE)
    for module in listed.split()
}
STUB = ast.parse(Path(lawful.__file__).with_suffix(".pyi").read_text())
HOMES = {
    alias.name: f"lawful.{node.module}"
    for node in STUB.body
    if isinstance(node, ast.ImportFrom) and node.module is not None
    for alias in node.names
}
ROOMS = {name for name in lawful.__all__ if inspect.ismodule(getattr(lawful, name)) and name not in HOMES}
PICTURES = runpy.run_path(str(DOCS / "pictures.py"))["draw_all"]()


@pytest.mark.parametrize("name", sorted(HOMES))
def test_every_name_of_the_front_door_is_in_the_reference(name: str) -> None:
    home = HOMES[name]
    assert home in DOCUMENTED, f"list {home} after `.. room::` on a page of docs/reference"


@pytest.mark.parametrize("room", sorted(ROOMS))
def test_every_room_has_its_page(room: str) -> None:
    assert f"lawful.{room}" in DOCUMENTED, f"add docs/reference/{room}.md with `.. room:: lawful.{room}`"


@pytest.mark.parametrize("name", sorted(PICTURES))
def test_a_picture_is_the_one_that_the_code_draws(name: str) -> None:
    assert (DOCS / "pictures" / name).read_text() == PICTURES[name], "run `python docs/pictures.py`"


def test_no_picture_is_left_over() -> None:
    assert {path.name for path in (DOCS / "pictures").iterdir()} == set(PICTURES)
