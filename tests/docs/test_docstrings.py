"""Every example in a docstring runs and prints what it says."""

from __future__ import annotations

import doctest
import importlib
import inspect
import pkgutil

import pytest

import lawful

MODULES = [
    "lawful",
    *sorted(
        module.name
        for module in pkgutil.walk_packages(lawful.__path__, prefix="lawful.")
        if module.name != "lawful._core"
    ),
]

# What the examples of a module need beyond the group `test`; `make test-extras` has it.
NEEDS = {
    "lawful.adapters.transformers.ruled_pipeline": "transformers",
    "lawful.adapters.spacy.factory": "spacy",
    "lawful.adapters.spacy.component": "spacy",
    "lawful.adapters.torch": "torch",
    "lawful.adapters.transformers.tagger": "transformers",
    "lawful.testing.tiny_models": "transformers",
}


@pytest.mark.parametrize("name", MODULES)
def test_the_examples_of_a_module_hold(name: str, tmp_path, monkeypatch) -> None:
    if name in NEEDS:
        pytest.importorskip(NEEDS[name])
    monkeypatch.chdir(tmp_path)
    told: list[str] = []
    runner = doctest.DocTestRunner()
    for example in doctest.DocTestFinder(exclude_empty=True).find(importlib.import_module(name)):
        runner.run(example, out=told.append)
    assert runner.failures == 0, "".join(told)


@pytest.mark.parametrize("name", [n for n in lawful.__all__ if not inspect.ismodule(getattr(lawful, n))])
def test_everything_behind_the_front_door_has_an_example(name: str) -> None:
    assert ">>>" in (getattr(lawful, name).__doc__ or ""), "its own docstring, not one that it inherits"
