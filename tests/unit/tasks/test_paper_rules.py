"""The rule sets of Tables 1 and 2: what each rule says, on a citation and an ad of our own."""

from __future__ import annotations

import pytest

import lawful
from lawful.tasks.ads.rules import AD_FIELDS, ad_rules, ad_ties
from lawful.tasks.citations.rules import CITATION_FIELDS, citation_rules, citation_ties

TOKENS = [
    "Lars",
    "Ole",
    "Andersen",
    ".",
    "Program",
    "analysis",
    ".",
    "PhD",
    "thesis",
    ",",
    "DIKU",
    ",",
    "May",
    "1994",
    ".",
]
FIELDS = "author author author author title title title tech tech tech institution institution date date date"
GOLD = FIELDS.split()


def broken(rules: lawful.Rules, labels: list[str], tokens: list[str]) -> dict[str, int]:
    return {name: count for name, count in rules.violations(labels, tokens).items() if count}


def test_a_good_citation_breaks_nothing() -> None:
    assert broken(citation_rules(), GOLD, TOKENS) == {}


@pytest.mark.parametrize(
    ("position", "label", "expected"),
    [
        (0, "title", {"Start": 1, "AppearsOnce title": 1, "Punctuation": 1}),
        (13, "title", {"AppearsOnce title": 1, "AppearsOnce date": 1, "Punctuation": 2, "Date": 1}),
        (4, "author", {"Punctuation": 1}),
    ],
)
def test_a_bad_citation_breaks_what_it_should(position: int, label: str, expected: dict[str, int]) -> None:
    labels = [*GOLD[:position], label, *GOLD[position + 1 :]]
    assert broken(citation_rules(), labels, TOKENS) == expected


@pytest.mark.parametrize(
    ("word", "rule", "allowed"),
    [
        ("Proceedings", "BookJournal", {"booktitle", "journal"}),
        ("ACM", "BookJournal", {"booktitle", "journal"}),
        ("2004", "Date", {"date"}),
        ("eds", "Editors", {"editor"}),
        ("Journal", "Journal", {"journal"}),
        ("submitted", "Note", {"note"}),
        ("pp", "Pages", {"pages"}),
        ("Technical", "TechReport", {"tech"}),
        ('"', "Title", {"title"}),
        ("NY", "Location", {"location"}),
    ],
)
def test_words_say_what_fields_they_are_in(word: str, rule: str, allowed: set[str]) -> None:
    rules = citation_rules()
    assert {f for f in CITATION_FIELDS if not rules[rule].violations([f], [word])} == allowed


def test_a_good_ad_breaks_nothing_and_a_bad_one_does() -> None:
    tokens = [
        "sunny",
        "kitchen",
        ",",
        "laundry",
        ".",
        "call",
        "*Phone*",
        "now",
        "*NEWLINE*",
        "only",
        "*Money*",
        "a",
        "month",
        "!",
    ]
    labels = ["features"] * 5 + ["contact"] * 4 + ["rent"] * 5
    assert broken(ad_rules(), labels, tokens) == {}
    assert broken(ad_rules(), [*labels[:-1], "size"], tokens) == {"FieldLength size": 1, "Punctuation": 1}
    assert broken(ad_rules(), ["size"] * 14, tokens) == {"Features": 2, "Contact": 1, "Rent": 1}


def test_prices_and_counting_are_for_the_caller_to_say() -> None:
    assert {rule.price for rule in citation_rules(price="hard")} == {"hard"}
    assert {(rule.price, rule.per) for rule in ad_rules(price=2.0, per="sequence")} == {(2.0, "sequence")}
    assert set(citation_ties()[0]) <= set(citation_rules().names)
    assert set(ad_ties()[0]) <= set(ad_rules().names)


def test_the_tables_have_twelve_and_thirteen_rules() -> None:
    assert len(citation_rules()) - len(CITATION_FIELDS) + 1 == 12
    assert len(ad_rules()) - len(AD_FIELDS) + 1 == 13
