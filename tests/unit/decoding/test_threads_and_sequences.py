"""What a decoder refuses before it starts: misspelt options, numbers of threads, strings for token lists."""

from __future__ import annotations

import numpy as np
import pytest

import lawful
from lawful.errors import InputError
from lawful.support.threads import thread_count


class Even:
    labels = lawful.LabelSet(["A", "B"])

    def lattice(self, tokens):
        return lawful.Lattice([[0.0, 1.0]] * len(tokens), labels=self.labels, tokens=tokens)


@pytest.mark.parametrize("jobs", [0, -1, 1.5, "2", True])
def test_a_number_of_threads_is_whole_and_positive(jobs) -> None:
    with pytest.raises(InputError, match="jobs must be a whole number of 1 or more"):
        lawful.Decoder(tagger=Even()).predict([["a"]], jobs=jobs)


def test_numpys_integers_are_numbers_of_threads() -> None:
    assert thread_count(np.int64(3)) == 3


@pytest.mark.parametrize(
    ("options", "hint"),
    [
        ({"sover": "beam"}, "did you mean 'solver'"),
        ({"max_los": 1}, "did you mean 'max_loss'"),
        ({"jobs": 2}, "the options are"),
        ({"width": 4}, "the options are"),
        ({"solver": "beam", "widht": 4}, "did you mean 'width'"),
    ],
)
def test_an_option_that_nobody_has_is_refused_at_once(options, hint: str) -> None:
    with pytest.raises(InputError, match=hint):
        lawful.Decoder(labels=["A", "B"], **options)


def test_an_option_of_the_solver_is_taken() -> None:
    assert lawful.Decoder(tagger=Even(), solver="beam", width=4).predict([["a"]]) == [["B"]]


@pytest.mark.parametrize(
    ("sequences", "told"),
    [
        ("ab", "list of token sequences, got 'ab'"),
        (None, "list of token sequences, got None"),
        (["ab"], "sequence 1 must be a list of tokens, got 'ab'"),
        ([["a"], 7], "sequence 2 must be a list of tokens, got 7"),
        (lawful.Sentence(("a",)), "list of token sequences, got Sentence"),
    ],
)
def test_what_is_no_list_of_tokens_is_refused(sequences, told: str) -> None:
    with pytest.raises(InputError, match=told):
        lawful.Decoder(tagger=Even()).predict(sequences)


def test_a_lattice_without_a_path_does_not_blame_the_rules() -> None:
    empty = lawful.Lattice([[-np.inf, -np.inf]], labels=["A", "B"])
    with pytest.raises(lawful.InfeasibleError, match="no rule is involved") as caught:
        lawful.decode(empty)
    assert "drop one" not in str(caught.value)
