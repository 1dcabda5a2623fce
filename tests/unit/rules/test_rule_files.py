"""Rule files: what they say, and that it is the same rules."""

from __future__ import annotations

import stat
from pathlib import Path

import numpy as np
import pytest

import lawful
from lawful import context, token
from lawful.automata.counting import CountingMachine
from lawful.errors import RuleError
from lawful.rules import Rules, StartsWith
from lawful.rules.files.reading import parse_rule_file, read_rule_file
from lawful.rules.files.rule_tables import KIND_OF, KINDS
from lawful.testing import random_label_set, random_rules
from lawful.testing.generators.token_tests import is_capital

FUNCTIONS = {"is_capital": is_capital}

EVERYTHING = r"""
labels = ["O", "Name", "Street", "City", "Zip", "@at"]

[groups]
place = ["Street", "City"]
known = ["@place", "Zip"]

[tests]
digits = { matches = '\d+' }
five = { all = ["digits", { matches = '.{5}' }] }
marks = { words = [",", "."] }
noun = { column = "pos", is = ["NN", "NE"] }
loud = { function = "is_loud" }
odd = { not = { any = ["digits", "marks", { contains = "x" }] } }

[parts.has-zip]
kind = "at_least"
n = 1
labels = "Zip"

[[rule]]
name = "one place"
kind = "at_most_segments"
n = 1
labels = "@place"
price = 2
per = "violation"

[[rule]]
kind = "when"
test = "five"
then = ["Zip", "@@at"]
price = "learn"

[[rule]]
kind = "when"
test = { any = ["odd", "noun"] }
never = "@known"

[[rule]]
kind = "change_only_after"
test = "loud"

[[rule]]
kind = "pattern"
pattern = "O* (@place | [^@known 'Name'])* Zip/five? 'O'/!digits"

[[rule]]
kind = "implies"
if = "has-zip"
then = { kind = "or", rules = ["one street", { kind = "ends_with", labels = "Zip" }] }

[[rule]]
name = "one street"
kind = "at_most"
n = 1
labels = "Street"
price = "hard"

[[rule]]
kind = "automaton"
states = [{ to = [0, 1] }, { to = [1, 0], counts = [0, 2], end = 1 }]
classes = { O = 0, Name = 0, "@place" = 1, Zip = 1, "@@at" = 0 }

[[rule]]
kind = "allowed_transitions"
pairs = [["O", "@place"], ["Zip", "O"]]
start = "O"

[[rule]]
kind = "forbid"
labels = { context = "banned", default = [] }

[[rule]]
kind = "label_at"
position = [0, -1]
labels = "O"
"""


def is_loud(text: str) -> bool:
    return text.isupper()


def test_a_file_says_what_code_says() -> None:
    five = token.matches(r"\d+") & token.matches(".{5}")
    odd = ~(token.matches(r"\d+") | token.is_in([",", "."]) | token.contains("x"))
    street = lawful.at_most(1, "Street").named("one street")
    machine = CountingMachine.from_lists([[0, 1], [1, 0]], [[0, 0], [0, 2]], [0, 1])
    expected = Rules(
        lawful.at_most_segments(1, "Street", "City").soft(2, per="violation", name="one place"),
        lawful.when(five).then("Zip", "@at").soft("learn"),
        lawful.when(odd | token.column("pos", "NN", "NE")).never("Street", "City", "Zip"),
        lawful.change_only_after(token.test(is_loud)),
        lawful.pattern(
            "O* ([Street City] | [^ Street City Zip  'Name'])* Zip/five? 'O'/!digits",
            tests={"five": five, "digits": token.matches(r"\d+")},
        ),
        lawful.at_least(1, "Zip").named("has-zip").implies(street | lawful.ends_with("Zip")),
        street,
        lawful.automaton(machine, classes={"O": 0, "Name": 0, "Street": 1, "City": 1, "Zip": 1, "@at": 0}),
        lawful.allowed_transitions([("O", "Street"), ("O", "City"), ("Zip", "O")], start="O"),
        lawful.forbid(context("banned", default=[])),
        lawful.label_at([0, -1], "O"),
    )
    found = parse_rule_file(EVERYTHING, functions={"is_loud": is_loud})
    assert found.rules == expected
    assert found.labels == lawful.LabelSet(["O", "Name", "Street", "City", "Zip", "@at"])
    for rule in found.rules:
        rule.compile(found.labels)


def test_what_is_read_can_be_written_and_read_again(tmp_path: Path) -> None:
    rules = lawful.rules.files.parse_rules(EVERYTHING, functions={"is_loud": is_loud})
    lawful.write_rules(rules, tmp_path / "again.toml", labels=["O", "Name", "Street", "City", "Zip", "@at"])
    assert lawful.read_rules(tmp_path / "again.toml", functions={"is_loud": is_loud}) == rules


@pytest.mark.parametrize("seed", range(8))
def test_every_random_rule_comes_back_the_same(seed: int) -> None:
    rng = np.random.default_rng(seed)
    for turn in range(60):
        labels = random_label_set(rng, scheme="BIO" if turn % 5 == 0 else None, odd_names=0.3)
        rules = random_rules(rng, labels, depth=3)
        text = lawful.rules.files.format_rules(rules, labels=labels)
        found = parse_rule_file(text, functions=FUNCTIONS)
        assert found.rules == rules
        assert found.labels == labels
        assert lawful.rules.files.format_rules(found.rules, labels=labels) == text


