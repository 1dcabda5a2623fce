"""Ordinary command lines are read without typer, and mean the same."""

from __future__ import annotations

import inspect
import random
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
import typer

from lawful.cli.main import COMMANDS, make_app
from lawful.cli.options.declarations import Argument
from lawful.cli.options.groups import flattened
from lawful.cli.options.plain import read_plainly

WORDS = [
    "a.conll",
    "-",
    "",
    "x y",
    "3",
    "-3",
    "0",
    "1e3",
    "1_000",
    " 7",
    "nan",
    "9" * 400,
    "inf",
    "٣",
    "true",
    "--",
    "-x",
    "--json",
    "é=ü",
]


def command_of(name: str) -> Any:
    return flattened(getattr(import_module(COMMANDS[name].module), COMMANDS[name].function))


def names_of(command: Any) -> list[str]:
    return [
        name
        for each in inspect.signature(command).parameters.values()
        for declared in each.annotation.__metadata__
        if not isinstance(declared, Argument)
        for names in declared.names or (f"--{each.name.replace('_', '-')}",)
        for name in names.split("/")
    ]


def by_typer(app: Any, name: str, arguments: list[str]) -> dict[str, Any]:
    context = typer.main.get_command(app).make_context(name, list(arguments))
    return {key: list(value) if isinstance(value, tuple) else value for key, value in context.params.items()}


@pytest.mark.parametrize("name", COMMANDS)
def test_a_command_line_that_is_read_plainly_means_what_typer_says(name: str) -> None:
    rng = random.Random(name)  # noqa: S311
    command, app = command_of(name), make_app(name)
    names = names_of(command) or ["--none"]
    needed = [
        [*([] if isinstance(declared, Argument) else declared.names[:1]), "a.conll"]
        for each in inspect.signature(command).parameters.values()
        for declared in each.annotation.__metadata__
        if each.default is inspect.Parameter.empty
    ]
    read = 0
    for _ in range(100):
        arguments: list[str] = []
        for _ in range(rng.randint(0, 3)):
            option, word = rng.choice(names), rng.choice(WORDS)
            arguments += rng.choice(
                [[option], [option, word], [f"{option}={word}"], [word], [option, "2"], ["file"]]
            )
        for words in needed:
            arguments = words + arguments if rng.random() < 0.8 else arguments
        found = read_plainly(command, arguments)
        if found is not None:
            read += 1
            assert found == by_typer(app, name, arguments), arguments
    assert read > 5 or name in ("serve", "vote")  # which look at the environment, or take any number of files


@pytest.mark.parametrize(
    "arguments",
    [
        ["--help"],
        [],
        ["-m"],
        ["-m", "a", "--unknown"],
        ["-m", "a", "-j", "many"],
        ["-m", "a", "b", "c"],
        ["-ma"],
    ],
)
def test_what_is_not_ordinary_is_left_to_typer(arguments: list[str]) -> None:
    assert read_plainly(command_of("decode"), arguments) is None


def test_labelling_a_file_imports_neither_typer_nor_rich(tmp_path: Path) -> None:
    (tmp_path / "gold.conll").write_text("a A\nb B\n\nb B\n")
    script = (
        "import sys; from lawful.cli.main import run\n"
        "assert run(['train', 'gold.conll', '-o', 'm.lawful']) == 0\n"
        "assert run(['decode', 'gold.conll', '-m', 'm.lawful', '-j', '1', '-o', 'out.conll']) == 0\n"
        "print(*(name for name in ('typer', 'pydantic', 'click') if name in sys.modules))"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    assert done.stdout.split("\n")[-2] == ""
