"""Without rules, marginals and probabilities are those of python-crfsuite on a model that is trained here."""

from __future__ import annotations

import struct
from pathlib import Path

import numpy as np
import pycrfsuite
import pytest

import lawful
from lawful import LabelSet, Lattice

Features = list[list[str]]
WORDS = ["the", "a", "cat", "dog", "sees", "likes", "old", "quickly", "7", "42"]


def sentence(rng: np.random.Generator, length: int) -> tuple[Features, list[str]]:
    words = [WORDS[i] for i in rng.integers(len(WORDS), size=length)]
    guess = {
        "the": "D",
        "a": "D",
        "cat": "N",
        "dog": "N",
        "sees": "V",
        "likes": "V",
        "old": "A",
        "quickly": "A",
    }
    labels = [
        guess.get(word, "X") if rng.random() < 0.7 else str(rng.choice(list("DNVAX"))) for word in words
    ]
    features = [["bias", f"w={word}", f"last={word[-1]}"] for word in words]
    for here, before in zip(features[1:], words, strict=False):
        here.append(f"w-1={before}")
    return features, labels


class Crf:
    """A trained model: the tagger that judges, and its weights to build lattices from."""

    def __init__(self, path: Path) -> None:
        rng = np.random.default_rng(0)
        corpus = [sentence(rng, int(rng.integers(3, 12))) for _ in range(60)]
        trainer = pycrfsuite.Trainer(verbose=False)
        for features, labels in corpus:
            trainer.append(features, labels)
        trainer.set_params({"c1": 0.0, "c2": 0.1, "max_iterations": 30, "feature.possible_transitions": True})
        trainer.train(str(path))
        self.tagger = pycrfsuite.Tagger()
        self.tagger.open(str(path))
        self.labels = LabelSet(self.tagger.labels())
        attributes = list(dict.fromkeys(name for features, _ in corpus for one in features for name in one))
        self.emissions, self.transitions = weights(path.read_bytes(), attributes, self.labels)
        self._check_weights()

    def _check_weights(self) -> None:
        """The weights that we read from the file are those of crfsuite's own dump, which has six digits."""
        info = self.tagger.info()
        for (attribute, label), weight in info.state_features.items():
            assert self.emissions[attribute][self.labels.index(label)] == pytest.approx(weight, abs=1e-6)
        for (one, other), weight in info.transitions.items():
            found = self.transitions[self.labels.index(one), self.labels.index(other)]
            assert found == pytest.approx(weight, abs=1e-6)
        assert np.abs(self.transitions).min() > 0

    def lattice(self, features: Features) -> Lattice:
        nothing = np.zeros(len(self.labels))
        rows = [sum((self.emissions.get(name, nothing) for name in one), nothing) for one in features]
        return Lattice(rows, self.transitions, labels=self.labels)


def weights(
    model: bytes, attributes: list[str], labels: LabelSet
) -> tuple[dict[str, np.ndarray], np.ndarray]:
    """Weights in full precision: the feature table of a model file has (type, source, target, weight) in 20 bytes."""
    [offset] = struct.unpack_from("<I", model, 28)
    [count] = struct.unpack_from("<I", model, offset + 8)
    emissions = {name: np.zeros(len(labels)) for name in attributes}
    transitions = np.zeros((len(labels), len(labels)))
    for kind, source, target, weight in struct.iter_unpack(
        "<IIId", model[offset + 12 : offset + 12 + 20 * count]
    ):
        if kind == 0:
            emissions[attributes[source]][target] = weight
        else:
            transitions[source, target] = weight
    return emissions, transitions


@pytest.fixture(scope="module")
def crf(tmp_path_factory: pytest.TempPathFactory) -> Crf:
    return Crf(tmp_path_factory.mktemp("crfsuite") / "model")


@pytest.mark.parametrize("length", [1, 2, 3, 5, 8, 13, 21, 34, 50])
def test_marginals_and_probabilities_are_crfsuites(crf: Crf, length: int) -> None:
    rng = np.random.default_rng([1, length])
    for _ in range(5):
        features, labels = sentence(rng, length)
        found = lawful.marginals(crf.lattice(features))
        crf.tagger.set(features)
        theirs = [[crf.tagger.marginal(label, t) for label in crf.labels] for t in range(length)]
        np.testing.assert_allclose(found.labels, theirs, rtol=0, atol=1e-9)
        best = crf.tagger.tag()
        for one in (best, labels):
            assert found.confidence(one) == pytest.approx(crf.tagger.probability(one), rel=1e-9)
        assert list(lawful.nbest(crf.lattice(features), n=1)[0].labels) == best


def test_rules_that_say_nothing_change_nothing(crf: Crf) -> None:
    features, _ = sentence(np.random.default_rng(2), 12)
    lattice = crf.lattice(features)
    crf.tagger.set(features)
    ruled = lawful.marginals(lattice, [lawful.at_most(12, "N"), lawful.at_most_segments(12, "D")])
    theirs = [[crf.tagger.marginal(label, t) for label in crf.labels] for t in range(12)]
    np.testing.assert_allclose(ruled.labels, theirs, rtol=0, atol=1e-9)
