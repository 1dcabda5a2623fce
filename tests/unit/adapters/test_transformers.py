from __future__ import annotations

import numpy as np
import pytest

import lawful
from lawful import errors
from lawful.adapters.transformers.tagger import from_transformers
from lawful.testing.tiny_models import tiny_token_classifier

torch = pytest.importorskip("torch")
pytest.importorskip("transformers")

LABELS = ["O", "B-PER", "I-PER", "B-LOC", "I-LOC"]
SENTENCES = [["Ann", "Leeson", "saw", "Bonn", "."], ["Bo"], ["they", "left", "Ann", "-", "again"]]


@pytest.fixture(scope="module")
def pair():
    return tiny_token_classifier(LABELS, ["Ann", "saw", "Bonn"], max_length=32)


def reference(model, tokenizer, words) -> list[list[np.ndarray]]:
    """For each word the log-probabilities of its sub-words, one sequence at a time, by hand."""
    encoding = tokenizer(words, is_split_into_words=True, return_tensors="pt")
    with torch.no_grad():
        rows = torch.log_softmax(model(**encoding).logits[0].double(), dim=-1).numpy()
    found: list[list[np.ndarray]] = [[] for _ in words]
    for position, word in enumerate(encoding.word_ids(0)):
        if word is not None:
            found[word].append(rows[position])
    return found


@pytest.mark.parametrize("batch_size", [1, 2, 8])
def test_a_words_scores_are_those_of_its_first_sub_word(pair, batch_size: int) -> None:
    tagger = from_transformers(*pair, batch_size=batch_size)
    assert isinstance(tagger, lawful.Tagger)
    assert list(tagger.labels) == LABELS
    for words, lattice in zip(SENTENCES, tagger.lattices(SENTENCES), strict=True):
        expected = np.array([pieces[0] for pieces in reference(*pair, words)])
        assert lattice.emissions == pytest.approx(expected, abs=1e-5)
        assert lattice.tokens == tuple(words)


def test_the_mean_of_probabilities_and_the_surest_piece(pair) -> None:
    pieces = reference(*pair, SENTENCES[0])
    assert len(pieces[1]) > 1
    mean = from_transformers(*pair, strategy="mean").lattice(SENTENCES[0]).emissions
    assert np.exp(mean[1]) == pytest.approx(np.exp(pieces[1]).mean(axis=0), abs=1e-5)
    surest = from_transformers(*pair, strategy="max").lattice(SENTENCES[0]).emissions
    assert surest[1] == pytest.approx(max(pieces[1], key=max), abs=1e-5)


def test_tokens_may_be_rows_or_mappings(pair) -> None:
    tagger = from_transformers(*pair)
    plain = tagger.lattice(["Ann", "saw"])
    rows = tagger.lattice([("Ann", "NNP"), {"text": "saw", "pos": "VBD"}])
    assert np.array_equal(plain.emissions, rows.emissions)
    assert rows.tokens == (("Ann", "NNP"), {"text": "saw", "pos": "VBD"})


def test_words_that_were_truncated_away_are_named_or_uniform(pair) -> None:
    words = ["Ann", "saw"] * 20
    with pytest.raises(errors.InputError, match=r"words 30 \('Ann'\), 31 \('saw'\).*stride"):
        from_transformers(*pair).lattice(words)
    lattice = from_transformers(*pair, missing="uniform").lattice(words)
    assert np.exp(lattice.emissions[30:]) == pytest.approx(0.2)
    assert lattice.emissions[:30] == pytest.approx(
        from_transformers(*pair).lattice(words[:30]).emissions, abs=1e-5
    )


def test_a_word_without_any_sub_word_is_named(pair) -> None:
    with pytest.raises(errors.InputError, match=r"word 1 \('\\u200b ?'\)|word 1 \(' '\)"):
        from_transformers(*pair).lattice(["Ann", " ", "saw"])


def test_windows_cover_long_sequences(pair) -> None:
    words = [word for sentence in SENTENCES for word in sentence] * 4
    lattice = from_transformers(*pair, stride=8).lattice(words)
    assert lattice.length == len(words)
    model, tokenizer = pair
    encoding = tokenizer(
        words,
        is_split_into_words=True,
        truncation=True,
        max_length=32,
        stride=8,
        return_overflowing_tokens=True,
    )
    windows = len(encoding["input_ids"])
    assert windows > 2
    # Every row is one that some window gives to that word's first piece.
    offered: list[list[np.ndarray]] = [[] for _ in words]
    for window in range(windows):
        ids = torch.tensor([encoding["input_ids"][window]])
        with torch.no_grad():
            rows = torch.log_softmax(model(ids).logits[0].double(), -1).numpy()
        numbers = encoding.word_ids(window)
        for position, number in enumerate(numbers):
            if number is not None and numbers[position - 1] != number:
                offered[number].append(rows[position])
    for row, candidates in zip(lattice.emissions, offered, strict=True):
        assert min(np.abs(row - one).max() for one in candidates) < 1e-5


def test_rules_hold_over_all_windows(pair) -> None:
    words = [word for sentence in SENTENCES for word in sentence] * 4
    rules = [lawful.valid_tags("BIO"), lawful.exactly(1, "B-PER"), lawful.at_most(2, "B-LOC")]
    [labels] = lawful.Decoder(rules, tagger=from_transformers(*pair, stride=4)).predict([words])
    assert not any(lawful.Rules(rules).violations(labels).values())


def test_half_precision_and_training_mode(pair) -> None:
    model, tokenizer = tiny_token_classifier(LABELS, ["Ann"])
    model.train()
    expected = from_transformers(model, tokenizer).lattice(["Ann", "saw"]).emissions
    assert model.training
    assert np.array_equal(from_transformers(model, tokenizer).lattice(["Ann", "saw"]).emissions, expected)
    # Only the logits: the matrix product of bfloat16 stops the process on some virtual machines.
    model.classifier.register_forward_hook(lambda module, given, logits: logits.to(torch.bfloat16))
    rough = from_transformers(model, tokenizer).lattice(["Ann", "saw"]).emissions
    assert rough == pytest.approx(expected, abs=0.1)
    assert not np.array_equal(rough, expected)


def test_a_broken_model_is_named_by_word_and_label() -> None:
    model, tokenizer = tiny_token_classifier(LABELS, ["Ann"])
    with torch.no_grad():
        model.classifier.bias[3] = float("nan")
    with pytest.raises(errors.ScoreError, match=r"\[0, 3\] \(label 'B-LOC'\) is nan"):
        from_transformers(model, tokenizer).lattice(["Ann", "saw"])


def test_mistakes_say_what_was_expected(pair) -> None:
    model, tokenizer = pair
    with pytest.raises(errors.InputError, match="room for 30"):
        from_transformers(model, tokenizer, stride=30)
    with pytest.raises(errors.InputError, match="strategy must be"):
        from_transformers(model, tokenizer, strategy="median")  # type: ignore[arg-type]
    with pytest.raises(errors.InputError, match="batch_size"):
        from_transformers(model, tokenizer, batch_size=0)
    with pytest.raises(errors.InputError, match="fast tokenizer"):
        from_transformers(model, object())
    with pytest.raises(errors.EmptySequenceError):
        from_transformers(model, tokenizer).lattice([])
