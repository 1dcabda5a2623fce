from __future__ import annotations

import numpy as np
import pytest

import lawful
from lawful import errors
from lawful.adapters.transformers.tagger import RuledTokenClassificationPipeline
from lawful.testing.tiny_models import tiny_token_classifier

transformers = pytest.importorskip("transformers")

LABELS = ["O", "B-PER", "I-PER", "B-LOC", "I-LOC"]
STRATEGIES = ["none", "simple", "first", "average", "max"]
TEXTS = ["Ann Leeson saw Bonn.", "Bo", "they left Ann - again, at 10"]
LONG = " ".join(TEXTS * 5)
ANYTHING = lawful.Rules(lawful.at_most(200, "O"))  # a rule that nothing breaks


@pytest.fixture(scope="module")
def pair():
    return tiny_token_classifier(LABELS, ["Ann", "saw", "Bonn"], max_length=40)


def make(pair, **options):
    model, tokenizer = pair
    return transformers.pipeline(
        "token-classification",
        model=model,
        tokenizer=tokenizer,
        pipeline_class=RuledTokenClassificationPipeline,
        **options,
    )


def plain(pair, **options):
    model, tokenizer = pair
    return transformers.pipeline("token-classification", model=model, tokenizer=tokenizer, **options)


@pytest.mark.parametrize("rules", [None, ANYTHING], ids=["no rules", "rules that hold"])
@pytest.mark.parametrize("strategy", STRATEGIES)
def test_where_rules_change_nothing_the_answer_is_the_pipelines_own(pair, strategy: str, rules) -> None:
    ruled = make(pair, aggregation_strategy=strategy, rules=rules)
    expected = plain(pair, aggregation_strategy=strategy)
    for text in TEXTS:
        assert ruled(text) == expected(text)
    assert ruled(TEXTS, batch_size=2) == expected(TEXTS, batch_size=2)
    everything = {"ignore_labels": []}
    assert ruled(TEXTS[0], **everything) == expected(TEXTS[0], **everything)
    assert [type(one["score"]) for one in ruled(TEXTS[0])] == [
        type(one["score"]) for one in expected(TEXTS[0])
    ]


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_text_that_is_split_into_words(pair, strategy: str) -> None:
    options = {"aggregation_strategy": strategy, "is_split_into_words": True}
    words = ["Ann", "Leeson", "saw", "Bonn"]
    assert make(pair, rules=ANYTHING, **options)(words) == plain(pair, **options)(words)


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_rules_hold_and_offsets_point_into_the_text(pair, strategy: str) -> None:
    rules = lawful.Rules(lawful.valid_tags("BIO"), lawful.exactly(1, "B-PER"), lawful.forbid("B-LOC"))
    tag = make(pair, aggregation_strategy=strategy, rules=rules, ignore_labels=[])
    for text, found in zip(TEXTS, tag(TEXTS, batch_size=3), strict=True):
        key = "entity" if strategy == "none" else "entity_group"
        names = [one[key] for one in found]
        assert names.count("B-PER" if strategy == "none" else "PER") == 1
        assert not {"B-LOC", "I-LOC", "LOC"} & set(names)
        assert [one["start"] for one in found] == sorted(one["start"] for one in found)
        shown = "".join(text[one["start"] : one["end"]] for one in found)
        assert shown.replace(" ", "") == text.replace(" ", "")
        assert set(found[0]) == {key, "score", "word", "start", "end"} | (
            {"index"} if strategy == "none" else set()
        )


def probabilities_of(pair, text: str) -> np.ndarray:
    """The base pipeline's own, for each sub-word."""
    base = plain(pair)
    rows: list[np.ndarray] = []
    base.aggregate = lambda pre, _: rows.extend(one["scores"] for one in pre) or []
    base(text)
    return np.array(rows)


def test_the_answer_is_the_best_legal_one(pair) -> None:
    rules = lawful.Rules(lawful.at_most(2, "O"), lawful.valid_tags("BIO"), lawful.at_most(1, "B-LOC"))
    found = make(pair, rules=rules, ignore_labels=[])(TEXTS[2])
    lattice = lawful.Lattice(np.log(probabilities_of(pair, TEXTS[2]).astype(float)), labels=LABELS)
    best = lawful.decode(lattice, rules)
    assert [one["entity"] for one in found] == list(best.labels)
    assert best.changed


def test_token_rules_see_words_and_context_has_offsets(pair) -> None:
    seen: dict[str, object] = {}

    def context(text, tokens):
        seen.update(text=text, tokens=tokens)
        return {"who": [tokens.index("Leeson")]}

    tag = make(pair, aggregation_strategy="first", context=context)
    rules = [
        lawful.label_at(lawful.context("who"), "B-PER"),
        lawful.when(lawful.token.is_in(["Bonn"])).then("B-LOC"),
    ]
    found = tag(TEXTS[0], rules=rules)
    assert seen == {"text": TEXTS[0], "tokens": ["Ann", "Leeson", "saw", "Bonn", "."]}
    places = {(one["entity_group"], TEXTS[0][one["start"] : one["start"] + 2]) for one in found}
    assert {("PER", "Le"), ("LOC", "Bo")} <= places


def test_scores_may_be_probabilities_under_the_rules(pair) -> None:
    rules = lawful.Rules(lawful.label_at(0, "B-LOC"), lawful.valid_tags("BIO"))
    options = {"aggregation_strategy": "none", "ignore_labels": [], "rules": rules}
    own = make(pair, **options)(TEXTS[0])
    ruled = make(pair, scores="marginals", **options)(TEXTS[0])
    table = probabilities_of(pair, TEXTS[0])
    lattice = lawful.Lattice(np.log(table.astype(float)), labels=LABELS)
    probabilities = lawful.marginals(lattice, rules).labels
    for position, (softmax, marginal) in enumerate(zip(own, ruled, strict=True)):
        label = LABELS.index(softmax["entity"])
        assert softmax["score"] == table[position, label]
        assert marginal["score"] == pytest.approx(probabilities[position, label], abs=1e-5)
    assert ruled[0]["score"] == pytest.approx(1.0)


@pytest.mark.parametrize("strategy", STRATEGIES[1:])
def test_a_long_text_in_windows_is_one_sequence_to_the_rules(pair, strategy: str) -> None:
    rules = lawful.Rules(lawful.valid_tags("BIO"), lawful.exactly(1, "B-PER"))
    tag = make(pair, aggregation_strategy=strategy, rules=rules, stride=10, ignore_labels=[])
    found = tag(LONG)
    assert [one["entity_group"] for one in found].count("PER") == 1
    shown = "".join(LONG[one["start"] : one["end"]] for one in found)
    assert shown.replace(" ", "") == LONG.replace(" ", "")  # everything, once


def test_options_of_the_decoder(pair) -> None:
    never = lawful.Rules(lawful.forbid(*LABELS))
    tag = make(pair, rules=never, aggregation_strategy="first")
    with pytest.raises(errors.InfeasibleError):
        tag(TEXTS[0])
    assert tag(TEXTS[0], max_loss=1.0) == plain(pair, aggregation_strategy="first")(TEXTS[0])
    with pytest.raises(errors.InputError, match="'softmax' or 'marginals'"):
        tag(TEXTS[0], scores="logits")


def test_nothing_to_label(pair) -> None:
    assert make(pair, rules=ANYTHING)("") == plain(pair)("") == []
