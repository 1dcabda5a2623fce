"""Where nothing is legal: the contradiction is real and the smallest, and the least bad answer is the least bad."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

import numpy as np
import pytest

from lawful import Decoder
from lawful.errors import InfeasibleError
from lawful.labels import LabelSet
from lawful.lattice import AnyLattice
from lawful.rules import Rules
from lawful.testing import (
    enumerate_all,
    enumerate_best,
    penalty,
    random_graph,
    random_lattice,
    random_rules,
    same_score,
)

LABELS = LabelSet(["A", "B", "C"])


def smallest_contradiction(lattice: AnyLattice, rules: Rules) -> int | None:
    """The size of the smallest set of hard rules that leaves nothing, by trying all; None if all together do not."""
    hard = [rule for rule in rules if rule.price == "hard"]
    for size in range(len(hard) + 1):
        if any(enumerate_best(lattice, chosen) is None for chosen in combinations(hard, size)):
            return size
    return None


def least_bad(lattice: AnyLattice, rules: Rules) -> tuple[int, float]:
    """The fewest violations of hard rules, and the best score among the sequences that have no more."""
    hard = [rule for rule in rules if rule.price == "hard"]
    soft = [rule for rule in rules if rule.price != "hard"]
    ranked = [
        (sum(rule.violations(names, lattice.tokens, lattice.context) for rule in hard), -score)
        for names, score in enumerate_all(lattice, soft)
    ]
    fewest, cost = min(ranked)
    return fewest, -cost


@pytest.mark.parametrize("shape", ["trellis", "levelled", "acyclic"])
@pytest.mark.parametrize("chunk", range(3))
def test_contradictions_and_least_bad_answers(chunk: int, shape: str) -> None:
    seen: Counter[int | None] = Counter()
    for place in range(40):
        rng = np.random.default_rng([4, chunk, place])
        rules = random_rules(rng, LABELS, 5, hard=0.8, depth=1, sees=shape != "acyclic")
        lattice: AnyLattice
        if shape == "trellis":
            lattice = random_lattice(rng, labels=LABELS, length=int(rng.integers(1, 5)), forbid=0.02)
        else:
            lattice = random_graph(rng, labels=LABELS, shape=shape, forbid=0.02)
        size = smallest_contradiction(lattice, rules)
        seen[size] += 1
        if size is None:
            continue
        with pytest.raises(InfeasibleError) as caught:
            Decoder(rules, labels=LABELS).decode(lattice)
        named = [rules[name] for name in caught.value.rules]
        assert len(named) == size, (rules, caught.value)
        assert enumerate_best(lattice, named) is None, (rules, caught.value)
        assert (caught.value.minimal, caught.value.smallest, caught.value.located) == (True, True, True)
        if size == 0:  # the lattice itself has no path: there is no answer to be bad
            continue
        found = Decoder(rules, labels=LABELS, on_infeasible="least_bad").decode(lattice)
        assert found.status == "infeasible"
        hard, soft = (
            [rule for rule in rules if (rule.price == "hard") == wanted] for wanted in (True, False)
        )
        broken = sum(rule.violations(found.labels, lattice.tokens, lattice.context) for rule in hard)
        fewest, score = least_bad(lattice, rules)
        assert broken == fewest, (rules, found)
        assert same_score(found.score, score), (rules, found, score, penalty(lattice, soft, found.labels))
    assert seen[1] >= 2, seen
    assert seen[2] >= 2, seen
