"""Rows of a sentence that are made when somebody looks at one: everybody sees the same dicts."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Iterable, Sequence

import pytest

import lawful
from lawful import _core
from lawful.corpus import Sentence
from lawful.errors import TokenError
from lawful.models.features import Features, column, word

SENTENCE = Sentence(("to", "Bonn", "."), ("O", "City", "O"), {"pos": ("TO", "NNP", ".")})
DICTS = [{"token": "to", "pos": "TO"}, {"token": "Bonn", "pos": "NNP"}, {"token": ".", "pos": "."}]


def test_rows_are_a_sequence_of_dicts() -> None:
    rows = SENTENCE.inputs()
    assert isinstance(rows, Sequence)
    assert isinstance(rows, Iterable)
    assert len(rows) == 3
    assert rows == DICTS
    assert list(rows) == SENTENCE.rows() == DICTS
    assert rows[1] == rows[-2] == DICTS[1]
    assert rows[1:] == DICTS[1:]
    assert repr(rows) == repr(DICTS)
    assert rows == SENTENCE.inputs()
    assert rows != "to"
    with pytest.raises(IndexError):
        rows[3]


def test_rows_travel() -> None:
    rows = SENTENCE.inputs()
    assert pickle.loads(pickle.dumps(rows)) == rows  # noqa: S301
    assert copy.deepcopy(rows) == DICTS


def test_columns_must_fit() -> None:
    with pytest.raises(ValueError, match="equally long"):
        _core.TokenRows(("a", "b"), (("x",), ()))
    with pytest.raises(ValueError, match="a name for each column"):
        _core.TokenRows(("a", "b"), (("x",),))


def test_features_read_rows_as_they_read_dicts() -> None:
    features = Features(word(), column("pos"))
    by_rows, by_dicts = (features.fit([tokens])[0] for tokens in (SENTENCE.inputs(), DICTS))
    assert by_rows.attributes.tolist() == by_dicts.attributes.tolist()
    with pytest.raises(TokenError, match="has no column 'lemma'"):
        Features(column("lemma")).fit([SENTENCE.inputs()])


def test_a_column_that_is_missing_somewhere() -> None:
    rows = _core.TokenRows(("text", "pos"), (("a", "b"), ("X", None)))
    found = Features(word(), column("pos")).fit([rows])[0]
    expected = Features(word(), column("pos")).fit([[{"text": "a", "pos": "X"}, {"text": "b", "pos": None}]])[
        0
    ]
    assert found.attributes.tolist() == expected.attributes.tolist()


@pytest.mark.parametrize("test", [lawful.token.matches("[A-Z].*"), lawful.token.column("pos", "NNP")])
def test_rules_see_the_tokens_of_rows(test) -> None:
    decoder = lawful.Decoder(lawful.when(test).then("City"), labels=["O", "City"])
    scores = [[1.0, 0.0]] * 3
    lattices = [
        lawful.Lattice(scores, labels=["O", "City"], tokens=tokens) for tokens in (SENTENCE.inputs(), DICTS)
    ]
    assert [answer.labels for answer in decoder.decode_batch(lattices)] == [("O", "City", "O")] * 2
    assert lattices[0].tokens == tuple(DICTS)
    assert pickle.loads(pickle.dumps(lattices[0])).tokens == tuple(DICTS)  # noqa: S301
