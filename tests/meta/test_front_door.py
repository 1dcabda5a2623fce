"""What is exported is what is imported, sorted, and there."""

from __future__ import annotations

import ast
import importlib
import pkgutil
from pathlib import Path

import pytest

import bylaw

SOURCE = Path(bylaw.__file__)
MODULES = sorted(
    module.name
    for module in pkgutil.walk_packages(bylaw.__path__, prefix="bylaw.")
    if module.name != "bylaw._core"
)


def imported_names(body: list[ast.stmt]) -> dict[str, str]:
    """The public names that statements import, and from where."""
    return {
        alias.asname or alias.name: node.module or ""
        for node in body
        if isinstance(node, ast.ImportFrom) and node.module != "__future__"
        for alias in node.names
        if not alias.name.startswith("_")
    }


def imported_later() -> dict[str, str]:
    """The names that the front door shows to type checkers at once, and imports when they are asked for."""
    body = ast.parse(SOURCE.read_text()).body
    blocks = [node.body for node in body if isinstance(node, ast.If)]
    return {name: room for block in blocks for name, room in imported_names(block).items()}


def in_ruffs_order(names: list[str]) -> list[str]:
    """Constants, then classes, then functions; each group by the alphabet, as ruff's RUF022 sorts."""
    kinds = {name: 0 if name.isupper() else 1 if name[:1].isupper() else 2 for name in names}
    return sorted(names, key=lambda name: (kinds[name], name))


def test_the_front_door_exports_what_it_imports() -> None:
    now = imported_names(ast.parse(SOURCE.read_text()).body)
    assert set(bylaw.__all__) == set(now) | set(bylaw._LATER)


def test_a_checker_sees_the_names_that_come_later() -> None:
    assert imported_later() == bylaw._LATER


def test_dir_shows_the_front_door_and_nothing_else() -> None:
    assert dir(bylaw) == sorted([*bylaw.__all__, "__version__"])


def test_the_front_door_has_no_star() -> None:
    assert "import *" not in SOURCE.read_text()


@pytest.mark.parametrize("name", ["bylaw", *MODULES])
def test_a_module_exports_sorted_names_that_exist(name: str) -> None:
    module = importlib.import_module(name)
    exported = module.__all__
    assert isinstance(exported, list)
    assert exported == in_ruffs_order(exported)
    assert len(set(exported)) == len(exported)
    assert [one for one in exported if not hasattr(module, one)] == []


@pytest.mark.parametrize("name", MODULES)
def test_a_module_exports_nothing_private(name: str) -> None:
    assert [one for one in importlib.import_module(name).__all__ if one.startswith("_")] == []
