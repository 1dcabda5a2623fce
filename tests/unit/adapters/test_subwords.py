from __future__ import annotations

import numpy as np
import pytest

from lawful import errors
from lawful.adapters.transformers.subwords import STRATEGIES, align_offsets, align_word_ids
from lawful.adapters.transformers.windows import join_windows

PROBABILITIES = np.array(
    [[0.5, 0.3, 0.2], [0.7, 0.2, 0.1], [0.1, 0.1, 0.8], [0.2, 0.6, 0.2], [0.1, 0.1, 0.8]]
)
SPLIT = align_word_ids([None, 0, 0, 1, None])


@pytest.mark.parametrize(
    ("strategy", "expected"),
    [
        ("first", [0.7, 0.2, 0.1]),
        ("last", [0.1, 0.1, 0.8]),
        ("mean", [0.4, 0.15, 0.45]),
        ("max", [0.1, 0.1, 0.8]),
        ("sum", np.array([0.07, 0.02, 0.08]) / 0.17),
    ],
)
def test_a_words_scores_come_from_its_pieces(strategy, expected) -> None:
    found = np.exp(SPLIT.gather(np.log(PROBABILITIES), strategy))
    assert found[0] == pytest.approx(expected)
    assert found[1] == pytest.approx([0.2, 0.6, 0.2])  # a word of one piece


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_logits_give_log_probabilities_whatever_their_level(strategy) -> None:
    shifted = np.log(PROBABILITIES) + np.array([[5.0], [-800.0], [900.0], [0.0], [1.0]])
    assert SPLIT.gather(shifted, strategy) == pytest.approx(SPLIT.gather(np.log(PROBABILITIES), strategy))
    assert np.exp(SPLIT.gather(shifted, strategy)).sum(axis=1) == pytest.approx(1.0)


def test_raw_scores_are_left_at_their_level() -> None:
    assert SPLIT.gather(PROBABILITIES, "sum", log_softmax=False)[0] == pytest.approx([0.8, 0.3, 0.9])
    assert SPLIT.gather(PROBABILITIES, "first", log_softmax=False)[0].tolist() == [0.7, 0.2, 0.1]


def test_a_ban_of_one_piece_is_a_ban_of_the_word_only_where_all_vote() -> None:
    banned = np.log(
        np.array([[0.5, 0.5], [0.0, 1.0]]), where=[[True, True], [False, True]], out=np.full((2, 2), -np.inf)
    )
    word = align_word_ids([0, 0])
    assert np.exp(word.gather(banned, "mean"))[0] == pytest.approx([0.25, 0.75])
    assert np.exp(word.gather(banned, "sum"))[0] == pytest.approx([0.0, 1.0])


def test_words_that_were_cut_off_are_named() -> None:
    cut = align_word_ids([None, 0, 1, None], words=4)
    assert cut.missing == (2, 3)
    with pytest.raises(
        errors.InputError, match=r"words 2 \('long'\), 3 \('text'\) got no sub-word.*'uniform'"
    ):
        cut.gather(np.zeros((4, 2)), words=["a", "very", "long", "text"])
    rows = cut.gather(np.array([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0], [0.0, 0.0]]), missing="uniform")
    assert np.exp(rows[2:]).tolist() == [[0.5, 0.5], [0.5, 0.5]]


def test_characters_align_pieces_with_words() -> None:
    text = "Bonn, Rheinaue 7b"
    words = [(0, 4), (4, 5), (6, 14), (15, 17)]
    pieces = [(0, 0), (0, 4), (4, 5), (5, 11), (11, 14), (14, 16), (16, 17), (0, 0)]  # some with their space
    found = align_offsets(pieces, words)
    assert found.pieces == ((1,), (2,), (3, 4), (5, 6))
    assert [text[start:end] for start, end in found.offsets or ()] == ["Bonn", ",", "Rheinaue", "7b"]


def test_a_piece_over_two_words_belongs_to_both() -> None:
    assert align_offsets([(0, 3), (3, 9)], [(0, 5), (5, 7), (7, 9)]).pieces == ((0, 1), (1,), (1,))


def test_special_pieces_belong_to_no_word() -> None:
    assert align_offsets([(0, 2), (0, 2)], [(0, 2)], special=[1, 0]).pieces == ((1,),)
    assert align_offsets(np.array([[0, 0], [3, 3]]), [(0, 2)]).missing == (0,)


@pytest.mark.parametrize(
    ("call", "says"),
    [
        (lambda: align_word_ids([0, 5], words=3), r"word_ids\[1\] is 5, but there are 3 words"),
        (lambda: align_word_ids([0], offsets=[(0, 1), (1, 2)]), "offsets must have shape"),
        (lambda: align_word_ids([0], offsets=[(3, 1)]), r"offsets\[0\] is \(3, 1\)"),
        (lambda: align_offsets([(0, 1)], [(0, 3), (2, 5)]), "inside the word before"),
        (lambda: align_offsets([(0, 1)], [(0, 1)], special=[]), "special must have shape"),
        (lambda: SPLIT.gather(np.zeros(3)), "sub-words, K"),
        (lambda: SPLIT.gather(PROBABILITIES, "median"), "'first', 'last'"),  # type: ignore[arg-type]
        (lambda: SPLIT.gather(PROBABILITIES, missing="drop"), "missing must be"),  # type: ignore[arg-type]
    ],
)
def test_mistakes_say_what_was_expected(call, says: str) -> None:
    with pytest.raises(errors.InputError, match=says):
        call()


@pytest.mark.parametrize(
    ("length", "size", "stride"), [(20, 8, 3), (20, 8, 4), (7, 8, 2), (21, 6, 5), (9, 3, 0)]
)
def test_windows_become_the_sequence_again(length: int, size: int, stride: int) -> None:
    items = list(range(length))
    starts = range(0, max(1, length - stride), size - stride)
    windows = [items[start : start + size] for start in starts]
    order = join_windows(windows)
    assert [windows[window][position] for window, position in order] == items
    for window, position in order:  # read where there is at least half of the overlap around
        from_left = position if window else size
        from_right = len(windows[window]) - 1 - position if window < len(windows) - 1 else size
        assert min(from_left, from_right) >= stride // 2 - 1
