"""Nothing in the package runs text as code, unpickles, or starts a shell."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[2] / "src" / "lawful"
FILES = sorted(path.relative_to(PACKAGE).as_posix() for path in PACKAGE.rglob("*.py"))

BUILTINS = {"eval", "exec", "compile", "__import__"}
MODULES = {"cloudpickle", "dill", "joblib", "marshal", "pickle", "shelve", "_pickle"}
CALLS = {"os.popen", "os.system", "yaml.load", "yaml.unsafe_load", "yaml.full_load", "torch.load"}
KEYWORDS = {"shell", "allow_pickle"}  # must not be anything but False


def unsafe(source: str) -> Iterator[str]:
    """What a file does that it should not."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name.split(".")[0] in MODULES)
        elif isinstance(node, ast.ImportFrom):
            if node.module is not None and node.module.split(".")[0] in MODULES:
                yield node.module
            yield from (
                f"{node.module}.{alias.name}"
                for alias in node.names
                if f"{node.module}.{alias.name}" in CALLS
            )
        elif isinstance(node, ast.Call):
            called = ast.unparse(node.func)
            if called in BUILTINS | CALLS:
                yield called
            for keyword in node.keywords:
                off = isinstance(keyword.value, ast.Constant) and keyword.value.value is False
                if keyword.arg in KEYWORDS and not off:
                    yield f"{called}({keyword.arg}=...)"


@pytest.mark.parametrize("file", FILES)
def test_a_file_is_safe(file: str) -> None:
    assert list(unsafe((PACKAGE / file).read_text())) == []


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ("eval('1')", ["eval"]),
        ("def f():\n    exec(text)", ["exec"]),
        ("import pickle", ["pickle"]),
        ("from joblib import load", ["joblib"]),
        ("import yaml\nyaml.load(text)", ["yaml.load"]),
        ("from os import system", ["os.system"]),
        ("subprocess.run(command, shell=True)", ["subprocess.run(shell=...)"]),
        ("np.load(path, allow_pickle=flag)", ["np.load(allow_pickle=...)"]),
        ("np.load(path, allow_pickle=False); rule.compile(labels); re.compile('a')", []),
    ],
)
def test_the_check_sees_what_it_should(source: str, found: list[str]) -> None:
    assert list(unsafe(source)) == found
