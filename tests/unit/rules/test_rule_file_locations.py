"""The position finder finds everything that tomllib reads."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import lawful
from lawful.rules.files.toml import LineColumn, locate_keys
from lawful.testing import random_label_set, random_rules

HARD = (
    r'''
a.b."c d" = 1 # [not a table]
'k.e' = """
text with "quotes" and \"""
[not] = a.table""""
raw = '''
    + """'''
it's ''' # ]"""
    + r"""
"esc\u0041\"" = [ 1, [2, # comment ]
  { x = [3], y.z = "}" }],
  "]",
]
time = 1979-05-27T07:32:00Z
[x] # header
y = { }
[ x . "q r" ]
z = -1.5e3
[[many]]
one = 1
[[many]]
two = 2
[many.inner]
three = 3
[[many.deep]]
four = 4
[[many.deep]]
five = 5
"""
)


def paths(held: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    if path:
        yield path
    items = held.items() if isinstance(held, dict) else enumerate(held) if isinstance(held, list) else ()
    for step, inner in items:
        yield from paths(inner, (*path, step))


def test_everything_is_found_where_it_stands() -> None:
    locations = locate_keys(HARD)
    assert set(locations) == set(paths(tomllib.loads(HARD)))
    lines = HARD.split("\n")
    for path, where in locations.items():
        here = lines[where.line - 1][where.column - 1 :]
        assert here.strip(), path
        if isinstance(path[-1], str) and path[-1].isidentifier() and not here.startswith("["):
            assert path[-1] in here
    assert locations["many", 1, "deep", 1, "five"] == LineColumn(HARD.split("five")[0].count("\n") + 1, 1)


@pytest.mark.parametrize("seed", range(4))
def test_everything_that_we_write_is_found(seed: int) -> None:
    rng = np.random.default_rng(seed)
    for _ in range(40):
        labels = random_label_set(rng, odd_names=0.5)
        text = lawful.rules.files.format_rules(random_rules(rng, labels, depth=3), labels=labels)
        assert set(locate_keys(text)) == set(paths(tomllib.loads(text)))
