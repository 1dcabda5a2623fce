"""Data flows down the list of rooms: a room imports only from rooms above it, even inside functions."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[2] / "src" / "bylaw"

ROOMS = [
    "errors",
    "files",
    "labels",
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
    "testing",
    "cli",
]
FRONT_DOOR = "the front door"
MAY_USE_THE_FRONT_DOOR = {"cli", FRONT_DOOR}

# (importing module, imported room): why. Empty is how it should be.
EXCEPTIONS: dict[tuple[str, str], str] = {}


def room_of(module: str) -> str:
    """The room of a dotted module name inside bylaw."""
    parts = module.split(".")
    return parts[1] if len(parts) > 1 and parts[1] != "__main__" else FRONT_DOOR


def imported_modules(tree: ast.AST) -> Iterator[str]:
    """The modules of bylaw that a file imports anywhere. `from bylaw import x` counts as a room if x is one."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name.split(".")[0] == "bylaw")
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "imports are absolute"
            if node.module == "bylaw":
                inside = {*ROOMS, "_core"}
                yield from (f"bylaw.{a.name}" if a.name in inside else "bylaw" for a in node.names)
            elif node.module is not None and node.module.startswith("bylaw."):
                yield node.module


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
        if not allowed and (module, there) not in EXCEPTIONS:
            wrong.append(there)
    return wrong


def module_name(path: Path) -> str:
    parts = path.relative_to(PACKAGE.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


MODULES = {module_name(path): path for path in sorted(PACKAGE.rglob("*.py"))}


@pytest.mark.parametrize("module", MODULES)
def test_a_room_imports_only_from_rooms_above_it(module: str) -> None:
    assert upward_imports(module, MODULES[module].read_text()) == []


def test_every_room_is_in_the_list() -> None:
    assert {room_of(module) for module in MODULES} - {FRONT_DOOR} <= set(ROOMS)


def test_the_check_sees_what_it_should() -> None:
    late = "def f():\n    from bylaw.decoding import Decoder"
    assert upward_imports("bylaw.rules.counts", late) == ["decoding"]
    assert upward_imports("bylaw.rules.counts", "from bylaw import solvers, _core, errors") == ["solvers"]
    assert upward_imports("bylaw.rules.counts", "import bylaw.lattice, bylaw.cli.main") == ["cli"]
    assert upward_imports("bylaw.rules.counts", "import bylaw") == [FRONT_DOOR]
    assert upward_imports("bylaw.cli.demo", "from bylaw import Decoder") == []
    assert upward_imports("bylaw.unheard.of", "import bylaw.errors") == ["errors"]
