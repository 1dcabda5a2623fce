"""Scores of many sequences in one array: what is refused, and what is treated one by one."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import lawful
from lawful.errors import (
    DtypeError,
    InfeasibleError,
    InputError,
    LargeScoreError,
    MissingContextError,
    ScoreError,
    ShapeError,
    SpanError,
    TokenError,
)

LABELS = lawful.LabelSet(["A", "B"])
SCORES = np.array([[0.0, 1.0], [0.0, 2.0], [3.0, 0.0], [0.0, 1.0], [0.0, 1.5]])
LENGTHS = [2, 1, 2]
ONE_B = lawful.Decoder(lawful.at_most(1, "B"), labels=LABELS)


def test_sequences_end_to_end_are_those_sequences() -> None:
    flat = ONE_B.decode_arrays(SCORES, LENGTHS)
    assert flat.labels.tolist() == [0, 1, 0, 0, 1]
    assert flat.offsets.tolist() == [0, 2, 3, 5]
    assert flat.scores.tolist() == [2.0, 3.0, 1.5]
    assert flat.statuses == ["optimal"] * 3
    assert flat.named == [("A", "B"), ("A",), ("A", "B")]
    assert flat[-1].tolist() == [0, 1] and len(flat) == 3


def test_padding_is_left_out_whatever_it_holds() -> None:
    padded = np.full((3, 4, 2), np.nan)
    for n, (begin, length) in enumerate(zip([0, 2, 3], LENGTHS, strict=True)):
        padded[n, :length] = SCORES[begin : begin + length]
    assert ONE_B.decode_arrays(padded, LENGTHS).named == ONE_B.decode_arrays(SCORES, LENGTHS).named


def test_no_sequence_at_all_is_an_empty_answer() -> None:
    flat = ONE_B.decode_arrays(np.zeros((0, 2)), [])
    assert len(flat) == 0 and flat.labels.size == 0 and flat.named == []


@pytest.mark.parametrize("value", [np.nan, np.inf])
def test_a_wrong_score_is_named_by_sequence_and_position(value: float) -> None:
    scores = SCORES.copy()
    scores[4, 0] = value
    with pytest.raises(
        ScoreError, match=rf"sequence 3, position 1: emissions\[4, 0\] \(label 'A'\) is {value}"
    ):
        ONE_B.decode_arrays(scores, LENGTHS)


def test_scores_that_could_overflow_are_refused() -> None:
    scores = SCORES.copy()
    scores[2, 1] = 1e303
    with pytest.raises(LargeScoreError) as caught:
        ONE_B.decode_arrays(scores, LENGTHS)
    assert caught.value.__notes__ == ["in sequence 2 of the batch"]


@pytest.mark.parametrize(
    ("changes", "error", "message"),
    [
        ({"emissions": SCORES[:, :1]}, ShapeError, "emissions must have shape"),
        ({"emissions": SCORES[:4]}, ShapeError, "lengths add up to 5"),
        ({"lengths": [2, 0, 3]}, InputError, r"lengths\[1\] is 0"),
        ({"lengths": [2.0, 3.0]}, DtypeError, "lengths must hold whole numbers"),
        ({"lengths": [[5]]}, ShapeError, "lengths must have shape"),
        ({"lengths": [6]}, InputError, r"lengths\[0\] is 6, but emissions has 5 rows$"),
        # Sums and signs that 64 bits do not hold: four of 2**62 add up to 0.
        ({"lengths": [2**62] * 4 + [5]}, InputError, r"lengths\[0\] is 4611686018427387904"),
        ({"lengths": np.array([2**64 - 1, 6], dtype=np.uint64)}, InputError, "18446744073709551615, but"),
        (
            {"emissions": SCORES[None], "lengths": np.array([2**64 - 1], dtype=np.uint64)},
            InputError,
            "emissions has 5 rows a sequence",
        ),
        ({"lengths": np.ma.array(LENGTHS, mask=[0, 1, 0])}, DtypeError, "lengths .* a masked array"),
        (
            {"tokens": np.ma.array([0] * 5, mask=[1, 0, 0, 0, 0]), "vocabulary": ["a"]},
            DtypeError,
            "tokens .* a masked array",
        ),
        ({"context": {"verb": np.ma.array([0, 0, 1], mask=[0, 0, 1])}}, DtypeError, "a masked array"),
        ({"context": "verb"}, DtypeError, "context must hold a mapping from names to columns, got 'verb'"),
        ({"transitions": np.zeros((4, 2, 2))}, ShapeError, "transitions must have shape"),
        ({"start": [0.0]}, ShapeError, "start must have shape"),
        ({"end": [0.0, np.nan]}, ScoreError, r"end\[1\] \(label 'B'\) is nan"),
        ({"tokens": ["a"]}, ShapeError, "tokens must have shape"),
        ({"tokens": "abcde"}, DtypeError, "a list of tokens"),
        ({"vocabulary": ["a"]}, InputError, "a vocabulary needs tokens"),
        ({"tokens": [0, 0, 0, 0, 1], "vocabulary": ["a"]}, InputError, r"tokens\[4\] is 1"),
        ({"tokens": list("aaaaa"), "vocabulary": ["a"]}, DtypeError, "numbers of words"),
        ({"context": {"verb": [1]}}, ShapeError, r"context\['verb'\] must have shape"),
        ({"context": {"verb": 1}}, DtypeError, "a value for each sequence"),
        ({"context": {"spans": np.zeros((2, 2), dtype=int)}}, ShapeError, r"\(M, 3\) for spans"),
        (
            {"context": {"spans": np.array([[1, 0, 1], [0, 0, 1]])}},
            InputError,
            "in the order of the 3 sequences",
        ),
    ],
)
def test_arrays_that_do_not_fit_are_refused(changes: dict[str, Any], error: type, message: str) -> None:
    with pytest.raises(error, match=message):
        ONE_B.decode_arrays(**({"emissions": SCORES, "lengths": LENGTHS} | changes))


def test_contradictions_name_their_sequence_or_get_the_least_bad_answer() -> None:
    rules = lawful.Rules(lawful.at_least(2, "B"))
    with pytest.raises(InfeasibleError) as caught:
        lawful.Decoder(rules, labels=LABELS).decode_arrays(SCORES, LENGTHS)
    assert caught.value.sequence == 1
    flat = lawful.Decoder(rules, labels=LABELS, on_infeasible="least_bad").decode_arrays(SCORES, LENGTHS)
    assert flat.statuses == ["optimal", "infeasible", "optimal"]
    assert flat.named == [("B", "B"), ("B",), ("B", "B")]


@pytest.mark.parametrize("options", [{"solver": "a_star"}, {"max_loss": 0.5}])
def test_what_is_not_for_the_core_is_decoded_one_by_one(options: dict[str, Any]) -> None:
    decoder = lawful.Decoder(lawful.at_most(1, "B"), labels=LABELS, **options)
    lattices = [lawful.Lattice(rows, labels=LABELS) for rows in np.split(SCORES, [2, 3])]
    flat, batch = decoder.decode_arrays(SCORES, LENGTHS), decoder.decode_batch(lattices)
    assert flat.named == batch.labels and flat.scores.tolist() == batch.scores.tolist()


LOOKING = lawful.Rules(
    lawful.when(lawful.token.is_in(["b"])).then("B"),
    lawful.uniform(),
    lawful.label_at(lawful.context("verb"), "B"),
    lawful.forbid(lawful.context("banned", default=())),
)


@pytest.mark.parametrize(
    ("context", "tokens", "error"),
    [
        ({"spans": [[], [], [(0, 3)]], "verb": [0, 0, 0]}, "abcde", SpanError),
        ({"spans": np.array([[2, 0, 3]]), "verb": [0, 0, 0]}, "abcde", SpanError),
        ({"spans": [[], [], []]}, "abcde", MissingContextError),
        ({"spans": [[], [], []], "verb": np.array([0, 0, 5])}, "abcde", InputError),
        ({"spans": [[], [], []], "verb": [0, 0, 0]}, None, TokenError),
        ({"spans": [[], [], []], "verb": [0, 0, 0]}, ["a", "b", "c", "d", 5], TokenError),
    ],
)
def test_what_rules_find_wrong_is_said_as_by_a_batch_of_lattices(
    context: Any, tokens: Any, error: type
) -> None:
    decoder = lawful.Decoder(LOOKING, labels=LABELS)
    words = None if tokens is None else list(tokens)
    lattices = [
        lawful.Lattice(
            SCORES[begin:end],
            labels=LABELS,
            tokens=None if words is None else words[begin:end],
            context={
                name: [(int(a), int(b)) for m, a, b in column if m == n]
                if getattr(column, "ndim", 1) == 2
                else (column.tolist() if isinstance(column, np.ndarray) else column)[n]
                for name, column in context.items()
            },
        )
        for n, (begin, end) in enumerate([(0, 2), (2, 3), (3, 5)])
    ]
    with pytest.raises(error) as of_batch:
        decoder.decode_batch(lattices)
    with pytest.raises(error) as of_arrays:
        decoder.decode_arrays(SCORES, LENGTHS, tokens=words, context=context)
    assert str(of_arrays.value) == str(of_batch.value)
    assert of_arrays.value.__notes__ == of_batch.value.__notes__


def test_a_vocabulary_is_looked_at_once_if_it_is_the_same_tuple() -> None:
    asked: list[str] = []

    def is_b(word: str) -> bool:
        asked.append(word)
        return word == "b"

    decoder = lawful.Decoder(lawful.when(is_b).then("B"), labels=LABELS)
    vocabulary = ("a", "b", "c")
    for _ in range(3):
        flat = decoder.decode_arrays(SCORES, LENGTHS, tokens=np.array([0, 0, 1, 2, 2]), vocabulary=vocabulary)
        assert flat.named[1] == ("B",)
    assert asked == ["a", "b", "c"]
