"""The rule files in the package: equal to the rules in Python, and what those for seminars say."""

from __future__ import annotations

import pytest

import lawful
from lawful.tasks import RULE_SETS, load_rules
from lawful.tasks.ads.rules import AD_FIELDS, ad_rules
from lawful.tasks.citations.rules import CITATION_FIELDS, citation_rules
from lawful.tasks.rule_sets import read_rule_text
from lawful.tasks.seminars.rules import seminar_context
from lawful.tasks.srl import CORE_ROLES
from lawful.tasks.srl.constituents import TREE_ROLES

WORDS = [
    "Who",
    ":",
    "Dr",
    ".",
    "Ann",
    "Lee",
    "Time",
    ":",
    "3",
    ":",
    "30",
    "-",
    "4",
    ":",
    "30",
    "pm",
    "Ann",
    "Lee",
    "at",
    "3",
    ":",
    "30",
]
GOLD = ["O"] * len(WORDS)
for first, last, field in (
    (2, 6, "speaker"),
    (8, 11, "stime"),
    (12, 16, "etime"),
    (16, 18, "speaker"),
    (19, 22, "stime"),
):
    GOLD[first:last] = [f"B-{field}"] + [f"I-{field}"] * (last - first - 1)


def rows(words: list[str], lines: tuple[int, ...] = (0,)) -> list[dict[str, str]]:
    return [{"text": word, "space": "|" if at in lines else "_"} for at, word in enumerate(words)]


def broken(labels: list[str], words: list[str] = WORDS, lines: tuple[int, ...] = (0,)) -> dict[str, int]:
    found = load_rules("seminars").violations(labels, rows(words, lines), seminar_context(words))
    return {name: count for name, count in found.items() if count}


def test_the_files_say_what_the_python_rules_say() -> None:
    assert load_rules("citations") == citation_rules()
    assert load_rules("ads") == ad_rules()
    assert load_rules("citations", price=2.0, per="sequence") == citation_rules(price=2.0, per="sequence")
    assert load_rules("ads", price="hard") == ad_rules(price="hard")


@pytest.mark.parametrize("name", RULE_SETS)
def test_the_files_name_their_labels_and_have_no_contradiction(name: str) -> None:
    read = lawful.rules.files.parse_rule_file(read_rule_text(name))
    if name != "seminars":
        known = {"ads": AD_FIELDS, "citations": CITATION_FIELDS, "srl": ("O", *CORE_ROLES)}
        assert set(read.labels) == set({**known, "srl/constituents": ("O", *TREE_ROLES)}[name])
    assert read.rules == load_rules(name)


def test_an_unknown_set_is_named() -> None:
    with pytest.raises(
        lawful.InputError, match="unknown rule set 'cites'; the rule sets are ads, citations, seminars, srl"
    ):
        load_rules("cites")


def test_hard_rules_of_a_file_stay_hard() -> None:
    assert load_rules("seminars", price=1.0)["Tags"].price == "hard"
    assert load_rules("seminars", price=1.0)["OnOneLine"].price == 1.0


def test_a_good_announcement_breaks_nothing() -> None:
    assert broken(GOLD) == {}


@pytest.mark.parametrize(
    ("first", "last", "labels", "expected"),
    [
        (8, 11, ["O"] * 3, {"StartBeforeEnd": 1, "SameTime": 1}),
        (16, 18, ["O"] * 2, {"SameName": 1}),
        (11, 12, ["B-etime"], {"EndAfterDash": 1, "TimesAreNumbers": 1}),
        (18, 19, ["B-location"], {"NamesHaveCapitals": 1}),
        (17, 18, ["B-speaker"], {"SameName": 1}),
    ],
)
def test_a_bad_one_breaks_what_it_should(first, last, labels, expected) -> None:
    changed = [*GOLD[:first], *labels, *GOLD[last:]]
    assert broken(changed) == expected


def test_a_field_does_not_cross_lines() -> None:
    assert broken(GOLD, lines=(0, 5)) == {"OnOneLine": 1}
    assert broken(GOLD, lines=(0, 6)) == {}


def test_a_position_is_in_one_group_only() -> None:
    words = ["A", "Bb", "A", "Bb", "1", ":", "30", "1", ":", "30"]
    assert seminar_context(words) == {"times": [[4, 7]], "names": [[1, 3]]}
