"""The schema for editors accepts what the reader accepts."""

from __future__ import annotations

import copy
import tomllib
from typing import Any

import jsonschema
import numpy as np
import pytest

import lawful
from lawful.errors import RuleFileError
from lawful.rules.files.schema import rule_file_schema
from lawful.testing import random_label_set, random_rules
from lawful.testing.generators.token_tests import is_capital

SCHEMA = rule_file_schema()
CHECKER = jsonschema.Draft202012Validator(SCHEMA)


def reads(content: dict[str, Any]) -> bool:
    """Whether the reader takes what TOML holds."""
    from lawful.rules.files import reading
    from lawful.rules.files.scope import Document, Scope

    scope = Scope({"is_capital": is_capital})
    try:
        reading._read_all(scope, lambda: [Document("test", content)], None)
    except RuleFileError:
        return False
    return True


def test_the_schema_is_a_schema() -> None:
    jsonschema.Draft202012Validator.check_schema(SCHEMA)


@pytest.mark.parametrize("seed", range(4))
def test_it_accepts_what_we_write(seed: int) -> None:
    rng = np.random.default_rng(seed)
    for _ in range(25):
        labels = random_label_set(rng, odd_names=0.3)
        CHECKER.validate(
            tomllib.loads(lawful.rules.files.format_rules(random_rules(rng, labels), labels=labels))
        )


@pytest.mark.parametrize("seed", range(4))
def test_it_agrees_with_the_reader_on_damaged_rules(seed: int) -> None:
    """Keys dropped, renamed, and swapped: where the reader finds only a wrong shape, so does the schema."""
    rng = np.random.default_rng(100 + seed)
    refused = 0
    for _ in range(60):
        labels = random_label_set(rng)
        content = tomllib.loads(lawful.rules.files.format_rules(random_rules(rng, labels, 1, depth=1)))
        damaged = copy.deepcopy(content)
        rule = damaged["rule"][0]
        key = list(rule)[rng.integers(len(rule))]
        damage = rng.integers(3)
        if damage == 0:
            del rule[key]
        elif damage == 1:
            rule[key + "x"] = rule.pop(key)
        else:
            rule[key] = [True, {"what": 1}][rng.integers(2)]
        accepted = CHECKER.is_valid(damaged)
        assert accepted == reads(damaged), damaged
        refused += not accepted
    assert refused > 20
