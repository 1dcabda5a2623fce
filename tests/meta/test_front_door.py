"""What a room exports is said once, in its stub; every name is there, and nothing private."""

from __future__ import annotations

import ast
import importlib
import pkgutil
from pathlib import Path

import pytest

import lawful

MODULES = sorted(
    module.name
    for module in pkgutil.walk_packages(lawful.__path__, prefix="lawful.")
    if module.name != "lawful._core"
)
STUBS = sorted(Path(lawful.__file__).parent.rglob("__init__.pyi"))
MOST_NAMES = 96  # at the front door: what a first script needs; the rooms keep the rest
BEHIND = {"playground"}  # the one room that is for the command line only


def stub_names(stub: Path) -> list[str]:
    """The names that a stub exports: each said as itself, which is how a stub exports."""
    imports = [node for node in ast.parse(stub.read_text()).body if isinstance(node, ast.ImportFrom)]
    assert all(alias.asname == alias.name for node in imports for alias in node.names)
    return [alias.name for node in imports for alias in node.names]


def in_ruffs_order(names: list[str]) -> list[str]:
    """Constants, then classes, then functions; each group by the alphabet, as ruff's RUF022 sorts."""
    kinds = {name: 0 if name.isupper() else 1 if name[:1].isupper() else 2 for name in names}
    return sorted(names, key=lambda name: (kinds[name], name))


@pytest.mark.parametrize("stub", STUBS, ids=lambda stub: stub.parent.name)
def test_a_stub_says_each_name_once(stub: Path) -> None:
    names = stub_names(stub)
    assert len(set(names)) == len(names)


def test_dir_shows_the_front_door_and_nothing_else() -> None:
    front = next(stub for stub in STUBS if stub.parent.name == "lawful")
    assert dir(lawful) == sorted([*stub_names(front), "__version__"])
    assert len(dir(lawful)) <= MOST_NAMES


def test_every_room_is_reached_from_the_front_door() -> None:
    rooms = {stub.parent.name for stub in STUBS if stub.parent.parent.name == "lawful"}
    assert rooms - BEHIND <= set(dir(lawful))


@pytest.mark.parametrize("name", ["lawful", *MODULES])
def test_a_module_exports_names_that_exist(name: str) -> None:
    module = importlib.import_module(name)
    exported = module.__all__
    assert isinstance(exported, list)
    is_package = name == "lawful" or hasattr(module, "__path__")
    assert exported == (sorted(exported) if is_package else in_ruffs_order(exported))
    assert len(set(exported)) == len(exported)
    assert [one for one in exported if not hasattr(module, one)] == []


@pytest.mark.parametrize("name", MODULES)
def test_a_module_exports_nothing_private(name: str) -> None:
    assert [one for one in importlib.import_module(name).__all__ if one.startswith("_")] == []


def test_a_missing_core_is_explained(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(name: str) -> object:
        raise ModuleNotFoundError("No module named 'lawful._core'", name="lawful._core")

    monkeypatch.setattr(lawful, "_import_name", missing)
    with pytest.raises(ImportError, match="make setup"):
        lawful.__getattr__("decode")
