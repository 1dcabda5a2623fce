"""Command lines: every command with options that it has, values that fit, and values that don't."""

from __future__ import annotations

import io
import json
import os
import random
import shutil
import sys
from contextlib import redirect_stderr, redirect_stdout
from functools import cache
from pathlib import Path
from typing import Any

from mutations import NAMES, NUMBERS

from lawful.cli.main import COMMANDS, run

__all__ = ["make_command", "run_command"]

NOT_RUN = {"serve", "demo"}  # one waits for visitors; the other reads nothing
NOT_GIVEN = {"--cluster", "--help"}
FILES = [
    "addresses.toml", "every.toml", "bio.toml", "hmm.lawful", "crf.lawful", "tiny.crfsuite", "gold.conll",
    "author.conll", "context.jsonl", "long.csv", "author.parquet", "addresses.xml", "tiny.conllu", "missing.toml", "-", ".",
]  # fmt: skip
VALUES = [
    "O,City",
    "B-NP,I-NP,O",
    "word,pos,chunk",
    "text",
    "json",
    "jsonl",
    "conll",
    "auto",
    "BIO",
    "2",
    "0.5",
]


def make_command(rng: random.Random) -> bytes:
    """The arguments of a command as a JSON list, some of them wrong."""
    name = rng.choice([one for one in COMMANDS if one not in NOT_RUN])
    arguments, options = _parameters(name)
    line = [_value(rng, files=True) for _ in range(arguments)]
    for option, takes in rng.sample(options, min(len(options), rng.choice((0, 1, 2, 4)))):
        given = [option, _value(rng, files=rng.random() < 0.5)] if takes else [option]
        place = rng.randrange(len(line) + 1)
        line[place:place] = given
    if rng.random() < 0.2 and line:
        line[rng.randrange(len(line))] = rng.choice([*NAMES, *NUMBERS, "--", "-x", "--json=1"])
    if rng.random() < 0.1 and line:
        del line[rng.randrange(len(line))]
    # no operating system can pass a NUL
    return json.dumps([name, *(one.replace("\0", "") for one in line)]).encode()


@cache
def _parameters(name: str) -> tuple[int, list[tuple[str, bool]]]:
    """How many arguments a command takes, and its options: (name, whether a value follows)."""
    import typer

    from lawful.cli.main import make_app

    command: Any = typer.main.get_command(make_app(name))
    arguments = [one for one in command.params if one.param_type_name == "argument"]
    options = [
        (spelled, not one.is_flag)
        for one in command.params
        if one.param_type_name == "option"
        for spelled in one.opts
        if spelled not in NOT_GIVEN
    ]
    return len(arguments), options


def _value(rng: random.Random, *, files: bool) -> str:
    if rng.random() < 0.1:
        return rng.choice([*NAMES, *NUMBERS])
    return rng.choice(FILES if files else VALUES)


def run_command(path: Path) -> None:
    """Run the command line in a folder of its own; a bug that it reports is an error here."""
    line = json.loads(path.read_bytes())
    if any("/" in one for one in line):
        return  # nothing outside the folder is read or written
    folder = path.parent / "command"
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(path.parent / "seeds", folder)
    before, stdin = Path.cwd(), sys.stdin
    os.chdir(folder)
    sys.stdin = io.TextIOWrapper(io.BytesIO(Path("gold.conll").read_bytes()))
    try:
        with redirect_stdout(_stream()), redirect_stderr(io.StringIO()) as told:
            code = run(line)
        if "this is a bug in lawful" in told.getvalue():
            _raise_again(line)
        assert code in (0, 1, 2), f"exit code {code}"
        assert "Traceback" not in told.getvalue(), told.getvalue()
    finally:
        sys.stdin = stdin
        os.chdir(before)


def _stream() -> io.TextIOWrapper:
    """A stdout that takes bytes as well, as the real one does: models may be written to it."""
    return io.TextIOWrapper(io.BytesIO(), encoding="utf-8")


def _raise_again(line: list[str]) -> None:
    os.environ["LAWFUL_DEBUG"] = "1"
    sys.stdin = io.TextIOWrapper(io.BytesIO(Path("gold.conll").read_bytes()))
    try:
        with redirect_stdout(_stream()), redirect_stderr(io.StringIO()):
            run(line)
    finally:
        del os.environ["LAWFUL_DEBUG"]
    raise AssertionError("it was called a bug, and did not happen again")
