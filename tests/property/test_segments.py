"""Decoding segments under rules against plain enumeration, by every way that it can take."""

from __future__ import annotations

import pickle
from dataclasses import replace

import numpy as np
import pytest

import lawful
from lawful import _core
from lawful.labels import LabelSet
from lawful.lattice import SegmentLattice, path_score
from lawful.rules.bound_rules import bind
from lawful.rules.compiled_rules import CompiledRules
from lawful.solvers.engine import search_segments
from lawful.solvers.problem import Limits, Problem
from lawful.solvers.published.relaxation import near_best
from lawful.testing import enumerate_best, random_rules

SCHEMES = {  # the labels of tokens, and the tags of two labels of segments: first, only, inner, last
    "flat": (["A", "B"], [0, 0, 0, 0, 1, 1, 1, 1]),
    "IOB2": (["B-X", "I-X", "O"], [0, 0, 1, 1, 2, 2, 2, 2]),
    "BMES": (["B", "M", "E", "S", "O"], [0, 3, 1, 2, 4, 4, 4, 4]),
}


def random_segments(rng: np.random.Generator, scheme: str, *, repeat: bool) -> SegmentLattice:
    labels, tags = SCHEMES[scheme]
    length = int(rng.integers(1, 7))
    longest = rng.integers(1, 5, size=2).astype(np.int32)
    longest[1] = longest[1] if scheme == "flat" else 1
    edges = rng.normal(size=(2, 2))
    if not repeat and scheme == "flat":
        np.fill_diagonal(edges, -np.inf)
    cells = rng.normal(scale=2.0, size=(length, int(longest.sum())))
    if rng.random() < 0.3:  # ties
        cells, edges = np.round(cells), np.round(edges)
    scores = _core.SegmentScores.from_arrays(
        longest, cells, edges, rng.normal(size=2), rng.normal(size=2), np.array(tags, dtype=np.int32)
    )
    words = [str(word) for word in rng.choice(["a", "B", "7", ","], size=length)]
    return SegmentLattice(scores, LabelSet(labels), words)


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("repeat", [False, True])
def test_all_ways_find_what_enumeration_finds(scheme: str, repeat: bool) -> None:
    rng = np.random.default_rng(len(scheme) + repeat)
    searched = 0
    for _ in range(25):
        lattice = random_segments(rng, scheme, repeat=repeat)
        rules = random_rules(rng, lattice.labels, int(rng.integers(0, 4)), length=lattice.length, sees=False)
        best = enumerate_best(lattice, rules)
        bound = bind(CompiledRules(rules, lattice.labels), lattice.length, lattice.tokens, {})
        [found] = search_segments([bound.segment_problem(lattice)], len(lattice.labels), Limits())
        near = near_best(Problem(lattice, bound), lattice)
        if best is None:
            assert found is None
            assert near.status == "infeasible"
            continue
        decoder = lawful.Decoder(rules, labels=lattice.labels)
        [answer] = decoder.decode_batch([lattice])
        for way in (near, answer.solution, decoder.decode(lattice).solution, *([found] if found else [])):
            assert way.status == "optimal"
            assert way.score == pytest.approx(best.score, abs=1e-9)
            assert way.bound == way.score
            names = lattice.labels.decode(way.labels or ())
            assert path_score(lattice, names) == pytest.approx(path_score(lattice.whole(), names), abs=1e-9)
            assert not any(
                rule.price == "hard" and rule.violations(names, lattice.tokens, label_set=lattice.labels)
                for rule in rules
            )
        searched += found is not None and len(found.rounds) > 1
    assert searched > 2  # rules were broken, and entered


def test_a_copy_and_what_is_near_the_best() -> None:
    rng = np.random.default_rng(5)
    for _ in range(20):
        lattice = random_segments(rng, "IOB2", repeat=True).with_context({"page": 3})
        copy = pickle.loads(pickle.dumps(lattice))  # noqa: S301
        assert copy.context == {"page": 3}
        assert copy.scores.score == lattice.scores.score
        assert copy.scores.score == pytest.approx(lawful.decode(lattice.whole()).score)
        assert copy.labels.decode(copy.scores.tags) == lawful.decode(lattice).labels
        both = zip(copy.scores.as_arrays(), lattice.scores.as_arrays(), strict=True)
        assert all(np.array_equal(ours, theirs) for ours, theirs in both)
        near = replace(lattice, least=lattice.scores.reached_by(2)).graph()
        assert near.best_path().score == pytest.approx(lattice.scores.score)
        assert near.arcs <= lattice.graph().arcs
        assert lawful.decode(lattice.unscored()).score == 0.0


def test_a_search_that_may_not_look_far_gives_up_and_another_answers() -> None:
    lattice = random_segments(np.random.default_rng(1), "flat", repeat=True)
    rule = lawful.forbid(lawful.decode(lattice).labels[0])
    bound = bind(CompiledRules(lawful.Rules(rule), lattice.labels), lattice.length, lattice.tokens, {})
    assert search_segments([bound.segment_problem(lattice)], 2, Limits(max_states=1)) == [None]
    best = enumerate_best(lattice, [rule])
    assert best is not None
    assert near_best(Problem(lattice, bound), lattice).score == pytest.approx(best.score)
