"""Random patterns: all of the syntax that `lawful.rules.pattern` reads."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

__all__ = ["random_pattern"]

REPEATS = ("*", "+", "?", "{2}", "{1,}", "{0,2}")


def random_pattern(
    rng: np.random.Generator, labels: Sequence[str], *, depth: int = 2, tests: Sequence[str] = ()
) -> str:
    """The source of a pattern over some labels.

    Parameters
    ----------
    rng : numpy Generator
    labels : sequence of str
    depth : int
        How deep groups may be nested.
    tests : sequence of str
        Names of token tests that it may use.

    Examples
    --------
    >>> from lawful.rules import pattern
    >>> pattern(random_pattern(np.random.default_rng(5), ["A", "B"])).violations(["A", "B"]) in (0, 1)
    True
    """
    if depth == 0 or rng.random() < 0.2:
        return _symbol(rng, labels, tests)
    left, right = (random_pattern(rng, labels, depth=depth - 1, tests=tests) for _ in range(2))
    forms = (
        f"{left} {right}",
        f"(.* {left} .*)",
        f"({left} | {right})",
        f"(({left}) & ({right}))",
        f"!({left})",
        f"({left}){REPEATS[rng.integers(len(REPEATS))]} {right}",
        f"(() | {left})*",
    )
    return forms[rng.integers(len(forms))]


def _symbol(rng: np.random.Generator, labels: Sequence[str], tests: Sequence[str]) -> str:
    chosen = [_written(labels[i]) for i in rng.permutation(len(labels))[: rng.integers(1, 3)]]
    symbols = (chosen[0], chosen[0], ".", f"[{' '.join(chosen)}]", f"[^{' '.join(chosen)}]")
    asked = ""
    if tests and rng.random() < 0.4:
        asked = "/" + "!" * int(rng.integers(2)) + tests[int(rng.integers(len(tests)))]
    return symbols[rng.integers(len(symbols))] + asked


def _written(label: str) -> str:
    return label if label.replace("-", "").isalnum() else '"' + label.replace('"', r"\"") + '"'
