"""A batch that is counted as arrays says what counting its sequences one by one would."""

from __future__ import annotations

import numpy as np
import pytest

import lawful
from lawful.decoding import Decoder
from lawful.report.numbered_batch import LabelNumbers, count_violations, number_batch

LABELS = lawful.LabelSet(["A", "B", "C"])
RULES = lawful.Rules(
    lawful.at_most(1, "A"),
    lawful.when(lawful.token.matches("x")).then("B").soft(0.5),
    lawful.requires("B", "C").soft(1.0, per="violation"),
)


def lattices(count: int, rng: np.random.Generator) -> list[lawful.Lattice]:
    return [
        lawful.Lattice(
            rng.normal(size=(length, 3)), labels=LABELS, tokens=rng.choice(["x", "y"], length).tolist()
        )
        for length in rng.integers(1, 7, size=count).tolist()
    ]


@pytest.mark.parametrize("foreign", [0.0, 0.2])
@pytest.mark.parametrize("seed", range(5))
def test_violations_are_those_by_the_rules_meaning(seed: int, foreign: float) -> None:
    rng = np.random.default_rng(seed)
    some = lattices(40, rng)
    gold = [
        tuple(rng.choice(["A", "B", "C", "?"], len(one.tokens or ()), p=[0.4, 0.3, 0.3 - foreign, foreign]))
        for one in some
    ]
    decoder, plain = Decoder(RULES, labels=LABELS), Decoder(labels=LABELS)
    ruled, without = decoder.decode_batch(some), plain.decode_batch(some)
    numbers = LabelNumbers(LABELS)
    batch = number_batch(numbers, some, without, ruled, gold)
    counts = count_violations(numbers, batch, decoder.compiled, ruled, some)
    sides = [without.labels, ruled.labels, gold]
    for index, lattice in enumerate(some):
        for side in range(3):
            expected = RULES.violations(sides[side][index], lattice.tokens)
            assert counts[index, side].tolist() == list(expected.values()), (index, side)
    assert batch.changed.tolist() == [
        old != new for old, new in zip(without.labels, ruled.labels, strict=True)
    ]
    assert 0 < batch.changed.sum() < 40


def test_paths_that_differ_in_length_are_told_apart() -> None:
    two_ways = lawful.GraphLattice.from_nbest([(["A"], 1.0), (["B", "C"], 0.5)], labels=LABELS)
    some = [two_ways, two_ways]
    ruled = Decoder(lawful.forbid("A"), labels=LABELS).decode_batch(some)
    numbers = LabelNumbers(LABELS)
    batch = number_batch(numbers, some, Decoder(labels=LABELS).decode_batch(some), ruled, [("A",), None])
    assert batch.changed.tolist() == [True, True]
    assert batch.gold is None
    assert (batch.before.lengths.tolist(), batch.after.lengths.tolist()) == ([1, 1], [2, 2])
    compiled = Decoder(lawful.forbid("A"), labels=LABELS).compiled
    counts = count_violations(numbers, batch, compiled, ruled, some)
    assert counts[:, :, 0].tolist() == [[1, 0, 0]] * 2


def test_labels_are_numbered_by_what_they_say() -> None:
    """Not by which string says it, and however many there are."""
    names = [f"label{number}" for number in range(700)]
    numbers = LabelNumbers(lawful.LabelSet(names))
    again = tuple("".join(list(name)) for name in names)
    assert numbers.read([tuple(names), again, (again[699], names[699], again[0])]).flat.tolist() == [
        *range(700), *range(700), 699, 699, 0,
    ]  # fmt: skip
