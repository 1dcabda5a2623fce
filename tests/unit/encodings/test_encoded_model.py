"""Models in encodings: fitted, saved, explained, and what is wrong named."""

from __future__ import annotations

from pathlib import Path

import pytest

import lawful
from lawful.automata import Transducer
from lawful.encodings import Encoded, Encoding, FeatureSymbol, history_encoding, scheme_encoding
from lawful.errors import EncodingError, NotFittedError
from lawful.models.features import Features, word

WORDS = [["the", "dog", "saw", "Ann", "Lee"], ["Ann", "Lee", "the", "cat"], ["it", "saw", "the", "dog"]]
LABELS = [["I", "I", "O", "I", "I"], ["I", "I", "B", "I"], ["I", "O", "I", "I"]]

NAMES = Encoding(
    Transducer(
        [
            (0, "O", 0, ["O"]),
            (0, FeatureSymbol.of("I", ["word=Ann"]), 0, ["I.1"]),
            (0, FeatureSymbol.of("I", (), ["word=Ann"]), 0, ["I.2"]),
            (0, "B", 0, ["B"]),
        ],
        [(0,)],
    ),
    attributes=Features(word()).attributes,
)


@pytest.mark.parametrize(
    "encoding", [scheme_encoding("IOB1", "IOBES"), history_encoding(["O", "I", "B"], 2), NAMES]
)
def test_a_saved_model_predicts_the_same(encoding: Encoding, tmp_path: Path) -> None:
    model = Encoded(lawful.CRF(c2=0.1, groups="prefix"), encoding).fit(WORDS, LABELS)
    assert model.predict(WORDS) == LABELS
    model.save(tmp_path / "encoded.lawful")
    again = lawful.load_model(tmp_path / "encoded.lawful")
    assert again.labels == model.labels
    rules = lawful.at_most_segments(1, "I")
    assert again.predict(WORDS, rules=rules) == model.predict(WORDS, rules=rules) != LABELS
    for ours, theirs in zip(again.predict_marginals(WORDS), model.predict_marginals(WORDS), strict=True):
        assert ours.tolist() == theirs.tolist()


def test_what_rules_changed_is_explained_in_canonical_labels() -> None:
    model = Encoded(lawful.CRF(c2=0.1), scheme_encoding("IOB1", "IOBES")).fit(WORDS, LABELS)
    explanation = lawful.explain(model.lattice(WORDS[1]), lawful.forbid("B"))
    assert "B" in {label for change in explanation.changes for label in change.before}


def test_probabilities_are_those_of_the_tags() -> None:
    encoding = scheme_encoding("IOB1", "IOE2")
    model = Encoded(lawful.CRF(c2=0.1), encoding).fit(WORDS, LABELS)
    (marginals,) = model.predict_marginals([WORDS[2]])
    legal = lawful.marginals(model.model.lattice(WORDS[2]), lawful.valid_tags("IOE2")).labels
    # O is O in both; what else the tags say is the rest.
    inside = [legal[:, model.model.labels.index(tag)] for tag in model.model.labels if tag != "O"]
    assert marginals[:, encoding.labels.index("O")] == pytest.approx(1 - sum(inside))


def test_what_is_wrong_is_named(tmp_path: Path) -> None:
    encoding = scheme_encoding("IOB1", "IOE1")
    with pytest.raises(NotFittedError):
        Encoded(lawful.CRF(), encoding).lattice(["a"])
    with pytest.raises(EncodingError, match="label 'B' at position 0") as caught:
        Encoded(lawful.CRF(), encoding).fit([["a"], ["a"]], [["I"], ["B"]])
    assert caught.value.__notes__ == ["in sequence 2 of the training data"]
    with pytest.raises(EncodingError, match="the label 'X', which is none of the tags"):
        Encoded(lawful.HMM().fit([["a"]], [["X"]]), encoding)
    guessed = Encoding(NAMES.transducer, attributes=lambda tokens: [{"word=Ann"} for _ in tokens])
    model = Encoded(lawful.HMM(), guessed).fit([["a"]], [["I"]])
    with pytest.raises(EncodingError, match="if its attributes are those of Features"):
        model.save(tmp_path / "guessed.lawful")
    with pytest.raises(EncodingError, match="these data are no encoding"):
        Encoding.from_dict({"arcs": 3})
