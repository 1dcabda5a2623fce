from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest

import lawful.rules
from lawful.errors import RuleError
from lawful.labels import LabelSet
from lawful.rules import Rule
from lawful.schemes import SCHEMES
from lawful.testing import (
    RULE_KINDS,
    random_graph,
    random_label_set,
    random_lattice,
    random_rule,
    random_rules,
    random_scores,
)

LABELS = LabelSet(["A", "B", "C"])


def rng(seed: int = 0) -> np.random.Generator:
    return np.random.default_rng(seed)


def test_the_same_seed_gives_the_same_problem() -> None:
    first, second = (
        (random_lattice(g), random_rules(g, LABELS, 20), random_graph(g, shape="cyclic"))
        for g in (rng(), rng())
    )
    assert first[1] == second[1]
    assert np.array_equal(first[0].emissions, second[0].emissions)
    assert (first[0].tokens, first[0].context) == (second[0].tokens, second[0].context)
    assert np.array_equal(first[2].arcs.weight, second[2].arcs.weight)


def test_rules_cover_the_whole_vocabulary() -> None:
    kinds = {
        getattr(lawful.rules, name)
        for name in lawful.rules.__all__
        if isinstance(getattr(lawful.rules, name), type) and issubclass(getattr(lawful.rules, name), Rule)
    }
    tags = random_label_set(rng(), size=5, scheme="BIO")
    made = [random_rule(rng(seed), tags if seed % 5 == 0 else LABELS) for seed in range(3000)]
    assert {type(rule) for rule in made} == kinds - {Rule}
    assert {(rule.price == "hard", rule.per) for rule in made} == {
        (True, "sequence"),
        (False, "sequence"),
        (False, "violation"),
    }


@pytest.mark.parametrize("kind", RULE_KINDS)
def test_every_kind_can_be_asked_for_and_fits_every_lattice(kind: str) -> None:
    for seed in range(40):
        rule = random_rule(rng(seed), LABELS, kind=kind, length=2)
        lattice = random_lattice(rng(seed), labels=LABELS, length=2 + seed % 4)
        labels = [LABELS[t % 3] for t in range(lattice.length)]
        assert rule.violations(labels, lattice.tokens, lattice.context) >= 0


def test_an_unknown_kind_is_refused() -> None:
    with pytest.raises(RuleError, match="unknown kind of rule 'nonsense'; the kinds are allow_only"):
        random_rule(rng(), LABELS, kind="nonsense")


def test_rules_that_do_not_see_need_neither_tokens_nor_context() -> None:
    for rule in random_rules(rng(), LABELS, 300, sees=False):
        assert rule.compile(LABELS).static
        assert rule.violations(["A", "B"]) >= 0


@pytest.mark.parametrize("scheme", SCHEMES)
def test_tags_fit_their_scheme(scheme: str) -> None:
    labels = random_label_set(rng(), size=7, scheme=scheme)
    assert lawful.rules.valid_tags(scheme).violations(list(labels)) >= 0
    assert len(labels) == 7


def test_some_names_need_quotes() -> None:
    assert random_label_set(rng(), size=2, odd_names=1.0) == LabelSet(["the 'A'", "the 'B'"])


def test_lattices_have_what_was_asked_for() -> None:
    bare = random_lattice(
        rng(),
        length=5,
        labels=LABELS,
        transitions="none",
        boundaries=False,
        masked=False,
        forbid=0.0,
        ties=True,
    )
    assert bare.transitions is None
    assert bare.start is None
    assert np.array_equal(bare.emissions, bare.emissions.round())
    full = random_lattice(
        rng(), length=5, labels=LABELS, transitions="per_step", boundaries=True, masked=True
    )
    assert full.transitions is not None
    assert full.transitions.shape == (4, 3, 3)
    assert full.start is not None
    assert full.end is not None


def test_the_share_of_forbidden_scores() -> None:
    assert 0.25 < np.isneginf(random_scores(rng(), (100, 100), forbid=0.3)).mean() < 0.35
    assert np.isfinite(random_scores(rng(), 100, forbid=0.0)).all()


@pytest.mark.parametrize("shape", ["levelled", "acyclic", "cyclic"])
def test_graphs_have_the_shape_that_was_asked_for(shape: str) -> None:
    for seed in range(30):
        graph = random_graph(rng(seed), shape=shape, size=4, forbid=0.0)
        assert graph.core.acyclic == (shape != "cyclic")
        assert (graph.length == 4) if shape == "levelled" else graph.tokens is None
        assert graph.core.best_path().cycle == []


def test_the_front_door_does_not_open_the_testing_room() -> None:
    code = "import sys, lawful; sys.exit(any(m.startswith(('lawful.testing', 'hypothesis')) for m in sys.modules))"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
    code = "import sys, lawful.testing; sys.exit('hypothesis' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
