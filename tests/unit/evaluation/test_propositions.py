"""Scores of roles, by cases that were worked out by hand after the rules of srl-eval.pl."""

from __future__ import annotations

import pytest

from lawful.errors import InputError
from lawful.evaluation import Score, join_continuations, score_roles

VERB = ("V", 3, 4)


def one(
    gold: list[tuple[str, int, int]], predicted: list[tuple[str, int, int]], **options
) -> tuple[int, int, int]:
    overall = score_roles([[*gold, VERB]], [[*predicted, VERB]], **options).overall
    return overall.correct, overall.predicted, overall.gold


def test_role_and_all_words_must_be_right() -> None:
    gold = [("A0", 0, 2), ("A1", 4, 7)]
    assert one(gold, gold) == (2, 2, 2)
    assert one(gold, [("A0", 0, 2), ("A1", 4, 6)]) == (1, 2, 2)
    assert one(gold, [("A1", 0, 2), ("A0", 4, 7)]) == (0, 2, 2)
    assert one(gold, []) == (0, 0, 2)
    assert one([], gold) == (0, 2, 0)


def test_the_verb_does_not_count() -> None:
    scores = score_roles([[("V", 1, 2)]], [[("V", 0, 1), ("C-V", 2, 3)]])
    assert (scores.overall, scores.perfect, scores.roles) == (Score(0, 0, 0), 1, {})
    assert score_roles([[VERB]], [[]], excluded=()).roles == {"V": Score(0, 0, 1)}


def test_a_continued_argument_is_one_argument() -> None:
    gold = [("A1", 0, 2), ("C-A1", 4, 6)]
    assert one(gold, gold) == (1, 1, 1)
    assert one(gold, [("A1", 0, 2)]) == (0, 1, 1)
    assert one(gold, [("A1", 0, 2), ("C-A1", 4, 5)]) == (0, 1, 1)
    assert one([("A1", 0, 2)], gold) == (0, 1, 1)
    assert one(gold, [("A1", 0, 2), ("A1", 4, 6)]) == (0, 2, 1)  # twice the role, and no continuation
    assert one(gold, [("A1", 0, 6)]) == (0, 1, 1)


def test_a_continuation_of_nothing_is_an_argument() -> None:
    assert one([("A1", 4, 6)], [("C-A1", 4, 6)]) == (1, 1, 1)
    assert one([("A0", 0, 1), ("A1", 4, 6)], [("A0", 0, 1), ("C-A1", 4, 6)]) == (2, 2, 2)


def test_a_continuation_continues_the_last_of_its_role() -> None:
    spans = [("A1", 0, 1), ("A1", 1, 2), ("C-A1", 4, 5), ("C-A1", 6, 7)]
    assert join_continuations(spans) == [("A1", ((0, 1),)), ("A1", ((1, 2), (4, 5), (6, 7)))]
    assert join_continuations(reversed(spans)) == join_continuations(spans)
    assert join_continuations([("C-AM-TMP", 2, 3), ("AM-TMP", 0, 1)]) == [("AM-TMP", ((0, 1), (2, 3)))]


def test_references_are_roles_of_their_own() -> None:
    assert one([("A0", 0, 1), ("R-A0", 1, 2)], [("A0", 0, 1), ("A0", 1, 2)]) == (1, 2, 2)


def test_only_some_roles() -> None:
    gold, predicted = [("A0", 0, 1), ("AM-TMP", 4, 5)], [("A0", 0, 1), ("AM-LOC", 4, 5)]
    assert one(gold, predicted, roles=("A0", "A1")) == (1, 1, 1)
    assert score_roles([gold], [predicted], roles=("A0",)).perfect == 1
    assert score_roles([gold], [predicted]).perfect == 0


def test_propositions_are_added_up() -> None:
    first, second = [("A0", 0, 1), ("A1", 2, 3)], [("A0", 0, 1)]
    scores = score_roles([first, second, []], [first, [("A1", 0, 1)], []])
    assert scores.roles == {"A0": Score(1, 1, 2), "A1": Score(1, 2, 1)}
    assert scores.overall == Score(2, 3, 3)
    assert (scores.propositions, scores.perfect) == (3, 2)
    assert "66.67 % of them perfect" in str(scores)


def test_as_many_propositions_on_both_sides() -> None:
    with pytest.raises(InputError, match="1 gold propositions, but 0 predicted"):
        score_roles([[]], [])