def test_every_rule_class_has_an_entry() -> None:
    def leaves(kind: type) -> set[type]:
        below = [one for one in kind.__subclasses__() if one.__module__.startswith("lawful.")]
        return set().union(*map(leaves, below)) if below else {kind}

    assert set(KIND_OF) == leaves(lawful.Rule)
    assert len(KIND_OF) == len(KINDS)


NAMES = [
    "plain",
    "with 'quotes'",
    'and "these"',
    "back\\slash",
    "tab\tand\nnewline",
    "ünï😀",
    "\x01\x7f",
    "@x",
    "@@x",
]


@pytest.mark.parametrize("name", NAMES)
def test_any_text_survives(name: str, tmp_path: Path) -> None:
    test = token.is_in([name]) | token.column(name, name, 1, 2.5, True)
    rules = Rules(
        lawful.forbid(name, "A").named(name),
        lawful.forbid(context(name, default=[name, {"a": name}])),
        lawful.when(test).then(name),
        lawful.automaton(CountingMachine.from_lists([[0]], [[0]], [0]), classes={name: 0}),
    )
    lawful.write_rules(rules, tmp_path / "r.toml", labels=[name, "A"])
    assert lawful.read_rules(tmp_path / "r.toml") == rules


@pytest.mark.parametrize("price", [0.0, 1e-300, 1e300, 0.1 + 0.2, 5, "hard", "learn", float("inf")])
@pytest.mark.parametrize("per", ["sequence", "violation"])
def test_prices_and_counting(price: float | str, per: str) -> None:
    rules = Rules(lawful.forbid("A").soft(price, per=per))
    assert lawful.rules.files.parse_rules(lawful.rules.files.format_rules(rules)) == rules


def test_names_that_a_rule_set_made_up_come_back() -> None:
    rules = Rules(lawful.forbid("A"), lawful.forbid("A"), lawful.forbid("A").named("mine"))
    both = Rules(rules[1] & rules[2])  # a part whose name is "forbid('A') #2"
    for one in (rules, both):
        assert lawful.rules.files.parse_rules(lawful.rules.files.format_rules(one)) == one


def test_functions_are_written_by_name() -> None:
    rules = Rules(
        lawful.when(token.test(is_loud)).then("A"),
        lawful.when(token.test(is_loud, name="loud")).then("A"),
        lawful.when(token.test(is_loud, name="is_loud")).then("B"),
    )
    text = lawful.rules.files.format_rules(rules)
    assert lawful.rules.files.parse_rules(text, functions={"is_loud": is_loud, "loud": is_loud}) == rules


def test_what_cannot_be_written_is_refused() -> None:
    class Own(StartsWith):
        pass

    for rule, says in [
        (lawful.when(lambda text: True).then("A"), "needs a name"),
        (lawful.forbid(context("x", default=None)), "None cannot be written"),
        (Own(("A",)), "a class of your own"),
        (lawful.forbid("\ud800"), "surrogate"),
    ]:
        with pytest.raises(RuleError, match=says):
            lawful.rules.files.format_rules(rule)
    pair = [lawful.when(token.test(one, name="same")).then("A") for one in (is_loud, is_capital)]
    with pytest.raises(RuleError, match="two different functions"):
        lawful.rules.files.format_rules(pair[0] & pair[1])


def test_a_failed_write_leaves_the_old_file(tmp_path: Path) -> None:
    path = tmp_path / "rules.toml"
    lawful.write_rules(lawful.forbid("A"), path)
    with pytest.raises(RuleError):
        lawful.write_rules(lawful.when(lambda text: True).then("A"), path)
    assert lawful.read_rules(path) == Rules(lawful.forbid("A"))
    assert [one.name for one in tmp_path.iterdir()] == ["rules.toml"]
    path.chmod(0o640)
    lawful.write_rules(lawful.forbid("B"), path)
    assert stat.S_IMODE(path.stat().st_mode) == 0o640


def test_includes_and_word_lists(tmp_path: Path) -> None:
    (tmp_path / "common").mkdir()
    (tmp_path / "main.toml").write_text(
        'include = ["common/a.toml", "common/b.toml"]\n[[rule]]\nkind = "when"\ntest = "months"\nthen = "@dates"\n'
    )
    (tmp_path / "common/a.toml").write_text(
        'include = "../base.toml"\n[[rule]]\nkind = "forbid"\nlabels = "A"\n'
    )
    (tmp_path / "common/b.toml").write_text(
        'include = "../base.toml"\n[[rule]]\nkind = "forbid"\nlabels = "B"\n'
    )
    (tmp_path / "base.toml").write_text(
        'groups = { dates = ["Day", "Year"] }\ntests.months = { words_file = "words/months.txt", lower = true }\n'
        '[[rule]]\nkind = "forbid"\nlabels = "Base"\n'
    )
    (tmp_path / "words").mkdir()
    (tmp_path / "words/months.txt").write_text("\ufeffMay\r\n\r\n  June \n", encoding="utf-8")
    found = read_rule_file(tmp_path / "main.toml")
    assert found.rules == Rules(
        lawful.forbid("Base"),
        lawful.forbid("A"),
        lawful.forbid("B"),
        lawful.when(token.is_in(["May", "June"], lower=True)).then("Day", "Year"),
    )
    assert found.lines["forbid('B')"] == (str(Path("common/b.toml")), 2)


def test_an_empty_file_has_no_rules() -> None:
    assert lawful.rules.files.parse_rules("") == Rules()
    assert lawful.rules.files.format_rules([]) == ""


def test_labels_of_the_caller_come_first() -> None:
    text = 'labels = ["A"]\n[[rule]]\nkind = "forbid"\nlabels = "B"\n'
    assert parse_rule_file(text, labels=["B"]).labels == lawful.LabelSet(["B"])
