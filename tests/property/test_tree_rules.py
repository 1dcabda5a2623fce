"""Rules over random trees mean what they say of spans of words, and hold exactly over histories: both at once, against enumeration."""

from __future__ import annotations

from itertools import combinations, product

import numpy as np
import pytest

import lawful
from lawful.corpus.trees import Tree
from lawful.encodings import ComposedLattices
from lawful.errors import InfeasibleError
from lawful.lattice import path_score
from lawful.rules import Rules
from lawful.tasks import load_rules
from lawful.tasks.srl import Analysis
from lawful.tasks.srl.constituents import (
    PREDICATE,
    ConstituentSequence,
    HistoryTags,
    classification_features,
    constituent_sequence,
    identification_features,
)
from lawful.testing import random_lattice

LABELS = ("O", "A0", "A1", "AM-TMP")
ALL_RULES = load_rules("srl/constituents")
RULES = Rules(
    ALL_RULES[name]
    for name in ("NO DUPLICATE A0", "NO DUPLICATE A1", "NO ARGUMENT INSIDE ANOTHER", "LEGAL ROLES")
)
HISTORIES = HistoryTags(
    LABELS, (("A0",), ("A0", PREDICATE), ("A0", PREDICATE, "A1"), ("A1",), (PREDICATE, "A1"))
)
PHRASES, TAGS = ("NP", "PP", "S", "ADVP", "VP", "SBAR", "NP-SBJ"), ("DT", "NN", "IN", ",", "-NONE-", "RB")


def random_tree(rng: np.random.Generator, words: int) -> Tree:
    """Any tree: words alone under the root, unary chains, traces, deep ones."""
    phrases = [("S", 0, words)]

    def divide(start: int, end: int, depth: int) -> None:
        position = start
        while position < end:
            size = int(rng.integers(1, end - position + 1))
            for _ in range(int(rng.choice([0, 1, 1, 2]))):  # 2: a unary chain
                phrases.append((str(rng.choice(PHRASES)), position, position + size))
            if depth < 4 and size > 1:
                divide(position, position + size, depth + 1)
            position += size

    divide(0, words, 0)
    ordered = sorted(range(len(phrases)), key=lambda i: (phrases[i][1], -phrases[i][2], i))
    return Tree.of([phrases[i] for i in ordered], rng.choice(TAGS, size=words).tolist())


def random_proposition(rng: np.random.Generator, words: int) -> tuple[Analysis, int, ConstituentSequence]:
    tree = random_tree(rng, words)
    pos = tuple(tree.nodes[leaf].label for leaf in tree.leaves)
    layers = Analysis(tuple(f"w{position}" for position in range(words)), pos, (), tree=tree)
    predicate = int(rng.integers(words))
    roles = ["A0", "A1", "A2"][: int(rng.integers(0, 4))]
    return layers, predicate, constituent_sequence(layers, predicate, "go", allowed={"go": roles})


def test_rules_mean_what_they_say_of_spans() -> None:
    """Judged by the words of the arguments alone, without the levels that the rule looks at."""
    rng = np.random.default_rng(70)
    nested = broken = 0
    for _ in range(300):
        layers, predicate, made = random_proposition(rng, int(rng.integers(1, 9)))
        for features in (identification_features, classification_features):
            assert len(features(layers, predicate, "go", made.constituents)) == len(made)
        assert len(set(made.spans)) == len(made) and not any(s <= predicate < e for s, e in made.spans)
        if not made.spans:
            continue
        nested += any(one[0] <= other[0] and other[1] <= one[1] for one, other in combinations(made.spans, 2))
        for _ in range(20):
            labels = rng.choice(LABELS, size=len(made), p=[0.55, 0.15, 0.15, 0.15]).tolist()
            found = made.unlabel(labels)
            inside = any(
                one != other and one.start <= other.start and other.end <= one.end
                for one, other in product(found, repeat=2)
            )
            taken = [span.type for span in found]
            expected = {
                "NO DUPLICATE A0": taken.count("A0") > 1,
                "NO DUPLICATE A1": taken.count("A1") > 1,
                "NO ARGUMENT INSIDE ANOTHER": inside,
                "LEGAL ROLES": bool(set(taken) & set(made.sentence.context["disallowed"])),
            }
            counts = RULES.violations(labels, list(made.sentence.inputs()), made.sentence.context)
            assert {name: count > 0 for name, count in counts.items()} == expected
            broken += inside
    assert nested > 50 and broken > 50  # or nothing here could fail


@pytest.mark.parametrize("chunk", range(3))
def test_histories_under_rules_are_decoded_exactly(chunk: int) -> None:
    rng = np.random.default_rng([71, chunk])
    encoding = HISTORIES.encoding(attributes=lambda tokens: [token["after"] for token in tokens])
    composed = ComposedLattices(encoding, encoding.tags)
    ruled = tried = 0
    while tried < 60:
        _, _, made = random_proposition(rng, int(rng.integers(2, 9)))
        if not 0 < len(made) <= 5:
            continue
        tried += 1
        after = int(str(made.sentence.context["after"]))
        inputs = [
            {**token, "after": ["after predicate"] if position == after else []}
            for position, token in enumerate(made.sentence.inputs())
        ]
        tags = random_lattice(
            rng,
            length=len(made),
            labels=encoding.tags,
            tokens=inputs,
            context=made.sentence.context,
            forbid=0.02,
        )
        best, free = -np.inf, -np.inf
        for labels in product(LABELS, repeat=len(made)):
            score = path_score(tags, HISTORIES.encode(labels, after))
            free = max(free, score)
            if score > best and not any(RULES.violations(labels, inputs, made.sentence.context).values()):
                best = score
        try:
            decoding = lawful.decode(composed(tags), RULES)
        except InfeasibleError:
            assert best == -np.inf
            continue
        assert decoding.status == "optimal" and decoding.score == pytest.approx(best, abs=1e-9)
        earned = path_score(tags, HISTORIES.encode(decoding.labels, after))
        assert earned == pytest.approx(best, abs=1e-9)
        assert not any(RULES.violations(decoding.labels, inputs, made.sentence.context).values())
        ruled += best < free - 1e-9
    assert ruled > 20
