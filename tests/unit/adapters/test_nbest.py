from __future__ import annotations

import math

import numpy as np
import pytest

import lawful
from lawful import errors
from lawful.adapters.nbest import from_nbest


def test_the_lattice_holds_exactly_the_candidates() -> None:
    rng = np.random.default_rng(3)
    lists = {tuple(rng.choice(["A", "B", "C"], size=5)): float(rng.normal()) for _ in range(40)}
    lattice = from_nbest(lists.items(), labels=["A", "B", "C"])
    assert lawful.decoding.count_legal(lattice) == len(lists)
    found = {one.labels: one.score for one in lawful.nbest(lattice, n=1000)}
    assert found.keys() == lists.keys()
    assert all(found[labels] == pytest.approx(score) for labels, score in lists.items())
    expected = math.log(sum(math.exp(score) for score in lists.values()))
    assert lawful.decoding.log_partition(lattice) == pytest.approx(expected)
    prefixes = {labels[:end] for labels in lists for end in range(6)}
    assert len(lattice.states) == len(prefixes)


def test_reranking_finds_the_first_legal_candidate() -> None:
    rng = np.random.default_rng(5)
    lattice = lawful.Lattice(rng.normal(size=(8, 4)), labels=["A", "B", "C", "D"])
    rule = lawful.at_most_segments(1, "A") & lawful.at_most_segments(1, "B")
    full = lawful.nbest(lattice, n=500)
    best = lawful.decode(from_nbest(full, labels=lattice.labels), rule)
    expected = next(one for one in full if not rule.violations(one.labels))
    assert (best.labels, best.score) == (expected.labels, pytest.approx(expected.score))
    assert best.loss == pytest.approx(full[0].score - expected.score)


def test_token_rules_see_the_tokens() -> None:
    lattice = from_nbest([(["O", "O"], 0.0), (["O", "Name"], -1.0)], tokens=["by", "Ann"])
    rule = lawful.when(lawful.token.is_in(["Ann"])).then("Name")
    assert lawful.decode(lattice, rule).labels == ("O", "Name")


def test_equal_candidates() -> None:
    twice = [(["A"], 0.25), (["B"], 0.4), (["A"], 0.35)]
    assert lawful.decode(from_nbest(twice, scores="probability")).labels == ("B",)
    summed = from_nbest(twice, scores="probability", repeated="sum")
    assert lawful.decode(summed).labels == ("A",)
    assert lawful.decode(summed).score == pytest.approx(math.log(0.6))


def test_no_legal_candidate_and_the_fallback() -> None:
    lattice = from_nbest([(["A", "A"], 0.0), (["A", "B"], -1.0)])
    with pytest.raises(errors.InfeasibleError):
        lawful.decode(lattice, lawful.forbid("A"))
    assert lawful.decode(lattice, lawful.forbid("A"), max_loss=5.0).labels == ("A", "A")


@pytest.mark.parametrize(
    ("call", "says"),
    [
        (lambda: from_nbest([]), "at least one candidate"),
        (lambda: from_nbest([["A"]]), r"candidates\[0\] must hold labels and their score, got \['A'\]"),  # type: ignore[list-item]
        (lambda: from_nbest([(["A"], "high")]), r"candidates\[0\] must hold labels and their score"),  # type: ignore[list-item]
        (lambda: from_nbest([(3, 1.0)]), r"candidates\[0\] must hold labels and their score"),  # type: ignore[list-item]
        (lambda: from_nbest([None]), r"candidates\[0\] must hold labels and their score"),  # type: ignore[list-item]
        (lambda: from_nbest([("AB", 0.0)]), r"candidates\[0\] must hold a sequence of labels"),
        (lambda: from_nbest([(["A"], 0.0)], tokens=["x", "y"]), r"candidates\[0\] must have shape"),
        (lambda: from_nbest([(["A"], 0.0), (["X"], 0.0)], labels=["A"]), "unknown label 'X'"),
        (lambda: from_nbest([(["A"], 1.5)], scores="probability"), "0 to 1"),
        (lambda: from_nbest([(["A"], math.nan)]), "nan"),
        (lambda: from_nbest([], scores="logit"), "scores must be"),  # type: ignore[arg-type]
        (lambda: from_nbest([], repeated="first"), "repeated must be"),  # type: ignore[arg-type]
    ],
)
def test_mistakes_say_what_was_expected(call, says: str) -> None:
    with pytest.raises(errors.InputError, match=says):
        call()


def test_a_score_too_large_is_told_by_its_candidate() -> None:
    with pytest.raises(errors.LargeScoreError, match=r"^candidates\[1\] is -1e\+308"):
        lawful.from_nbest([(["A"], -1.0), (["B"], -1e308)])
