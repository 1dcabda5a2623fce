"""A fixed corpus under fixed rules gives, to the last digit, what it gave when the golden file was written.

`LAWFUL_REGENERATE=1 pytest tests/golden` writes the file anew; read the difference before you commit it.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import lawful
from lawful import Decoder, Decoding, LabelSet, Lattice, token

GOLDEN = Path(__file__).with_name("decoding.json")
SWITCH = "LAWFUL_REGENERATE"

LABELS = LabelSet(["O", "Name", "Street", "City", "Zip"])
WORDS = ["Ann", "Bonn", "53113", "Hauptstr", ",", "4", "of"]
RULES = lawful.Rules(
    lawful.at_most_segments(1, "Street"),
    lawful.at_most_segments(1, "City"),
    lawful.before("Street", "City").named("street-first"),
    lawful.requires("Zip", "City").soft(2.0, name="zip-needs-city"),
    lawful.segment_length("Name", 2, 3).soft(1.25, per="violation"),
    lawful.when(token.matches(r"\d{5}")).then("Zip", "O"),
    lawful.change_only_after(token.is_in([","])).soft(0.375, per="violation", name="commas"),
    lawful.uniform(lawful.context("spans")).soft(1.5),
    lawful.exactly(1, "Zip").soft(3.0, per="violation", name="one-zip"),
)


def numbers(stream: np.random.PCG64, count: int, below: int) -> list[int]:
    """Whole numbers from raw bits, which numpy promises never to change."""
    return [int(bits >> 11) % below for bits in stream.random_raw(count)]


def scores(stream: np.random.PCG64, *shape: int) -> np.ndarray[Any, np.dtype[np.float64]]:
    """Scores between -4 and 4 whose sums are exact in any order."""
    whole = numbers(stream, int(np.prod(shape)), 8193)
    return (np.array(whole, dtype=np.float64).reshape(shape) - 4096) / 1024


def corpus() -> list[Lattice]:
    """Forty sequences of 1 to 30 tokens."""
    stream = np.random.PCG64(2006)
    shared = scores(stream, 5, 5) / 4
    lattices = []
    for length in (1 + n for n in numbers(stream, 40, 30)):
        start, width = numbers(stream, 2, length)
        lattices.append(
            Lattice(
                scores(stream, length, 5),
                shared,
                labels=LABELS,
                start=scores(stream, 5),
                tokens=[WORDS[n] for n in numbers(stream, length, len(WORDS))],
                context={"spans": [(start, min(length, start + 1 + width % 4))]},
            )
        )
    return lattices


def record(found: Decoding, *, sizes: bool) -> dict[str, Any]:
    """What must not change. How much the engine looks at may, whenever it is tuned."""
    return {
        "labels": " ".join(found.labels),
        "score": found.score,
        "status": found.status,
        "loss": found.loss,
        "broken": {name: count for name, count in found.violations.items() if count},
        "rounds": [
            {"rules": [RULES.names[rule] for rule in one.rules], "score": one.score}
            | ({"states": one.states, "arcs": one.arcs} if sizes else {})
            for one in found.rounds
        ],
    }


def decoded() -> dict[str, list[dict[str, Any]]]:
    lattices = corpus()
    engine = Decoder(RULES, labels=LABELS).decode_batch(lattices)
    textbook = Decoder(RULES, labels=LABELS, solver="relaxation").decode_batch(lattices[:10])
    return {
        "auto": [record(one, sizes=False) for one in engine],
        "relaxation": [record(one, sizes=True) for one in textbook],
    }


@pytest.fixture(scope="module")
def golden() -> dict[str, list[dict[str, Any]]]:
    if os.environ.get(SWITCH):
        GOLDEN.write_text(json.dumps(decoded(), indent=1) + "\n")
    return json.loads(GOLDEN.read_text())


@pytest.mark.parametrize("solver", ["auto", "relaxation"])
def test_answers_are_what_they_were(golden: dict[str, list[dict[str, Any]]], solver: str) -> None:
    now = decoded()[solver]
    assert len(now) == len(golden[solver])
    for place, (ours, theirs) in enumerate(zip(now, golden[solver], strict=True)):
        assert ours == theirs, f"sequence {place}"


def test_the_corpus_asks_something_of_every_rule(golden: dict[str, list[dict[str, Any]]]) -> None:
    plain = Decoder(labels=LABELS).decode_batch(corpus())
    broken = {
        name
        for one in plain
        for name, count in RULES.violations(one.labels, one.lattice.tokens, one.lattice.context).items()
        if count
    }
    assert broken == set(RULES.names)
    assert any(one["loss"] > 0 for one in golden["auto"])


def test_the_switch_is_off() -> None:
    on = SWITCH in os.environ
    assert not on, f"the golden file was written anew; unset {SWITCH} and look at the difference"
