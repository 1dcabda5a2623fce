from __future__ import annotations

import json
from itertools import product
from math import comb

import numpy as np
import pytest

import lawful
from lawful import Sentence, evaluate
from lawful.errors import InputError
from lawful.evaluation import compare_outputs, evaluate_change, evaluate_change_of_numbers, mcnemar_test
from lawful.evaluation.bootstrap import bootstrap_intervals, resample
from lawful.schemes import find_spans


def test_everything_of_a_small_case() -> None:
    gold = [["A", "A", "B", "O"], ["B"], ["A", "O"]]
    predicted = [["A", "B", "B", "O"], ["B"], ["A", "A"]]
    found = evaluate(gold, predicted, scheme="flat")
    assert (found.sequences, found.tokens) == (3, 7)
    assert found.token_accuracy == 5 / 7
    assert found.sequence_accuracy == 1 / 3
    assert found.labels["A"].to_dict() == {
        "precision": 2 / 3, "recall": 2 / 3, "f1": 2 / 3, "correct": 2, "predicted": 3, "gold": 3,
    }  # fmt: skip
    assert (found.spans["A"].correct, found.spans["A"].predicted, found.spans["A"].gold) == (0, 2, 2)
    assert (found.spans["B"].correct, found.spans["B"].predicted, found.spans["B"].gold) == (1, 2, 2)
    assert found.confusion.labels == ("A", "B", "O")
    assert found.confusion.counts.tolist() == [[2, 1, 0], [0, 2, 0], [1, 0, 1]]
    assert found.confusion.most_confused() == [("A", "B", 1), ("O", "A", 1)]
    assert found.fields is None and found.intervals == {} and found.violations == {}
    assert json.loads(json.dumps(found.to_dict()))["micro"]["correct"] == 1


def test_violations_of_each_rule_in_gold_and_predicted() -> None:
    rules = lawful.Rules(
        lawful.at_most_segments(1, "A").named("one A"),
        lawful.when(lawful.token.matches(r"\d+")).then("B").named("numbers"),
    )
    gold = [Sentence(("x", "7", "y"), ("A", "B", "A"))]
    found = evaluate(gold, [["A", "A", "A"]], rules=rules)
    assert found.violations == {"one A": (1, 0, 1, 0), "numbers": (0, 1, 0, 1)}
    assert "one A" in str(found)


def test_rules_see_columns_by_name_and_context() -> None:
    rule = lawful.when(lawful.token.column("pos", "NN")).then("B").named("nouns")
    gold = [Sentence(("x",), ("A",), {"pos": ("NN",)})]
    assert evaluate(gold, [["B"]], rules=rule).violations["nouns"] == (1, 0, 1, 0)


def test_rules_read_the_column_that_is_called_text() -> None:
    rule = lawful.when(lawful.token.matches("b")).then("B").named("b")
    gold = [Sentence(("a", "b"), ("A", "A"), {"text": ("b", "a")}), Sentence(("b",), ("A",))]
    assert evaluate(gold, [["B", "A"], ["B"]], rules=rule).violations["b"] == (2, 0, 2, 0)


