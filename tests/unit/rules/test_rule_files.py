"""Rule files: what they say, and that it is the same rules."""

from __future__ import annotations

import stat
from pathlib import Path

import numpy as np
import pytest

import bylaw
from bylaw import context, token
from bylaw.automata.counting import CountingMachine
from bylaw.errors import RuleError
from bylaw.rules import Rules, StartsWith
from bylaw.rules.files.reading import parse_rule_file, read_rule_file
from bylaw.rules.files.vocabulary import KIND_OF, KINDS
from bylaw.testing import random_label_set, random_rules
from bylaw.testing.token_tests import is_capital

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
kind = "fix"
position = [0, -1]
labels = "O"
"""


def is_loud(text: str) -> bool:
    return text.isupper()


def test_a_file_says_what_code_says() -> None:
    five = token.matches(r"\d+") & token.matches(".{5}")
    odd = ~(token.matches(r"\d+") | token.is_in([",", "."]) | token.contains("x"))
    street = bylaw.at_most(1, "Street").named("one street")
    machine = CountingMachine.from_lists([[0, 1], [1, 0]], [[0, 0], [0, 2]], [0, 1])
    expected = Rules(
        bylaw.at_most_segments(1, "Street", "City").soft(2, per="violation", name="one place"),
        bylaw.when(five).then("Zip", "@at").soft("learn"),
        bylaw.when(odd | token.column("pos", "NN", "NE")).never("Street", "City", "Zip"),
        bylaw.change_only_after(token.test(is_loud)),
        bylaw.pattern(
            "O* ([Street City] | [^ Street City Zip  'Name'])* Zip/five? 'O'/!digits",
            tests={"five": five, "digits": token.matches(r"\d+")},
        ),
        bylaw.at_least(1, "Zip").named("has-zip").implies(street | bylaw.ends_with("Zip")),
        street,
        bylaw.automaton(machine, classes={"O": 0, "Name": 0, "Street": 1, "City": 1, "Zip": 1, "@at": 0}),
        bylaw.allowed_transitions([("O", "Street"), ("O", "City"), ("Zip", "O")], start="O"),
        bylaw.forbid(context("banned", default=[])),
        bylaw.fix([0, -1], "O"),
    )
    found = parse_rule_file(EVERYTHING, functions={"is_loud": is_loud})
    assert found.rules == expected
    assert found.labels == bylaw.LabelSet(["O", "Name", "Street", "City", "Zip", "@at"])
    for rule in found.rules:
        rule.compile(found.labels)


def test_what_is_read_can_be_written_and_read_again(tmp_path: Path) -> None:
    rules = bylaw.parse_rules(EVERYTHING, functions={"is_loud": is_loud})
    bylaw.write_rules(rules, tmp_path / "again.toml", labels=["O", "Name", "Street", "City", "Zip", "@at"])
    assert bylaw.read_rules(tmp_path / "again.toml", functions={"is_loud": is_loud}) == rules


@pytest.mark.parametrize("seed", range(8))
def test_every_random_rule_comes_back_the_same(seed: int) -> None:
    rng = np.random.default_rng(seed)
    for turn in range(60):
        labels = random_label_set(rng, scheme="BIO" if turn % 5 == 0 else None, odd_names=0.3)
        rules = random_rules(rng, labels, depth=3)
        text = bylaw.format_rules(rules, labels=labels)
        found = parse_rule_file(text, functions=FUNCTIONS)
        assert found.rules == rules
        assert found.labels == labels
        assert bylaw.format_rules(found.rules, labels=labels) == text


def test_every_rule_class_has_an_entry() -> None:
    def leaves(kind: type) -> set[type]:
        below = [one for one in kind.__subclasses__() if one.__module__.startswith("bylaw.")]
        return set().union(*map(leaves, below)) if below else {kind}

    assert set(KIND_OF) == leaves(bylaw.Rule)
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
        bylaw.forbid(name, "A").named(name),
        bylaw.forbid(context(name, default=[name, {"a": name}])),
        bylaw.when(test).then(name),
        bylaw.automaton(CountingMachine.from_lists([[0]], [[0]], [0]), classes={name: 0}),
    )
    bylaw.write_rules(rules, tmp_path / "r.toml", labels=[name, "A"])
    assert bylaw.read_rules(tmp_path / "r.toml") == rules


@pytest.mark.parametrize("price", [0.0, 1e-300, 1e300, 0.1 + 0.2, 5, "hard", "learn", float("inf")])
@pytest.mark.parametrize("per", ["sequence", "violation"])
def test_prices_and_counting(price: float | str, per: str) -> None:
    rules = Rules(bylaw.forbid("A").soft(price, per=per))
    assert bylaw.parse_rules(bylaw.format_rules(rules)) == rules


def test_names_that_a_rule_set_made_up_come_back() -> None:
    rules = Rules(bylaw.forbid("A"), bylaw.forbid("A"), bylaw.forbid("A").named("mine"))
    both = Rules(rules[1] & rules[2])  # a part whose name is "forbid('A') #2"
    for one in (rules, both):
        assert bylaw.parse_rules(bylaw.format_rules(one)) == one


def test_functions_are_written_by_name() -> None:
    rules = Rules(
        bylaw.when(token.test(is_loud)).then("A"),
        bylaw.when(token.test(is_loud, name="loud")).then("A"),
        bylaw.when(token.test(is_loud, name="is_loud")).then("B"),
    )
    text = bylaw.format_rules(rules)
    assert bylaw.parse_rules(text, functions={"is_loud": is_loud, "loud": is_loud}) == rules


def test_what_cannot_be_written_is_refused() -> None:
    class Own(StartsWith):
        pass

    for rule, says in [
        (bylaw.when(lambda text: True).then("A"), "needs a name"),
        (bylaw.forbid(context("x", default=None)), "None cannot be written"),
        (Own(("A",)), "a class of your own"),
        (bylaw.forbid("\ud800"), "surrogate"),
    ]:
        with pytest.raises(RuleError, match=says):
            bylaw.format_rules(rule)
    pair = [bylaw.when(token.test(one, name="same")).then("A") for one in (is_loud, is_capital)]
    with pytest.raises(RuleError, match="two different functions"):
        bylaw.format_rules(pair[0] & pair[1])


def test_a_failed_write_leaves_the_old_file(tmp_path: Path) -> None:
    path = tmp_path / "rules.toml"
    bylaw.write_rules(bylaw.forbid("A"), path)
    with pytest.raises(RuleError):
        bylaw.write_rules(bylaw.when(lambda text: True).then("A"), path)
    assert bylaw.read_rules(path) == Rules(bylaw.forbid("A"))
    assert [one.name for one in tmp_path.iterdir()] == ["rules.toml"]
    path.chmod(0o640)
    bylaw.write_rules(bylaw.forbid("B"), path)
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
        bylaw.forbid("Base"),
        bylaw.forbid("A"),
        bylaw.forbid("B"),
        bylaw.when(token.is_in(["May", "June"], lower=True)).then("Day", "Year"),
    )
    assert found.lines["forbid('B')"] == (str(Path("common/b.toml")), 2)


def test_an_empty_file_has_no_rules() -> None:
    assert bylaw.parse_rules("") == Rules()
    assert bylaw.format_rules([]) == ""


def test_labels_of_the_caller_come_first() -> None:
    text = 'labels = ["A"]\n[[rule]]\nkind = "forbid"\nlabels = "B"\n'
    assert parse_rule_file(text, labels=["B"]).labels == bylaw.LabelSet(["B"])
