"""Token tests: what they look at, how they combine, and what they say when a token lacks it."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import lawful
from lawful.errors import RuleError, TokenError
from lawful.labels import LabelSet
from lawful.rules import Example, change_only_after, pattern, token, when
from lawful.rules.tokens.kinds import TokenKinds, evaluate

LABELS = LabelSet(["A", "B"])
TOKENS = [
    "Bonn",
    {"text": "Bonn"},
    {"word": "Bonn"},
    {"token": "Bonn", "x": 1},
    ("Bonn", "NE"),
    ["Bonn"],
    np.str_("Bonn"),
]


def test_brackets_in_sets_mean_what_they_mean_today() -> None:
    """Python would warn of them, and warnings are errors here."""
    assert token.matches("[[(]1")("[1")


@pytest.mark.parametrize("given", TOKENS, ids=str)
def test_the_text_of_a_token(given: object) -> None:
    assert token.is_in(["Bonn", "Rome"])(given)
    assert not token.is_in(["bonn"])(given)
    assert token.is_in(["bONN"], lower=True)(given)
    assert token.matches("B.*")(given)
    assert not token.matches("B")(given)
    assert token.contains("on")(given)


def test_columns() -> None:
    assert token.column("pos", "NE", "NN")({"text": "x", "pos": "NN"})
    assert not token.column("pos", "NE")({"text": "x", "pos": "NN"})
    assert token.column(-1, "NE")(("Bonn", "x", "NE"))
    assert token.column(1, 5)({1: 5})


def test_tests_combine() -> None:
    digit, short = token.matches(r"\d+"), token.matches(".")
    assert [(digit & short)(word) for word in ("1", "12", "x")] == [True, False, False]
    assert [(digit | short)(word) for word in ("1", "12", "xx")] == [True, True, False]
    assert [(~digit)(word) for word in ("1", "x")] == [False, True]
    assert repr(~digit & short) == r"(~token.matches('\\d+') & token.matches('.'))"
    with pytest.raises(TypeError):
        digit & "x"


def test_functions_get_the_token_as_it_is() -> None:
    assert token.test(lambda given: given["x"] > 1)({"x": 2}) is True
    assert when(str.isdigit).then("A").violations(["B"], tokens=["1"]) == 1
    assert repr(token.test(str.isdigit, name="digits")) == "token.test(isdigit, name='digits')"


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: token.matches("(a"), "'(a' does not parse at character 0"),
        (lambda: token.contains("a**"), "at character 2"),
        (lambda: token.matches(3), "must be a string"),
        (lambda: token.is_in("Bonn"), "list of words"),
        (lambda: token.is_in([1]), "strings"),
        (lambda: token.column("pos"), "at least one value"),
        (lambda: token.column(1.5, "x"), "a key or an index"),
        (lambda: token.test("x"), "takes a function"),
    ],
)
def test_mistakes(make, message: str) -> None:
    with pytest.raises(RuleError) as caught:
        make()
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("test", "bad"),
    [
        (token.matches("x"), {"lemma": "x"}),
        (token.matches("x"), 3),
        (token.is_in(["x"]), ()),
        (token.matches("x"), {"text": 3}),
        (token.column("pos", "N"), {"text": "x"}),
        (token.column("pos", "N"), ("x", "N")),
        (token.column(2, "N"), ("x", "N")),
        (token.column(0, "N"), "x"),
    ],
    ids=str,
)
def test_tokens_that_lack_something(test, bad: object) -> None:
    good = {"text": "x", "pos": "N", 0: "N", 2: "N"}
    rule = when(test).then("A").named("my rule")
    for use in (
        lambda: rule.violations(["A", "A"], tokens=[good, bad]),
        lambda: rule.compile(LABELS).bind(Example(2, [good, bad])),
    ):
        with pytest.raises(TokenError) as caught:
            use()
        assert (caught.value.rule, caught.value.position) == ("my rule", 1)
        assert "'my rule', token 1" in str(caught.value)


@pytest.mark.parametrize(
    "rule",
    [
        when(str.isdigit).never("A"),
        change_only_after(str.isdigit),
        pattern("A/d", tests={"d": str.isdigit}),
        ~when(str.isdigit).never("A"),
    ],
)
def test_missing_tokens(rule) -> None:
    with pytest.raises(TokenError, match="there are none"):
        rule.violations(["A"])
    with pytest.raises(TokenError, match="there are none"):
        rule.compile(LABELS).bind(Example(1))
    with pytest.raises(TokenError, match="2 tokens for a sequence of 1"):
        rule.compile(LABELS).bind(Example(1, ["x", "y"]))


def test_a_users_own_error_says_where() -> None:
    with pytest.raises(ZeroDivisionError) as caught:
        when(lambda word: 1 / 0).then("A").violations(["A"], tokens=["x"])
    assert "tested token 0" in caught.value.__notes__[0]


def test_each_distinct_token_is_tested_once() -> None:
    asked = []
    kinds = TokenKinds((token.test(lambda word: asked.append(word) or word == "x"),), "a rule")
    for _ in range(3):
        assert kinds(Example(4, ["x", "y", "x", "x"])) == [1, 0, 1, 1]
    assert asked == ["x", "y"]


def test_tokens_that_cannot_be_looked_up_are_tested_each_time() -> None:
    kinds = TokenKinds((token.matches("x"),), "a rule")
    assert kinds(Example(2, [{"text": "x"}, ["y"]])) == [1, 0]


def test_evaluate() -> None:
    passed = evaluate(token.matches("x"), ["x", "y"], "a rule")
    assert passed.dtype == np.bool_
    assert passed.tolist() == [True, False]


def test_the_cache_has_an_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("lawful.rules.tokens.kinds.MOST_CACHED_TOKENS", 2)
    kinds = TokenKinds((token.contains("1"),), "a rule")
    words = [str(number) for number in range(20)]
    assert kinds(Example(20, words)) == ["1" in word for word in words]
    assert len(kinds._memory.seen) == 2


@pytest.mark.parametrize(
    "test",
    [
        lawful.token.matches("[a-z]+"),
        lawful.token.contains("b"),
        lawful.token.is_in(["Ab", "7"]),
        lawful.token.is_in(["Ab", "7"], lower=True),
        lawful.token.matches("[a-z]+") | ~lawful.token.contains("b"),
        lawful.token.test(str.isdigit),
    ],
)
def test_many_texts_are_tested_as_one_after_the_other(test: Any) -> None:
    texts = ["Ab", "aB", "ab", "7", "", "b b", "AB"]
    assert test.of_texts(texts) == [test(text) for text in texts]


def test_a_failing_test_says_where_however_many_rules_there_are() -> None:
    def fails(word: str) -> bool:
        if word == "y":
            raise KeyError(word)
        return True

    rules = [lawful.when(fails).then("A").named("first"), lawful.when(lawful.token.matches("x")).then("A")]
    lattice = lawful.Lattice([[0.0, 1.0]] * 2, labels=["A", "B"], tokens=["x", "y"])
    decoder = lawful.Decoder(rules, labels=["A", "B"])
    for decode in (decoder.decode, lambda one: decoder.decode_batch([one])):
        with pytest.raises(KeyError) as caught:
            decode(lattice)
        assert caught.value.__notes__[0] == "while rule 'first' tested token 1: 'y'"
