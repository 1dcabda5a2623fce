"""Small problems are solved without potentials; here the engine is made to use them, and must find the same."""

from __future__ import annotations

import numpy as np
import pytest

from lawful import _core
from lawful.rules.bound_rules import bind
from lawful.rules.compiled_rules import CompiledRules
from lawful.testing import random_label_set, random_lattice, random_rules

CHUNKS, PROBLEMS = 10, 150


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_potentials_change_no_answer(chunk: int) -> None:
    rng = np.random.default_rng([2026, chunk])
    used = 0
    for _ in range(PROBLEMS):
        labels = random_label_set(rng)
        lattice = random_lattice(rng, length=int(rng.integers(2, 25)), labels=labels)
        compiled = CompiledRules(random_rules(rng, labels, int(rng.integers(1, 6))), labels)
        problem = bind(compiled, lattice.length, lattice.tokens, lattice.context).problem(lattice)
        plain = _core.decode(problem, _core.Limits())
        for first_search in (0, 3):
            forced = _core.decode(problem, _core.Limits(first_search=first_search))
            assert forced.status(0) == plain.status(0)
            assert forced.score(0) == pytest.approx(plain.score(0), rel=1e-9, abs=1e-9)
            used += forced.states(0) > plain.states(0)
    assert used > PROBLEMS / 20  # or it would test nothing
