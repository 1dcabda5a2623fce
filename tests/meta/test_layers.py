"""Data flows one way: a room imports only from rooms above it, and inside a room no two folders or modules need each other.

Imports inside functions count too: a cycle that is opened late is still a cycle.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[2] / "src" / "lawful"

ROOMS = [
    "errors",
    "support",
    "labels",
    "schemes",
    "corpus",
    "lattice",
    "automata",
    "rules",
    "solvers",
    "decoding",
    "explanation",
    "models",
    "adapters",
    "learning",
    "encodings",
    "voting",
    "evaluation",
    "tasks",
    "report",
    "playground",
    "testing",
    "cli",
]
FRONT_DOOR = "the front door"
MAY_USE_THE_FRONT_DOOR = {"cli", FRONT_DOOR}
MOST_MODULES = 14  # in one folder


def module_name(path: Path) -> str:
    parts = path.relative_to(PACKAGE.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


MODULES = {module_name(path): path for path in sorted(PACKAGE.rglob("*.py"))}
FOLDERS = sorted({name.rpartition(".")[0] for name in MODULES} - {"", "lawful"})


@cache
def exports(package: str) -> Mapping[str, str]:
    """The names that a package's stub exports, and the module that each comes from."""
    path = MODULES[package].with_suffix(".pyi") if package in MODULES else PACKAGE / "missing"
    if not path.exists():
        return {}
    return {
        alias.name: f"{package}.{node.module or alias.name}"
        for node in ast.parse(path.read_text()).body
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }


def home(module: str, name: str) -> str:
    """The module in which a name is defined that is imported from another one."""
    while (further := exports(module).get(name)) is not None:
        if further == f"{module}.{name}":  # a module, not a name in it
            return further
        module = further
    inside = f"{module}.{name}"
    return inside if inside in MODULES or inside == "lawful._core" else module


def imported_modules(tree: ast.AST) -> Iterator[str]:
    """The modules of lawful that a file imports anywhere, even inside functions."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name.split(".")[0] == "lawful")
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "imports are absolute"
            if node.module is not None and node.module.split(".")[0] == "lawful":
                yield from (home(node.module, alias.name) for alias in node.names)


def room_of(module: str) -> str:
    """The room of a dotted module name inside lawful."""
    parts = module.split(".")
    return parts[1] if len(parts) > 1 and parts[1] != "__main__" else FRONT_DOOR


def upward_imports(module: str, source: str) -> list[str]:
    """The rooms that a module may not import from, but does."""
    here = room_of(module)
    wrong = []
    for imported in imported_modules(ast.parse(source)):
        there = room_of(imported)
        if there in (here, "_core") or here == FRONT_DOOR:
            continue
        if there == FRONT_DOOR:
            allowed = here in MAY_USE_THE_FRONT_DOOR
        else:
            allowed = here in ROOMS and there in ROOMS and ROOMS.index(there) < ROOMS.index(here)
        if not allowed:
            wrong.append(there)
    return wrong


def needs(folder: str) -> dict[str, set[str]]:
    """What each module and subfolder of a folder imports from the others."""
    depth = folder.count(".") + 2

    def member(module: str) -> str:
        return ".".join(module.split(".")[:depth])

    graph: dict[str, set[str]] = {}
    for module, path in MODULES.items():
        if module.startswith(f"{folder}."):
            imported = {member(one) for one in imported_modules(ast.parse(path.read_text()))}
            inside = {one for one in imported if one.startswith(f"{folder}.")}
            graph.setdefault(member(module), set()).update(inside - {member(module)})
    return graph


@pytest.mark.parametrize("module", MODULES)
def test_a_room_imports_only_from_rooms_above_it(module: str) -> None:
    assert upward_imports(module, MODULES[module].read_text()) == []


@pytest.mark.parametrize("folder", FOLDERS)
def test_imports_inside_a_folder_go_one_way(folder: str) -> None:
    try:
        TopologicalSorter(needs(folder)).prepare()
    except CycleError as error:
        pytest.fail(f"these need each other: {' -> '.join(error.args[1])}")


@pytest.mark.parametrize("folder", FOLDERS)
def test_a_folder_holds_few_modules(folder: str) -> None:
    modules = [path for path in MODULES[folder].parent.glob("*.py") if path.name != "__init__.py"]
    assert len(modules) <= MOST_MODULES


def test_every_room_is_in_the_list() -> None:
    assert {room_of(module) for module in MODULES} - {FRONT_DOOR} <= set(ROOMS)


def test_the_check_sees_what_it_should() -> None:
    late = "def f():\n    from lawful.decoding import Decoder"
    assert upward_imports("lawful.rules.counts", late) == ["decoding"]
    assert upward_imports("lawful.rules.counts", "from lawful import solvers, _core, errors") == ["solvers"]
    assert upward_imports("lawful.rules.counts", "import lawful.lattice, lawful.cli.main") == ["cli"]
    assert upward_imports("lawful.rules.counts", "import lawful") == [FRONT_DOOR]
    assert upward_imports("lawful.cli.demo", "from lawful import Decoder") == []
    assert upward_imports("lawful.unheard.of", "import lawful.errors") == ["errors"]
    assert list(imported_modules(ast.parse("from lawful.rules import at_most, token"))) == [
        "lawful.rules.kinds.counts",
        "lawful.rules.token",
    ]
