"""Every example in a docstring runs and prints what it says."""

from __future__ import annotations

import doctest
import importlib
import pkgutil

import pytest

import bylaw

MODULES = [
    "bylaw",
    *sorted(
        module.name
        for module in pkgutil.walk_packages(bylaw.__path__, prefix="bylaw.")
        if module.name != "bylaw._core"
    ),
]

# What the examples of a module need beyond the group `test`; `make test-extras` has it.
NEEDS = {
    "bylaw.adapters.ruled_pipeline": "transformers",
    "bylaw.adapters.spacy": "spacy",
    "bylaw.adapters.spacy_component": "spacy",
    "bylaw.adapters.torch": "torch",
    "bylaw.adapters.transformers": "transformers",
    "bylaw.testing.tiny_models": "transformers",
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


@pytest.mark.parametrize("name", bylaw.__all__)
def test_everything_behind_the_front_door_has_an_example(name: str) -> None:
    assert ">>>" in (getattr(bylaw, name).__doc__ or ""), "its own docstring, not one that it inherits"
