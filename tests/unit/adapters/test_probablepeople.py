"""probablepeople under rules: its own answers where it has one, the best legal ones where it raises an error."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import product
from typing import Any

import numpy as np
import probablepeople as package
import pytest

import lawful
from lawful.adapters import probablepeople
from lawful.errors import InputError

TYPES = ["generic", "person", "company"]
LABELS = package.TAGGERS["generic"].labels()
HISTORY = [
    "And",
    "AKA",
    "ProxyFor",
    "GivenName",
    "CorporationNameOrganization",
    "CorporationNameBranchType",
]
NAMES = ["GivenName", "Surname", "And", "AKA"]


def theirs(monkeypatch: pytest.MonkeyPatch, labels: Sequence[str]) -> Any:
    """What the package makes of these labels; None if it raises."""
    tokens = [f"{place}," for place in range(len(labels))]
    monkeypatch.setattr(package, "parse", lambda text, type=None: list(zip(tokens, labels, strict=True)))
    try:
        return package.tag("")
    except package.RepeatedLabelError:
        return None


def breaks(labels: Sequence[str], sequences: np.ndarray) -> np.ndarray:
    """Which rows (N, T) of label numbers break one of the rules, all rows at once."""
    broken = np.zeros(len(sequences), dtype=bool)
    for rule in probablepeople.rules(labels):
        numbers = dict(rule.classes)
        classes = np.array([numbers[label] for label in labels])
        state = np.zeros(len(sequences), dtype=np.int64)
        for column in classes[sequences].T:
            broken |= rule.machine.violations[state, column] > 0
            state = rule.machine.delta[state, column].astype(np.int64)
        broken |= rule.machine.final[state] > 0
    return broken


@pytest.mark.parametrize(
    ("labels", "longest"), [(LABELS, 3), (HISTORY, 6), (NAMES, 7)], ids=["all labels", "history", "names"]
)
def test_the_rules_are_broken_exactly_where_the_package_raises(
    monkeypatch: pytest.MonkeyPatch, labels: list[str], longest: int
) -> None:
    arrange = probablepeople.parser().arrange
    raised = 0
    for length in range(1, longest + 1):
        rows = np.array(list(product(range(len(labels)), repeat=length)))
        tokens = [f"{place}," for place in range(length)]
        for row, broken in zip(rows, breaks(labels, rows), strict=True):
            sequence = [labels[k] for k in row]
            expected = theirs(monkeypatch, sequence)
            assert broken == (expected is None), sequence
            if expected is None:
                fields, _ = arrange(tokens, sequence, merge=False)
                assert any("(2)" in name for name in fields)
                raised += 1
            else:
                assert (
                    arrange(tokens, sequence, merge=False)
                    == arrange(tokens, sequence, merge=True)
                    == expected
                )
    assert raised > 0


def test_longer_histories_too(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(4)
    for length in (8, 12):
        rows = rng.integers(len(LABELS), size=(1000, length))
        # few enough kinds of labels that some of these are legal
        rows[:700] = np.array([LABELS.index(label) for label in HISTORY])[
            rng.integers(len(HISTORY), size=(700, length))
        ]
        rows[:, 1::2] = np.where(rng.random((1000, length // 2)) < 0.5, rows[:, ::2], rows[:, 1::2])
        broken = breaks(LABELS, rows)
        assert 0 < broken.sum() < len(rows)
        for row, found in zip(rows, broken, strict=True):
            assert found == (theirs(monkeypatch, [LABELS[k] for k in row]) is None)


def made_up_names(count: int) -> list[str]:
    rng = np.random.default_rng(6)

    def pick(*options: str) -> str:
        return options[int(rng.integers(len(options)))]

    def person() -> str:
        given = pick("John", "Mary Ann", "J. R.", "Belinda", "Wei")
        return f"{pick('', 'Mr. ', 'Dr. ')}{given} {pick('Smith', 'van der Berg', 'Lee', 'Carran')}{pick('', ' Jr.', ', MD')}"

    def company() -> str:
        return f"{pick('Acme', 'First National', 'Smith & Sons', 'Chicago')} {pick('Bank', 'Widgets', 'Committee')} {pick('LLC', 'Inc.', 'Local 12', '')}"

    def one() -> str:
        return person() if rng.random() < 0.6 else company()

    joints = [" and ", " & ", " aka ", " c/o ", " dba ", ", ", " "]
    return [one() if rng.random() < 0.4 else one() + pick(*joints) + one() for _ in range(count)]


@pytest.mark.parametrize("kind", TYPES)
def test_what_the_package_parses_comes_out_unchanged(kind: str) -> None:
    texts = made_up_names(250)
    raised = 0
    for text, found in zip(texts, probablepeople.decode_many(texts, kind), strict=True):
        assert found.plain_labels == tuple(label for _, label in package.parse(text, kind))
        try:
            expected = package.tag(text, kind)
        except package.RepeatedLabelError:
            raised += 1
            assert found.loss > 0
            assert bool(found.changed) != found.fell_back
        else:
            assert (found.fields, found.kind) == expected
            assert (found.loss, found.changed, found.fell_back) == (0.0, (), False)
    assert raised > 3


@pytest.mark.parametrize("kind", TYPES)
def test_the_lattice_is_that_of_the_shipped_model(kind: str) -> None:
    tagger, judge = probablepeople.parser(kind).tagger, package.TAGGERS[kind]
    for text in made_up_names(60):
        items = package.tokens2features(package.tokenize(text))
        lattice, labels = tagger.lattice(items), judge.tag(items)
        expected = math.log(judge.probability(labels))
        assert lawful.lattice.path_score(lattice, labels) - lawful.decoding.log_partition(
            lattice
        ) == pytest.approx(expected, abs=1e-9)


def test_the_one_function_calls_agree() -> None:
    text = "Mr. and Mrs. John Smith"
    found = probablepeople.decode(text)
    assert probablepeople.tag(text) == (found.fields, found.kind) == package.tag(text)
    assert probablepeople.parse(text) == found.pairs == package.parse(text)
    assert probablepeople.tag("") == package.tag("") == ({}, "Person")


def test_an_unknown_type_is_named() -> None:
    with pytest.raises(InputError, match="'generic', 'person', 'company' or None, got 'cat'"):
        probablepeople.tag("Jane Doe", "cat")
