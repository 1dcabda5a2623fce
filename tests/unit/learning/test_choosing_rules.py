"""Rules that somebody wrote, and which of them pay beside a model."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

import lawful
from lawful import Rules
from lawful.errors import InputError
from lawful.learning import HeldOutRules, choose_rules, choose_together
from lawful.learning.choosing_rules import count_spans, count_tokens
from lawful.learning.gold import Labelled

LABELS = lawful.LabelSet(["A", "B"])


class Words:
    """Scores each word by itself; knows nothing of its neighbours."""

    labels = LABELS

    def __init__(self, scores: dict[str, float]) -> None:
        self.scores = scores

    def lattice(self, tokens: Sequence[Any], /) -> lawful.Lattice:
        return lawful.Lattice([[self.scores[t], 0.0] for t in tokens], labels=LABELS, tokens=list(tokens))


# "a" is an A, "b" a B, and "?" an A that the tagger takes for a B; "!" is a B that it takes for an A, but not by far.
TAGGER = Words({"a": 3.0, "b": -3.0, "?": -1.0, "!": 0.3})
GOLD = [
    (list("a?b"), list("AAB")),
    (list("?b"), list("AB")),
    (list("b!"), list("BB")),
    (list("ab"), list("AB")),
] * 10

HELPS = lawful.when(lawful.token.is_in(["?"])).then("A").soft("learn", per="violation", name="helps")
HARMS = (
    lawful.when(lawful.token.is_in(["?"])).then("B").named("harms")
)  # hard, since no price would be left of it
IDLE = lawful.when(lawful.token.is_in(["a"])).then("A").soft("learn", per="violation", name="idle")


def test_what_helps_stays_and_the_rest_goes() -> None:
    choice = choose_rules([HELPS, HARMS, IDLE], GOLD, tagger=TAGGER)
    assert choice.rules.names == ("helps",)
    assert choice.dropped == ("harms", "idle")  # what does harm goes before what does nothing
    assert [tried.names for tried in choice.tried] == [
        (),
        ("helps", "harms", "idle"),
        ("helps", "idle"),
        ("helps",),
    ]
    none, *_, last = choice.tried
    assert last.f1 > none.f1
    assert float(choice.rules["helps"].price) > 0
    assert str(choice).splitlines()[-1].endswith(": helps")


def test_prices_are_those_of_the_rules_that_stay_alone() -> None:
    choice = choose_rules([HELPS, HARMS, IDLE], GOLD, tagger=TAGGER)
    assert choice.rules == lawful.estimate_prices([HELPS], GOLD, tagger=TAGGER)


def test_a_price_that_is_there_is_the_most_that_a_rule_may_cost() -> None:
    choice = choose_rules([HELPS.soft(1.5, per="violation")], GOLD, tagger=TAGGER)
    assert 1.0 < float(choice.rules["helps"].price) <= 1.5


def test_without_a_rule_that_pays_none_is_left() -> None:
    choice = choose_rules([HARMS, IDLE], GOLD, tagger=TAGGER)
    assert choice.rules == Rules()
    assert choice.tried[-1] == choice.tried[0]
    assert choose_rules([], GOLD, tagger=TAGGER).rules == Rules()


def test_a_rule_that_takes_from_one_count_goes_whatever_it_adds_to_another() -> None:
    def right_when_longer(sequence: Labelled, labels: Sequence[str]) -> tuple[int, int, int]:
        return int(list(labels) == ["B", "B"]), 1, 1  # worse wherever "?b" becomes A B

    def many(sequence: Labelled, labels: Sequence[str]) -> tuple[int, int, int]:
        right, found, wanted = count_tokens(sequence, labels)
        return 100 * right, 100 * found, 100 * wanted

    assert choose_rules([HELPS], GOLD, tagger=TAGGER, counts=[many]).rules.names == ("helps",)
    assert choose_rules([HELPS], GOLD, tagger=TAGGER, counts=[many, right_when_longer]).rules == Rules()


def test_caution_asks_for_more_than_one_sequence() -> None:
    gold = [(list("?b"), list("AB"))] + [(list("ab"), list("AB"))] * 20
    once = lawful.starts_with("A").named("once")
    assert choose_rules([once], gold, tagger=TAGGER).rules.names == ("once",)
    assert choose_rules([once], gold, tagger=TAGGER, caution=1.4).rules == Rules()
    two = [gold[0], *gold, gold[0]]
    assert choose_rules([once], two, tagger=TAGGER, caution=1.4).rules.names == ("once",)


def test_several_sets_are_judged_together() -> None:
    """What helps in one set and harms more in another goes."""
    other = Words({"a": 3.0, "b": -3.0, "?": -1.0, "!": 0.3})
    against = [(list("?b"), list("BB"))] * 15
    once = [lawful.starts_with("A").soft(5.0, name="once")]
    helped, harmed = (
        HeldOutRules(once, gold, tagger=tagger)
        for tagger, gold in ((TAGGER, [(list("?b"), list("AB"))] * 10), (other, against))
    )
    assert choose_together([helped])[0] == ()
    # At no price would the rule do harm to the others, so that both keep it, or neither.
    dropped, tried = choose_together([helped, harmed])
    assert dropped == () and tried[-1].names == ("once",)
    assert tried[-1].f1[1] == pytest.approx((1.0 + 1.0) / 2)


def test_context_reaches_the_rules() -> None:
    gold = [(tokens, labels, {"here": [0]}) for tokens, labels in [(list("?b"), list("AB"))] * 10]
    rule = lawful.label_at(lawful.context("here"), "A").soft("learn", per="violation", name="here")
    choice = choose_rules([rule], gold, tagger=TAGGER)
    assert choice.rules.names == ("here",)


def test_folds_make_held_out_sequences_of_the_training_data() -> None:
    from lawful.tasks import generate_citations, load_rules

    references = generate_citations(30, seed=3)
    rules = Rules(list(load_rules("citations"))[:4])
    choice = choose_rules(rules, references, tagger=lawful.HMM(), folds=3)
    assert choice.rules
    assert all(a > b for a, b in zip(choice.tried[-1].f1, choice.tried[0].f1, strict=True))
    assert choose_rules(rules, references, tagger=lawful.HMM(), folds=3, jobs=2) == choice


@pytest.mark.parametrize("seed", range(5))
def test_answers_are_those_of_a_decoder(seed: int) -> None:
    """Sequences whose plain answer breaks nothing are not decoded again: it makes no difference."""
    rng = np.random.default_rng(seed)
    tagger = Words({word: float(rng.normal(0, 1.5)) for word in "ab?!"})
    gold = [
        ([str(w) for w in rng.choice(list("ab?!"), n)], [str(k) for k in rng.choice(["A", "B"], n)])
        for n in rng.integers(1, 6, 12)
    ]
    rules = Rules(
        lawful.at_most(1, "A").soft("learn", per="violation", name="one"),
        lawful.starts_with("B").soft(2.0, name="start"),
        lawful.when(lawful.token.is_in(["a", "!"])).then("A").soft("learn", per="violation", name="words"),
        lawful.at_least(2, "B").named("hard"),  # which a single token cannot keep
    )
    held_out = HeldOutRules(rules, gold, tagger=tagger)
    for names in ((), ("one",), ("start", "hard"), rules.names):
        counted = held_out.answers(names)
        assert counted.shape == (12, 2, 3)
        for number, part in enumerate(held_out._parts):
            decoder = lawful.Decoder(
                held_out._priced(names, number), labels=LABELS, on_infeasible="least_bad"
            )
            for index in part:
                answer = decoder.decode(tagger.lattice(gold[index][0])).labels
                sequence = held_out.gold[index]
                expected = [count_spans(sequence, answer), count_tokens(sequence, answer)]
                assert [tuple(row) for row in counted[index]] == expected


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"gold": GOLD[:1]}, "at least 2 labelled sequences, got 1"),
        ({"counts": []}, "at least one, got none"),
        ({"caution": -1.0}, "caution must be"),
        ({"folds": 1}, "folds must be"),
        ({"folds": 2}, "folds need a model that can be fitted"),
        ({"gold": "ab"}, "labelled sequences are a list"),
    ],
)
def test_what_cannot_be_done_is_told(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        choose_rules(**({"rules": [HELPS], "gold": GOLD, "tagger": TAGGER} | arguments))


def test_no_set_at_all_is_refused() -> None:
    with pytest.raises(InputError, match="there are none"):
        choose_together([])


@pytest.mark.parametrize(
    ("argument", "told"),
    [
        ({"seed": "x"}, "seed must be a whole number of 0 or more, .* got 'x'"),
        ({"counts": count_tokens}, "counts must be a list of functions .* got <function count_tokens"),
        ({"counts": ["tokens"]}, r"counts\[0\] must be a function of a sequence and labels, got 'tokens'"),
        ({"counts": [lambda sequence, labels: 1]}, r"must return three numbers, .* wanted, got 1"),
        ({"counts": [lambda sequence, labels: (1, float("nan"), 1)]}, "the number found that .* got nan"),
        ({"tagger": "crf.model"}, r"tagger must have labels and lattice\(tokens\), .* got 'crf.model'"),
    ],
)
def test_what_cannot_be_used_is_told(argument: dict[str, Any], told: str) -> None:
    with pytest.raises(InputError, match=told):
        choose_rules(**{"rules": [HELPS, IDLE], "gold": GOLD, "tagger": TAGGER, **argument})