def test_fields_of_random_labels_are_counted_as_by_hand() -> None:
    rng = np.random.default_rng(3)
    gold, predicted = [], []
    for length in [
        *rng.integers(0, 12, size=80),
        90,
        200,
    ]:  # some spans are longer than what is numbered word by word
        tokens = tuple(rng.choice(["a", "A", "b"], size=length).tolist())
        blocks = [
            rng.choice(["X", "Y", "O"], size=-(-length // size)).repeat(size)[:length] for size in (40, 45, 2)
        ]
        sides = (blocks[0], blocks[1]) if length > 40 else (blocks[2], rng.choice(["X", "Y"], size=length))
        gold.append(Sentence(tokens, tuple(map(str, sides[0]))))
        predicted.append(list(map(str, sides[1])))
    found = evaluate(gold, predicted, scheme="flat").fields
    for name in ("X", "Y"):
        counts = np.zeros(3, dtype=int)
        for sentence, labels in zip(gold, predicted, strict=True):
            right, guess = (
                {
                    " ".join(sentence.tokens[start:end]).lower()
                    for kind, start, end in find_spans(side, "flat")
                    if kind == name
                }
                for side in (sentence.labels, labels)
            )
            counts += (len(right & guess), len(guess), len(right))
        assert (found[name].correct, found[name].predicted, found[name].gold) == tuple(counts)
    assert 0 < found["X"].correct < found["X"].predicted


def test_fields_are_values_and_not_mentions() -> None:
    gold = [Sentence(("At", "3", "or", "3", "or", "4"), ("O", "B-T", "O", "B-T", "O", "B-T"))]
    found = evaluate(gold, [["O", "O", "O", "B-T", "O", "O"]])
    assert (found.fields["T"].correct, found.fields["T"].predicted, found.fields["T"].gold) == (1, 1, 2)
    assert found.spans["T"].recall == 1 / 3


@pytest.mark.parametrize(
    ("gold", "predicted", "said"),
    [
        ([["A"], ["A"]], [["A"]], "predicted ends after 1 sequences"),
        ([["A"]], [["A"], ["B"]], "gold ends after 1 sequences"),
        ([["A"]], [["A", "B"]], "sequence 1 has 1 gold labels, but 2 predicted ones"),
        ([Sentence(("a",))], [["A"]], "sequence 1 of gold has no labels"),
        (
            [Sentence(("a", "b"), ("A", "A"), source="g.conll", lines=range(4, 6))],
            [Sentence(("a", "c"), ("A", "A"))],
            "g.conll, line 5: token 1 of sequence 1 is 'b' in gold, but 'c' in predicted",
        ),
        (["AB"], ["AB"], "must be a list of labels"),
        ([], [], "no sequences"),
    ],
)
def test_what_does_not_fit_together_is_refused(gold, predicted, said: str) -> None:
    with pytest.raises(InputError, match=said):
        evaluate(gold, predicted)


def test_strict_needs_a_scheme_and_its_own_tags() -> None:
    with pytest.raises(InputError, match="needs a scheme"):
        evaluate([["A"]], [["A"]], strict=True)
    with pytest.raises(InputError, match="token 0: E-X is not a tag of IOB2"):
        evaluate([["E-X"]], [["O"]], scheme="IOB2", strict=True)
    with pytest.raises(InputError, match="scheme='flat'"):
        evaluate([["author"]], [["author"]], scheme="IOB2")


def test_bootstrap_covers_the_truth_as_often_as_it_says() -> None:
    rng = np.random.default_rng(7)
    inside = 0
    for trial in range(200):
        right = rng.binomial(20, 0.8, size=80)
        counts = np.zeros((80, 7), dtype=np.int64)
        counts[:, 0], counts[:, 2], counts[:, 3] = 1, 20, right
        low, high = bootstrap_intervals(counts, ["token_accuracy"], rounds=400, seed=trial)["token_accuracy"]
        inside += low <= 0.8 <= high
    assert 180 <= inside <= 199


def test_bootstrap_equals_a_plain_loop_in_distribution() -> None:
    rng = np.random.default_rng(1)
    counts = rng.integers(1, 9, size=(30, 7))
    counts[:, 3] = np.minimum(counts[:, 3], counts[:, 2])
    plain = []
    for _ in range(4000):
        drawn = counts[rng.integers(0, 30, size=30)].sum(axis=0)
        plain.append(drawn[3] / drawn[2])
    found = bootstrap_intervals(counts, ["token_accuracy"], rounds=4000)["token_accuracy"]
    assert found == pytest.approx(np.quantile(plain, [0.025, 0.975]), abs=0.01)


def test_randomization_equals_all_swaps() -> None:
    gold = [["A", "B"], ["B", "B"], ["A", "A"], ["B", "A"], ["A", "B"]]
    first = [["A", "A"], ["B", "A"], ["A", "A"], ["A", "A"], ["B", "A"]]
    second = [["A", "B"], ["B", "B"], ["A", "B"], ["B", "A"], ["A", "A"]]

    def accuracy(output: list[list[str]]) -> float:
        return np.mean([a == b for x, y in zip(gold, output, strict=True) for a, b in zip(x, y, strict=True)])

    found = abs(accuracy(second) - accuracy(first))
    as_large = 0
    for swaps in product((False, True), repeat=5):
        a = [y if swap else x for x, y, swap in zip(first, second, swaps, strict=True)]
        b = [x if swap else y for x, y, swap in zip(first, second, swaps, strict=True)]
        as_large += abs(accuracy(b) - accuracy(a)) >= found - 1e-12
    compared = compare_outputs(gold, first, second, metric="token_accuracy", rounds=20_000)
    assert compared.p_randomization == pytest.approx(as_large / 32, abs=0.01)
    assert compared.difference == pytest.approx(found)
    assert (compared.only_first, compared.only_second) == (1, 4)
    assert compared.p_mcnemar == pytest.approx(2 * (1 + 5) / 2**5)


def test_equal_outputs_do_not_differ() -> None:
    gold = [["B-X", "O"]] * 5
    compared = compare_outputs(gold, gold, gold, rounds=99)
    assert (compared.difference, compared.p_randomization, compared.p_bootstrap, compared.p_mcnemar) == (
        0,
        1,
        1,
        1,
    )
    assert "span F1: 100.00 against 100.00" in str(compared)
    assert json.dumps(compared.to_dict())


def test_the_same_seed_gives_the_same_answer() -> None:
    rng = np.random.default_rng(0)
    gold, first, second = (rng.choice(["A", "B"], size=(40, 6)).tolist() for _ in range(3))
    options = {"metric": "span_f1", "scheme": "flat", "rounds": 300, "seed": 5}
    assert compare_outputs(gold, first, second, **options) == compare_outputs(gold, first, second, **options)
    assert compare_outputs(gold, first, second, **options).p_randomization > 0.05  # both are noise


@pytest.mark.parametrize(("b", "c"), [(0, 0), (0, 1), (3, 9), (40, 41), (100, 150), (0, 700)])
def test_mcnemar_is_the_exact_binomial(b: int, c: int) -> None:
    n, k = b + c, min(b, c)
    expected = min(1.0, 2 * sum(comb(n, i) for i in range(k + 1)) / 2**n) if b != c else 1.0
    assert mcnemar_test(b, c) == pytest.approx(expected, rel=1e-9)


def test_mcnemar_of_many_tokens() -> None:
    assert mcnemar_test(500_000, 500_100) == pytest.approx(0.92, abs=0.005)
    assert mcnemar_test(10, 100_000) == 0.0


def test_one_label_outside_needs_no_list() -> None:
    gold, guess = [["none", "A", "A"]], [["A", "A", "none"]]
    alone, listed = (lawful.evaluate(gold, guess, outside=given).spans for given in ("none", ["none"]))
    assert alone == listed and list(alone) == ["A"]


@pytest.mark.parametrize("side", [None, "A"])
def test_what_is_no_list_of_labels(side) -> None:
    with pytest.raises(lawful.InputError, match="gold must be a list of label sequences"):
        lawful.evaluate(side, [["A"]])


@pytest.mark.parametrize("largest", [1, 40, 10**6])
def test_resampled_sums_are_those_of_the_drawn_sequences(largest: int) -> None:
    counts = np.random.default_rng(3).integers(0, largest + 1, size=(300, 7))
    counts[:, 0] = 0  # nobody may have found any
    sums = np.concatenate(list(resample(counts, 50, np.random.default_rng(5))))
    times = np.concatenate(list(resample(np.eye(300, dtype=np.int64), 50, np.random.default_rng(5))))
    assert (times.sum(axis=1) == 300).all()
    assert np.array_equal(sums, times @ counts)


@pytest.mark.parametrize("kinds", [2, 60])  # drawn together, and one by one
def test_sequences_are_drawn_as_often_as_chance_has_it(kinds: int) -> None:
    counts = np.eye(60, dtype=np.int64)[np.arange(600) % kinds]
    times = np.concatenate(list(resample(counts, 4000, np.random.default_rng(2))))[:, :kinds]
    share = 1 / kinds
    deviation = np.sqrt(600 * share * (1 - share))
    assert np.abs(times.mean(axis=0) - 600 * share).max() < 5 * deviation / np.sqrt(4000)
    assert np.abs(times.std(axis=0) / deviation - 1).max() < 0.07


def test_rows_of_large_numbers_are_told_apart_too() -> None:
    counts = np.array([[1 << 40, 1 << 30], [1, 2]] * 200)
    sums = np.concatenate(list(resample(counts, 9, np.random.default_rng(0))))
    assert np.array_equal(sums[:, 1], sums[:, 0] // (1 << 10) + (sums[:, 0] % (1 << 10)) * 2)


def test_a_change_of_numbers_is_a_change_of_labels() -> None:
    rng = np.random.default_rng(7)
    names = ["B-X", "unused", "I-X", "O"]
    gold, before, after = (rng.choice([0, 2, 3], size=60) for _ in range(3))
    lengths = np.array([20, 0, 40])
    cut = [
        [tuple(names[label] for label in part) for part in np.split(side, np.cumsum(lengths)[:-1])]
        for side in (gold, before, after)
    ]
    by_numbers = evaluate_change_of_numbers(gold, before, after, lengths, names, rounds=99)
    by_names = evaluate_change(*cut, rounds=99)
    for one, other in zip(by_numbers, by_names, strict=True):
        assert one is not None
        assert other is not None
        assert one.to_dict() == other.to_dict()
    assert by_names[0].to_dict() == evaluate(cut[0], cut[1]).to_dict()
    with pytest.raises(InputError, match="sequence 1 has 20 gold labels, but 19"):
        evaluate_change(cut[0], [cut[1][0][1:], *cut[1][1:]], cut[2], rounds=9)
