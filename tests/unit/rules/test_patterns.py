"""Patterns: how they are read, what they match, and where they go wrong."""

from __future__ import annotations

import itertools

import pytest

from lawful.errors import PatternError
from lawful.labels import LabelSet
from lawful.rules import Example, pattern, token
from lawful.rules.patterns.lexer import read_lexemes

TESTS = {"d": token.matches(r"\d+"), "p": token.matches(r"\W")}


def matched(source: str, labels: str) -> set[str]:
    """All words of up to four of the labels that a pattern matches."""
    rule = pattern(source)
    words = ("".join(word) for size in range(5) for word in itertools.product(labels, repeat=size))
    return {word for word in words if not rule.violations(list(word))}


@pytest.mark.parametrize(
    ("source", "words"),
    [
        ("A", {"A"}),
        ("()", {""}),
        ("A B", {"AB"}),
        ("A|B A", {"A", "BA"}),
        ("(A|B) A", {"AA", "BA"}),
        (". B", {"AB", "BB"}),
        ("[A B] [^A]", {"AB", "BB"}),
        ("A{2}", {"AA"}),
        ("A{3,}", {"AAA", "AAAA"}),
        ("A{1,2} B?", {"A", "AA", "AB", "AAB"}),
        ("A{0}", {""}),
        ("(A B)+", {"AB", "ABAB"}),
        ("(A*)* & . .", {"AA"}),
        ("!(.* A .*) & B .{0,2}", {"B", "BB", "BBB"}),
        ("A.", {"AA", "AB"}),
        ("A.*&.*B", {"AB", "AAB", "ABB", "AAAB", "AABB", "ABAB", "ABBB"}),
        ("(()|A) B", {"B", "AB"}),
        ("! ( .+ )", {""}),
    ],
)
def test_what_a_pattern_matches(source: str, words: set[str]) -> None:
    assert matched(source, "AB") == words


def test_bare_and_quoted_labels() -> None:
    assert [lexeme.text for lexeme in read_lexemes("B-PER a.b x:y a--b _1 A. ..")][:-1] == [
        *("B-PER", "a.b", "x:y", "a--b", "_1", "A", ".", ".", ".")
    ]
    assert (
        pattern(r"""'New York' "it's" 'a\'b' "$" Straße""").violations(
            ["New York", "it's", "a'b", "$", "Straße"]
        )
        == 0
    )


def test_tests_on_symbols() -> None:
    rule = pattern("A/d/!p . [A B]/!d", tests=TESTS)
    assert rule.violations(["A", "A", "B"], tokens=["1", "x", "y"]) == 0
    assert rule.violations(["A", "A", "B"], tokens=["x", "x", "y"]) == 1
    assert rule.violations(["A", "A", "B"], tokens=["1", "x", "2"]) == 1


@pytest.mark.parametrize(
    ("source", "position", "message"),
    [
        ("", 0, "expected a label"),
        ("  ", 2, "expected a label"),
        ("A |", 3, "expected a label"),
        ("| A", 0, "expected a label"),
        ("A & & B", 4, "expected a label"),
        ("(A | )", 5, "expected a label"),
        ("(A B", 0, "never closed"),
        ("A ((B)", 2, "never closed"),
        ("A B)", 3, "closes nothing"),
        ("[A B", 0, "never closed"),
        ("A ]", 2, "unexpected"),
        ("A ^", 2, "unexpected"),
        ("A []", 2, "no labels"),
        ("[^]", 0, "no labels"),
        ("[A | B]", 3, "a set contains only labels"),
        ("* A", 0, "nothing to repeat"),
        ("A (+)", 3, "nothing to repeat"),
        ("A | {2}", 4, "nothing to repeat"),
        ("A+?", 2, "repeats a repeat"),
        ("A{3,1}", 1, "wrong way round"),
        ("A{1001}", 1, "limited to 1000"),
        ("A{1,99999999999999999999}", 1, "limited to 1000"),
        ("A{x}", 1, "expected {m}"),
        ("A{,2}", 1, "expected {m}"),
        ("A{2", 1, "expected {m}"),
        ("A{1 2}", 1, "expected {m}"),
        ("A 'B", 2, "no closing '"),
        ('"B', 0, 'no closing "'),
        ("A/x", 1, "unknown token test 'x'"),
        ("A/d/!q", 3, "unknown token test 'q'"),
        ("A/", 1, "expected the name"),
        ("A/!", 1, "expected the name"),
        ("/d A", 0, "belongs after a label"),
        ("(A)/d", 3, "not to a group"),
        ("!A", 1, "followed by '('"),
        ("A - B", 2, "unexpected '-'"),
        ("A $", 2, "unexpected '$'"),
        ("(" * 101 + "A" + ")" * 101, 100, "nested deeper"),
    ],
)
def test_errors_point_at_the_character(source: str, position: int, message: str) -> None:
    with pytest.raises(PatternError) as caught:
        pattern(source, tests=TESTS)
    assert (caught.value.pattern, caught.value.position) == (source, position)
    assert message in caught.value.problem


def test_an_error_draws_an_arrow() -> None:
    with pytest.raises(PatternError) as caught:
        pattern("A B) C")
    assert str(caught.value).splitlines()[1:] == ["  A B) C", "     ^"]


def test_patterns_without_tests_are_static_and_small() -> None:
    labels = LabelSet(["A", "B", "C", "D"])
    compiled = pattern("(A | B)* C", tests=TESTS).compile(labels)
    (bound,) = compiled.bind(Example(1))
    assert compiled.static
    assert bound.machine.classes == 3
    assert bound.machine.states == 3
    assert bound.table.shape == (1, 4)


def test_only_the_tests_that_are_used_make_kinds() -> None:
    (bound,) = pattern("A/p*", tests=TESTS).compile(LabelSet(["A"])).bind(Example(2, [",", "1"]))
    assert bound.table.shape == (2, 1)
    assert bound.kinds == [1, 0]
