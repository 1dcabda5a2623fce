"""Span scores equal those of seqeval (both modes) and conlleval, on legal and illegal label sequences."""

from __future__ import annotations

import importlib.util
import random
import warnings
from pathlib import Path

import pytest
import seqeval.scheme as scheme_classes
from seqeval.metrics import sequence_labeling as seqeval, v1 as strict_seqeval

from lawful import evaluate

_spec = importlib.util.spec_from_file_location("conlleval", Path(__file__).with_name("conlleval.py"))
judge = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(judge)

STRICT = ["IOB1", "IOB2", "IOE1", "IOE2", "IOBES", "BILOU"]
LETTERS = {"IOB1": "IOB", "IOB2": "IOB", "IOE1": "IOE", "IOE2": "IOE", "IOBES": "BIESO", "BILOU": "BILOU"}


def random_labels(rng: random.Random, letters: str, *, typed: bool = True) -> list[str]:
    kinds = ["X", "Y", "Z-A"]
    found = []
    for _ in range(rng.randint(1, 9)):
        letter = rng.choice(letters)
        found.append("O" if letter == "O" else f"{letter}-{rng.choice(kinds)}" if typed else letter)
    return found


def random_corpus(seed: int, letters: str, count: int, **options) -> tuple[list[list[str]], list[list[str]]]:
    rng = random.Random(seed)  # noqa: S311 - tests want the same numbers every time
    gold, predicted = [], []
    for _ in range(count):
        gold.append(random_labels(rng, letters, **options))
        noisy = random_labels(rng, letters, **options) * 9
        predicted.append([b if rng.random() < 0.3 else a for a, b in zip(gold[-1], noisy, strict=False)])
    return gold, predicted


def scores(found) -> dict[str, tuple[int, int, int]]:
    return {kind: (one.correct, one.predicted, one.gold) for kind, one in found.spans.items()}


def assert_equal_to_report(found, report: dict) -> None:
    assert set(found.spans) == set(report) - {"micro avg", "macro avg", "weighted avg"}
    rows = [
        *found.spans.items(),
        *((f"{mean} avg", getattr(found, mean)) for mean in ("micro", "macro", "weighted")),
    ]
    for name, score in rows:
        expected = report[name]
        assert score.precision == pytest.approx(expected["precision"], abs=1e-12)
        assert score.recall == pytest.approx(expected["recall"], abs=1e-12)
        assert score.f1 == pytest.approx(expected["f1-score"], abs=1e-12)
    assert all(score.gold == report[name]["support"] for name, score in found.spans.items())


@pytest.mark.parametrize("letters", ["IOB", "IOE", "IOBES", "IO", "BOES"])
def test_default_scores_are_those_of_seqeval(letters: str) -> None:
    for seed in range(4):
        gold, predicted = random_corpus(seed, letters, 250)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            report = seqeval.classification_report(gold, predicted, output_dict=True)
        found = evaluate(gold, predicted)
        assert_equal_to_report(found, report)
        assert found.token_accuracy == pytest.approx(seqeval.accuracy_score(gold, predicted), abs=1e-12)


@pytest.mark.parametrize("scheme", STRICT)
def test_strict_scores_are_those_of_seqeval(scheme: str) -> None:
    for seed in range(4):
        gold, predicted = random_corpus(seed, LETTERS[scheme], 250)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            report = strict_seqeval.classification_report(
                gold, predicted, output_dict=True, scheme=getattr(scheme_classes, scheme)
            )
        assert_equal_to_report(evaluate(gold, predicted, scheme=scheme, strict=True), report)


@pytest.mark.parametrize("letters", ["IOB", "IOE", "IO"])
@pytest.mark.parametrize("typed", [True, False])
def test_counts_are_those_of_conlleval(letters: str, typed: bool) -> None:
    for seed in range(4):
        gold, predicted = random_corpus(seed, letters, 250, typed=typed)
        found = evaluate(gold, predicted, scheme="IOBES")
        assert scores(found) == judge.conlleval(gold, predicted)
