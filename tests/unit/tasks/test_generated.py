from __future__ import annotations

import hashlib
from itertools import pairwise

import pytest

from lawful import evaluate
from lawful.corpus import Sentence
from lawful.schemes import find_spans
from lawful.tasks import generate_ads, generate_citations
from lawful.tasks.ads.generated import FIELDS as AD_FIELDS
from lawful.tasks.citations.corpus import FIELDS as CITATION_FIELDS

MAKERS = {"citations": (generate_citations, CITATION_FIELDS), "ads": (generate_ads, AD_FIELDS)}


def digest(sentences: list[Sentence]) -> str:
    text = "\n".join(
        f"{token}\t{label}" for one in sentences for token, label in zip(one.tokens, one.labels, strict=True)
    )
    return hashlib.sha256(text.encode()).hexdigest()[:12]


def part(sentences: list[Sentence], holds) -> float:
    return sum(map(holds, sentences)) / len(sentences)


def fields(one: Sentence) -> list[str]:
    return [span.type for span in find_spans(one.labels, "flat", outside=())]


@pytest.mark.parametrize("name", MAKERS)
def test_the_same_seed_makes_the_same_corpus(name: str) -> None:
    make, _ = MAKERS[name]
    assert make(50, seed=4) == make(50, seed=4) == make(60, seed=4)[:50]
    assert make(50, seed=4) != make(50, seed=5)


@pytest.mark.parametrize("name", MAKERS)
def test_every_field_is_there_and_nothing_else(name: str) -> None:
    make, expected = MAKERS[name]
    found = make(1000)
    assert {label for one in found for label in one.labels} == set(expected)
    assert all(" " not in token and token for one in found for token in one.tokens)


def test_citations_obey_the_rules_of_readers_nearly_always() -> None:
    found = generate_citations(1000)
    assert all(one.labels[0] in ("author", "editor") for one in found)
    once = part(found, lambda one: len(set(fields(one))) == len(fields(one)))
    assert 0.93 < once < 0.995
    marks = set(".,;:?!\")'")
    at_mark = [before in marks for one in found for before, a, b in _steps(one) if a != b]
    assert 0.95 < sum(at_mark) / len(at_mark) < 0.999


def test_ads_obey_the_rules_of_readers_nearly_always() -> None:
    found = generate_ads(1000)
    marks = {".", ",", "!", ";", "*Newline*"}
    at_mark = [before in marks for one in found for before, a, b in _steps(one) if a != b]
    assert 0.9 < sum(at_mark) / len(at_mark) < 0.995
    long = [
        span.end - span.start >= 3 for one in found for span in find_spans(one.labels, "flat", outside=())
    ]
    assert 0.9 < sum(long) / len(long) < 1.0
    assert {"*Phone*", "*Email*", "*Money*", "*Newline*"} <= {token for one in found for token in one.tokens}


def _steps(one: Sentence):
    return zip(one.tokens[:-1], *zip(*pairwise(one.labels), strict=True), strict=True)


@pytest.mark.parametrize(("name", "least"), [("citations", 0.12), ("ads", 0.05)])
def test_twenty_sequences_do_not_tell_all_words(name: str, least: float) -> None:
    make, _ = MAKERS[name]
    known = {token.lower() for one in make(20, seed=0) for token in one.tokens}
    test = [token.lower() for one in make(200, seed=1) for token in one.tokens]
    assert sum(token not in known for token in test) / len(test) > least


def test_the_most_frequent_label_of_a_word_is_not_enough() -> None:
    train, test = generate_citations(300, seed=0), generate_citations(100, seed=1)
    seen: dict[str, dict[str, int]] = {}
    for one in train:
        for token, label in zip(one.tokens, one.labels, strict=True):
            seen.setdefault(token, {}).setdefault(label, 0)
            seen[token][label] += 1
    guess = [
        [max(seen.get(t, {"author": 1}).items(), key=lambda kv: kv[1])[0] for t in one.tokens] for one in test
    ]
    assert 0.5 < evaluate(test, guess).token_accuracy < 0.8
