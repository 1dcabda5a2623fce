from __future__ import annotations

import math

import numpy as np
import pytest

import lawful
from lawful import errors
from lawful.adapters.arrays import as_floats, as_labels, as_mask, log_probabilities
from lawful.adapters.logits import from_logits, from_logits_batch

LABELS = ["O", "B", "I"]


def logits(*shape: int, seed: int = 0) -> np.ndarray:
    return np.random.default_rng(seed).normal(scale=3.0, size=shape)


def test_rows_become_log_probabilities() -> None:
    given = logits(5, 3)
    emissions = from_logits(given, LABELS).emissions
    for row, raw in zip(emissions, given, strict=True):
        total = sum(math.exp(x) for x in raw)
        assert row == pytest.approx([math.log(math.exp(x) / total) for x in raw])


def test_raw_scores_stay_as_they_are() -> None:
    given = logits(5, 3)
    assert np.array_equal(from_logits(given, LABELS, log_softmax=False).emissions, given)


def test_normalising_changes_no_answer_and_no_probability() -> None:
    given, steps = logits(7, 3), logits(3, 3, seed=1)
    rules = lawful.at_most_segments(1, "B")
    raw = from_logits(given, LABELS, log_softmax=False, transitions=steps)
    normal = from_logits(given, LABELS, transitions=steps)
    assert lawful.decode(raw, rules).labels == lawful.decode(normal, rules).labels
    assert lawful.decode(raw, rules).loss == pytest.approx(lawful.decode(normal, rules).loss)
    assert lawful.marginals(raw, rules).labels == pytest.approx(lawful.marginals(normal, rules).labels)


def test_large_logits_do_not_overflow_and_bans_stay_bans() -> None:
    emissions = from_logits([[1e5, -np.inf, 0.0], [-np.inf, -np.inf, -np.inf]], LABELS).emissions
    assert emissions.tolist() == [[0.0, -math.inf, -1e5], [-math.inf] * 3]


def test_start_end_tokens_and_context_arrive() -> None:
    lattice = from_logits(
        logits(2, 3), LABELS, start=[0, 1, 2], end=[3, 4, 5], tokens=["a", "b"], context={"verb": 1}
    )
    assert lattice.start is not None
    assert lattice.end is not None
    assert (lattice.start.tolist(), lattice.end.tolist()) == ([0, 1, 2], [3, 4, 5])
    assert (lattice.tokens, lattice.context["verb"]) == (("a", "b"), 1)


def test_a_mask_leaves_rows_out_wherever_they_are() -> None:
    given = logits(4, 3)
    lattice = from_logits(given, LABELS, mask=[0, 1, 0, 1], log_softmax=False, tokens=["x", "y"])
    assert np.array_equal(lattice.emissions, given[[1, 3]])


def test_lengths_and_masks_of_a_batch_agree() -> None:
    batch, steps = logits(3, 5, 3), logits(3, 3, seed=1)
    by_length = from_logits_batch(batch, LABELS, lengths=np.array([5, 2, 1]), transitions=steps)
    mask = np.arange(5)[None] < np.array([5, 2, 1])[:, None]
    by_mask = from_logits_batch(batch, LABELS, mask=mask.astype(int), transitions=steps)
    alone = [from_logits(batch[i, :n], LABELS, transitions=steps) for i, n in enumerate([5, 2, 1])]
    for one, two, three in zip(by_length, by_mask, alone, strict=True):
        assert np.array_equal(one.emissions, two.emissions)
        assert np.array_equal(one.emissions, three.emissions)
        assert np.array_equal(one.transitions, steps)


def test_a_list_of_sequences_of_different_lengths() -> None:
    lattices = from_logits_batch([logits(2, 3), logits(4, 3)], LABELS, tokens=[["a", "b"], list("abcd")])
    assert [(one.length, one.tokens) for one in lattices] == [(2, ("a", "b")), (4, tuple("abcd"))]


def test_what_is_left_out_may_be_anything() -> None:
    batch = logits(1, 3, 3)
    batch[0, 2] = np.nan
    assert from_logits_batch(batch, LABELS, lengths=[2])[0].length == 2


@pytest.mark.parametrize("value", [math.nan, math.inf])
def test_a_bad_score_is_named_by_its_place_in_what_came(value: float) -> None:
    batch = logits(2, 4, 3)
    batch[1, 3, 2] = value
    with pytest.raises(errors.ScoreError) as caught:
        from_logits_batch(batch, LABELS, mask=[[1, 1, 1, 1], [1, 0, 0, 1]])
    assert (caught.value.array, caught.value.index, caught.value.label) == ("logits[1]", (3, 2), "I")


@pytest.mark.parametrize(
    ("call", "says"),
    [
        (lambda: from_logits(logits(2, 3, 3), LABELS), "from_logits_batch"),
        (lambda: from_logits(logits(2, 4), LABELS), r"logits must have shape \(T, 3\)"),
        (lambda: from_logits(logits(2, 3), LABELS, mask=[1]), "mask must have shape"),
        (lambda: from_logits(logits(2, 3), LABELS, mask=[1, 7]), "1 and 0"),
        (lambda: from_logits(logits(2, 3), LABELS, mask=[0, 0]), "after its mask"),
        (lambda: from_logits_batch(logits(2, 3), LABELS), r"\(B, T, 3\)"),
        (lambda: from_logits_batch(logits(2, 2, 3), LABELS, lengths=[1]), "one for each sequence"),
        (lambda: from_logits_batch(logits(2, 2, 3), LABELS, lengths=[1, 3]), r"lengths\[1\] must be 0 to 2"),
        (lambda: from_logits_batch(logits(2, 2, 3), LABELS, lengths=[1, 0]), r"logits\[1\]"),
        (lambda: from_logits_batch(logits(1, 1, 3), LABELS, lengths=[1], mask=[[1]]), "not both"),
        (lambda: from_logits_batch(logits(2, 2, 3), LABELS, tokens=[["a", "b"]]), "tokens must have shape"),
        (lambda: as_floats(np.array([1j]), "logits"), "must hold numbers"),
        (lambda: as_labels({0: "O", 2: "B"}), "0 to 1"),
        (lambda: as_labels({"O": 0, "B": 2}), "0 to 1"),
        (lambda: as_labels({"O": "B"}), "numbers as keys and names as values"),
        (lambda: as_labels({"O", "B"}), "in the order of the scores, got a set"),
    ],
)
def test_mistakes_say_what_was_expected(call, says: str) -> None:
    with pytest.raises(errors.InputError, match=says):
        call()


def test_a_models_own_naming_of_labels_is_understood() -> None:
    assert as_labels({"1": "B", "0": "O"}) == lawful.LabelSet(["O", "B"])
    assert as_labels({"B": 1, "O": 0}) == lawful.LabelSet(["O", "B"])  # label2id
    for wrong in ({"A": 0, "B": 0}, {None: "A"}):
        with pytest.raises(errors.DtypeError, match="labels"):
            as_labels(wrong)
    assert as_mask(np.array([True, False]), "mask", (2,)).tolist() == [True, False]
    assert log_probabilities(np.zeros((0, 3))).shape == (0, 3)
