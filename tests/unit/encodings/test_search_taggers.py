"""The quick ways to try encodings say the same as the general one."""

from __future__ import annotations

import numpy as np
import pytest

import lawful
from lawful.encodings import Coded, Encoding, identity_encoding, propose_move, scheme_encoding
from lawful.encodings.search.coded_tagger import CodedTagger
from lawful.encodings.search.counted_tagger import CountedTagger
from lawful.encodings.search.encodable import EncodableCorpus, Labelled
from lawful.encodings.search.joint_tagger import JointTagger
from lawful.encodings.search.trial import EncodedTagger, Trial
from lawful.errors import EncodingError, InfeasibleError
from lawful.models.base.estimator import SequenceModel
from lawful.models.features import Features, word

FEATURES = Features(word())
ATTRIBUTES = {f"word={letter}": 3 for letter in "abcd"}


def corpus(rng: np.random.Generator, count: int) -> Labelled:
    tokens = [["abcd"[k] for k in rng.integers(4, size=rng.integers(1, 9))] for _ in range(count)]
    labels = [
        ["AB"[int(rng.random() < 0.2 + 0.2 * "abcd".index(t))] for t in sequence] for sequence in tokens
    ]
    return Labelled(tokens, labels)


def wandering(rng: np.random.Generator, start: Encoding, steps: int) -> Encoding:
    """An encoding some random moves away."""
    encoding = Encoding(start.transducer, labels=start.labels, attributes=FEATURES.attributes)
    for _ in range(steps):
        try:
            _, encoding = propose_move(encoding, rng, attributes=ATTRIBUTES)
        except EncodingError:
            break  # it looks at too many attributes to be checked
    return encoding


@pytest.mark.parametrize("seed", range(30))
def test_a_corpus_is_encoded_as_its_sequences_are(seed: int) -> None:
    rng = np.random.default_rng(seed)
    data = corpus(rng, 20)
    encoding = wandering(rng, identity_encoding(["A", "B"]), int(rng.integers(7)))
    one_by_one = [encoding.encode(y, x) for x, y in zip(data.tokens, data.labels, strict=True)]
    at_once = EncodableCorpus(data.tokens, data.labels).tags(encoding)
    assert [encoding.tags[tag] for tag in at_once] == [tag for tags in one_by_one for tag in tags]
    without = Encoding(
        encoding.transducer, labels=encoding.labels, attributes=lambda tokens: FEATURES.attributes(tokens)
    )
    assert np.array_equal(EncodableCorpus(data.tokens, data.labels).tags(without), at_once)


def test_labels_that_cannot_be_encoded_are_refused_with_the_reason() -> None:
    with pytest.raises(EncodingError, match="'B' at position 1 cannot stand there"):
        EncodableCorpus([["x", "x"]], [["O", "B"]]).tags(scheme_encoding("IOB1", "IOB2"))


@pytest.mark.parametrize("seed", range(30))
@pytest.mark.parametrize(
    "model",
    [
        lawful.HMM(emission_smoothing=0.37),
        lawful.HMM(emission_smoothing=0.21, end=False, rare=2, backoff="."),
        Coded(lawful.CRF(FEATURES, c2=0.3, max_iterations=15, jobs=1)),
        lawful.CRF(FEATURES, groups="prefix", algorithm="averaged_perceptron", max_iterations=4, jobs=1),
    ],
    ids=["hmm", "hmm with back-off", "codes", "all tags"],
)
def test_quick_taggers_answer_as_encoded_models_do(model: SequenceModel, seed: int) -> None:
    rng = np.random.default_rng(seed)
    train, held_out = corpus(rng, 25), corpus(rng, 12)
    quick = Trial(model, train, held_out).tagger
    assert (
        type(quick) is {lawful.HMM: CountedTagger, Coded: CodedTagger, lawful.CRF: JointTagger}[type(model)]
    )
    encoding = wandering(rng, identity_encoding(["A", "B"]), int(rng.integers(6)))
    encoded = lawful.encodings.Encoded(model.unfitted(), encoding).fit(train.tokens, train.labels)
    try:
        expected = encoded.predict(held_out.tokens)
    except InfeasibleError:  # the training data lack a tag that a held-out sequence cannot do without
        with pytest.raises(InfeasibleError):
            quick.predict(encoding)
        assert Trial(model, train, held_out).score(encoding.to_dict())[0] == -np.inf
        return
    assert quick.predict(encoding) == expected  # where two paths score the same, too


def test_bits_are_trained_once() -> None:
    rng = np.random.default_rng(0)
    data = corpus(rng, 20)
    tagger = CodedTagger(Coded(lawful.CRF(FEATURES, max_iterations=5)), data, data)
    tagger.predict(identity_encoding(["A", "B"]))
    assert (tagger.trained, tagger.reused) == (2, 0)
    tagger.predict(lawful.encodings.history_encoding(["A", "B"], 1))
    assert (tagger.trained, tagger.reused) == (2, 2)


def test_other_models_are_tried_the_general_way() -> None:
    data = corpus(np.random.default_rng(1), 5)
    trial = Trial(lawful.MEMM(FEATURES, max_iterations=3), data, data)
    assert isinstance(trial.tagger, EncodedTagger)
    assert 0 <= trial.score(identity_encoding(["A", "B"]).to_dict())[0] <= 1
