from __future__ import annotations

import math
from collections.abc import Sequence

import pytest

import lawful
from lawful.learning.gold import labelled_sequences
from lawful.learning.linting import lint
from lawful.learning.linting.violations import mend

GOOD = (["Ann", ",", "1999"], ["author", "author", "date"])
BAD = (["Bob", "in", "1999"], ["author", "date", "author"])
ONE_AUTHOR = lawful.at_most_segments(1, "author")


def test_advice_follows_the_data() -> None:
    gold = [GOOD] * 150
    assert lint(ONE_AUTHOR, gold).rules[0].advice == "hard"
    assert lint(ONE_AUTHOR, gold[:50]).rules[0].advice == "soft"
    assert lint(ONE_AUTHOR, [*gold, BAD]).rules[0].advice == "soft"
    assert lint(lawful.forbid("date"), gold).rules[0].advice == "drop"


def test_the_suggested_price_is_the_log_odds() -> None:
    found = lint(ONE_AUTHOR, [GOOD] * 9 + [BAD]).rules[0]
    assert found.price == pytest.approx(math.log(9.5 / 1.5))
    longer = (
        ["Ann", "1999", "in"],
        ["author", "date", "date"],
    )  # one token stands where a second author could begin
    counted = lint(ONE_AUTHOR.soft("learn", per="violation"), [longer] * 9 + [BAD]).rules[0]
    assert counted.price == pytest.approx(math.log(9.5 / 1.5))


def test_a_rare_breach_throws_suspicion_on_the_gold_labels_and_guesses_no_others() -> None:
    sentences = [
        lawful.Sentence(*GOOD, source="gold.conll", lines=range(4 * n + 1, 4 * n + 4)) for n in range(40)
    ]
    sentences.append(lawful.Sentence(*BAD, source="gold.conll", lines=range(161, 164)))
    ((rule, breach),) = lint(ONE_AUTHOR, sentences).suspicious
    assert rule == ONE_AUTHOR.name
    assert breach.place == "gold.conll, line 163"
    assert (breach.mended, breach.probability) == ((), None)
    assert breach.excerpt == "Bob/author in/date 1999/author"


def test_a_rule_that_many_break_throws_suspicion_on_itself() -> None:
    assert lint(ONE_AUTHOR, [GOOD] * 9 + [BAD] * 3).suspicious == ()


def test_mending_changes_as_few_labels_as_can_be() -> None:
    labels = lawful.LabelSet(["A", "B"])
    one = labelled_sequences([(list("uvwxyz"), list("ABAABA"))])[0]
    assert len(mend(lawful.at_most_segments(1, "A"), labels, one)) == 2
    assert mend(lawful.forbid("A") & lawful.forbid("B"), labels, one) == ()


def test_positions_are_where_the_machine_counts() -> None:
    rules = lawful.Rules(lawful.before("A", "B"), lawful.at_least(2, "A"))
    found = lint(rules, [(list("xyz"), list("BBA"))], labels=["A", "B"])
    assert [one.breaches[0].positions for one in found.rules] == [(2,), ()]


class Sure:
    """Knows that years are dates, and is as sure of it as it is told; of the rest it knows nothing."""

    labels = lawful.LabelSet(["author", "date"])

    def __init__(self, *sureness: float) -> None:
        self.sureness = dict(zip(("1999", "2001"), sureness, strict=True))

    def lattice(self, tokens: Sequence[str]) -> lawful.Lattice:
        scores = [[0.0, self.sureness.get(token, -5.0)] for token in tokens]
        return lawful.Lattice(scores, labels=self.labels, tokens=tokens)


def test_a_model_proposes_other_labels_where_it_is_sure_the_surest_first() -> None:
    later = (["Cid", "of", "2001"], ["author", "date", "author"])
    gold = [GOOD] * 60 + [BAD, later]
    found = lint(ONE_AUTHOR, gold, model=Sure(4.0, 6.0)).suspicious
    assert [breach.mended for _, breach in found] == [
        ((1, "date", "author"), (2, "author", "date")),
        ((1, "date", "author"), (2, "author", "date")),
    ]
    assert "2001" in found[0][1].excerpt
    assert (found[0][1].probability or 0) > (found[1][1].probability or 0) >= 0.9
    assert [breach.excerpt for _, breach in lint(ONE_AUTHOR, gold, model=Sure(0.5, 6.0)).suspicious] == [
        found[0][1].excerpt
    ]


class Capitals:
    labels = lawful.LabelSet(["author", "date"])

    def lattice(self, tokens: Sequence[str]) -> lawful.Lattice:
        scores = [[1.0, 0.0] if token.istitle() else [0.0, 0.4] for token in tokens]
        return lawful.Lattice(scores, labels=self.labels, tokens=tokens)


def test_a_model_shows_what_a_rule_mends_and_what_it_spoils() -> None:
    gold = [(["Ann", "in", "Lee"], ["author", "author", "author"]), (["Bob", "1999"], ["author", "date"])]
    rules = lawful.Rules(ONE_AUTHOR, lawful.forbid("date"), lawful.ends_with("date"))
    effects = {one.rule.code(): one.effect for one in lint(rules, gold, model=Capitals()).rules}
    assert {name: str(effect) for name, effect in effects.items()} == {
        "at_most_segments(1, 'author')": "1 label better, 0 worse, 0 neither, in 1 sequence (spans: 1 gained, 0 lost)",
        "forbid('date')": "1 label better, 1 worse, 0 neither, in 2 sequences (spans: 1 gained, 2 lost)",
        "ends_with('date')": "0 labels better, 1 worse, 0 neither, in 1 sequence",
    }


def test_nothing_to_lint_is_an_error() -> None:
    with pytest.raises(lawful.InputError, match="there are none"):
        lint(ONE_AUTHOR, [])


@pytest.mark.parametrize(
    "rule",
    [
        lawful.requires("author", "title"),
        lawful.allowed_transitions([("author", "title"), ("title", "title")]),
    ],
)
def test_a_rule_may_name_labels_that_the_data_lacks(rule: lawful.Rule) -> None:
    assert lint(rule, [GOOD]).rules[0].breaches[0].excerpt == "Ann/author ,/author 1999/date"
