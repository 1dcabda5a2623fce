"""What the room exports, and that no function hides a module."""

from __future__ import annotations

import importlib
import pkgutil

from lawful import rules


def test_exports_are_sorted_by_kind_and_exist() -> None:
    assert len(set(rules.__all__)) == len(rules.__all__)
    assert all(hasattr(rules, name) for name in rules.__all__)


def test_no_function_hides_a_module() -> None:
    for module in pkgutil.iter_modules(rules.__path__):
        imported = importlib.import_module(f"lawful.rules.{module.name}")
        assert getattr(rules, module.name) is imported
