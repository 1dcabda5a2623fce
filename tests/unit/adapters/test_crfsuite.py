"""Without rules, a CRFsuite model labels and scores here as it does at home."""

from __future__ import annotations

import math
import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pycrfsuite
import pytest

import lawful
from lawful import Tagger
from lawful.adapters.crfsuite.probe import ProbedTagger
from lawful.adapters.crfsuite.tagger import CrfsuiteTagger
from lawful.errors import EmptySequenceError, ForeignFileError, InputError, TokenError

WORDS = ["the", "old", "cat", "sleeps", "New\nYork", "42", "größer", "&"]
LABELS = ["D", "A", "N", "V", "X"]


def item(rng: np.random.Generator) -> Any:
    """One of all the forms that python-crfsuite takes."""
    word = WORDS[rng.integers(len(WORDS))]
    kind = rng.integers(6)
    if kind == 0:
        return [f"w:{word}", "bias", "bias"]  # twice counts twice
    if kind == 1:
        return {"w": word, "bias": True, "odd": False, "length": len(word) / 3}
    if kind == 2:
        return {"w": {word: 0.5, "shape": {"upper": bool(word[0].isupper()), "end": word[-1]}}, "bias": 1}
    if kind == 3:
        return {"w": [word, "any"], "bytes": word.encode(), b"raw \xff": True}
    if kind == 4:
        return {"w": {word, "any"}, "bias": np.float32(0.25), "unseen": {"unseen": 7}}
    return [] if rng.random() < 0.3 else (f"w:{word}", word.encode())


def sequence(rng: np.random.Generator, length: int) -> list[Any]:
    return [item(rng) for _ in range(length)]


@pytest.fixture(scope="module", params=["lbfgs", "l1", "all transitions", "perceptron"])
def path(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    rng = np.random.default_rng(0)
    trainer = pycrfsuite.Trainer(
        verbose=False,
        algorithm="ap" if request.param == "perceptron" else "lbfgs",
        params={"max_iterations": 40},
    )
    if request.param == "l1":
        trainer.set_params({"c1": 0.5})
    if request.param == "all transitions":
        trainer.set_params({"feature.possible_transitions": True, "feature.possible_states": True})
    for _ in range(80):
        length = int(rng.integers(1, 9))
        trainer.append(sequence(rng, length), [str(one) for one in rng.choice(LABELS, size=length)])
    path = tmp_path_factory.mktemp("crf") / "model.crfsuite"
    trainer.train(str(path))
    return path


@pytest.fixture
def theirs(path: Path) -> pycrfsuite.Tagger:
    tagger = pycrfsuite.Tagger()
    tagger.open(str(path))
    return tagger


def assert_same_model(ours: Any, theirs: pycrfsuite.Tagger, items: list[Any]) -> None:
    lattice = ours.lattice(items)
    expected = theirs.tag(items)
    log_partition = lawful.decoding.log_partition(lattice)
    rng = np.random.default_rng(len(items))
    best = lawful.decode(lattice)
    for labels in (expected, [str(one) for one in rng.choice(LABELS, size=len(items))]):
        score = lawful.lattice.path_score(lattice, labels)
        assert score - log_partition == pytest.approx(math.log(theirs.probability(labels)), abs=1e-9)
    assert best.score == pytest.approx(lawful.lattice.path_score(lattice, expected), abs=1e-12)
    if (
        len(lawful.nbest(lattice, n=2)) < 2
        or np.diff([one.score for one in lawful.nbest(lattice, n=2)])[0] < -1e-9
    ):
        assert list(best.labels) == expected  # among equals each takes its own


def test_labels_and_probabilities_are_crfsuites(path: Path, theirs: pycrfsuite.Tagger) -> None:
    ours = lawful.from_crfsuite(path)
    assert isinstance(ours, Tagger)
    assert list(ours.labels) == theirs.labels()
    rng = np.random.default_rng(7)
    for _ in range(60):
        assert_same_model(ours, theirs, sequence(rng, int(rng.integers(1, 12))))


def test_a_tagger_without_its_file_gives_the_same_labels_and_probabilities(theirs: pycrfsuite.Tagger) -> None:
    ours = lawful.from_crfsuite(theirs)
    assert isinstance(ours, ProbedTagger)
    rng = np.random.default_rng(8)
    for _ in range(30):
        assert_same_model(ours, theirs, sequence(rng, int(rng.integers(1, 12))))


def test_scores_are_summed_in_crfsuites_order(path: Path) -> None:
    """Bit for bit: one addition after the other, in the order of the attributes."""
    ours = lawful.from_crfsuite(path)
    weights = ours.weights
    items = [[f"w:{WORDS[i % 8]}" for i in range(n)] + ["bias"] * 3 for n in (1, 5, 40)]
    expected = np.zeros((3, len(ours.labels)))
    for row, attributes in zip(expected, items, strict=True):
        for name in attributes:
            if name in weights.attributes:
                a = weights.attributes.index(name)
                for f in range(weights.row_starts[a], weights.row_starts[a + 1]):
                    row[weights.targets[f]] += weights.weights[f]
    assert np.array_equal(ours.lattice(items).emissions, expected)


def test_many_sequences_are_as_one_by_one(path: Path) -> None:
    ours = lawful.from_crfsuite(path)
    rng = np.random.default_rng(9)
    sequences = [sequence(rng, n) for n in (1, 4, 2, 9)]
    words = [[f"{n}.{t}" for t in range(len(one))] for n, one in enumerate(sequences)]
    for one, items, tokens in zip(ours.lattices(sequences, tokens=words), sequences, words, strict=True):
        assert np.array_equal(one.emissions, ours.lattice(items).emissions)
        assert one.tokens == tuple(tokens)
    assert ours.lattice(sequences[0]).tokens == tuple(sequences[0])
    assert ours.lattices([]) == []


def test_an_item_sequence_is_taken_as_it_is(path: Path, theirs: pycrfsuite.Tagger) -> None:
    given = pycrfsuite.ItemSequence([{"w": "cat", "bias": True}, {"w": {"old": 0.5}}, ["bias"]])
    assert list(lawful.decode(lawful.from_crfsuite(path).lattice(given)).labels) == theirs.tag(given)


def test_names_end_at_their_first_zero_byte(path: Path, theirs: pycrfsuite.Tagger) -> None:
    items = [["bias\0 and more"], {"w": "cat\0!"}, ["bias"]]
    ours = lawful.from_crfsuite(path)
    assert_same_model(ours, theirs, items)
    assert np.array_equal(ours.lattice(items[:1]).emissions, ours.lattice([["bias"]]).emissions)


def test_rules_hold_and_predict_takes_python_crfsuites_input(path: Path) -> None:
    rng = np.random.default_rng(10)
    X = [sequence(rng, n) for n in (3, 5, 1)]
    decoder = lawful.Decoder(
        [lawful.at_most(1, "N"), lawful.ends_with("V")], tagger=lawful.from_crfsuite(path)
    )
    for labels in decoder.predict(X):
        assert labels[-1] == "V"
        assert labels.count("N") <= 1


def test_bytes_paths_and_sklearn_models_are_the_same(path: Path, tmp_path: Path) -> None:
    class File:
        name = str(path)

    class CRF:
        modelfile = File()

    items = [["bias"], ["w:cat"]]
    expected = lawful.from_crfsuite(str(path)).lattice(items).emissions
    for model in (path, path.read_bytes(), CRF()):
        ours = lawful.from_crfsuite(model)
        assert isinstance(ours, CrfsuiteTagger)
        assert np.array_equal(ours.lattice(items).emissions, expected)


def test_a_fitted_sklearn_crfsuite_model_keeps_its_answers(tmp_path: Path) -> None:
    sklearn_crfsuite = pytest.importorskip("sklearn_crfsuite")
    rng = np.random.default_rng(2)
    X = [sequence(rng, 6) for _ in range(40)]
    y = [[str(one) for one in rng.choice(LABELS, size=6)] for _ in X]
    unfitted = sklearn_crfsuite.CRF()
    with pytest.raises(InputError, match="fit it first"):
        lawful.from_crfsuite(unfitted)
    crf = sklearn_crfsuite.CRF(c1=0.1, c2=0.1, max_iterations=30).fit(X, y)
    for one in (crf, pickle.loads(pickle.dumps(crf))):  # noqa: S301 (our own)
        assert lawful.Decoder(tagger=lawful.from_crfsuite(one)).predict(X) == [
            list(p) for p in crf.predict(X)
        ]


@pytest.mark.parametrize(
    ("items", "says"),
    [
        (["cat"], "item 0: an item is a list of attributes or a dict, got 'cat'"),
        ([["bias"], [3]], "item 1: an attribute must be a string, got 3"),
        ([{"w": None}], "attribute 'w' has the value None"),
        ([{"w": {"x": (1, 2)}}], "attribute 'w:x' has the value (1, 2)"),
        ([{7: 1.0}], "must be a string, got 7"),
        ([4.0], "got 4.0"),
    ],
)
def test_what_is_no_item_is_said_to_be_none(path: Path, items: list[Any], says: str) -> None:
    with pytest.raises(TokenError) as caught:
        lawful.from_crfsuite(path).lattice(items)
    assert says in str(caught.value)


def test_what_cannot_be_scored_is_refused(path: Path) -> None:
    ours = lawful.from_crfsuite(path)
    with pytest.raises(EmptySequenceError, match="sequence 2"):
        ours.lattices([[["bias"]], []])
    with pytest.raises(lawful.errors.ScoreError):
        ours.lattice([{"bias": float("nan")}])
    with pytest.raises(TokenError, match="a sequence is a list of items"):
        ours.lattice("cat")
    with pytest.raises(InputError, match="2 sequences of items, but 1 of tokens"):
        ours.lattices([[["bias"]]] * 2, tokens=[["one"]])


def test_what_is_no_model_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="got int"):
        lawful.from_crfsuite(3)
    with pytest.raises(FileNotFoundError):
        lawful.from_crfsuite(tmp_path / "nothing")
    (tmp_path / "text").write_text("hello, world")
    with pytest.raises(ForeignFileError, match="text: not a CRFsuite model"):
        lawful.from_crfsuite(tmp_path / "text")
    with pytest.raises(InputError, match="open a model first"):
        lawful.from_crfsuite(pycrfsuite.Tagger())


def test_scores_that_probabilities_cannot_tell_apart_are_refused(tmp_path: Path) -> None:
    trainer = pycrfsuite.Trainer(verbose=False)
    trainer.append([["a"], ["b"]], ["A", "B"])
    trainer.train(str(tmp_path / "m"))
    tagger = pycrfsuite.Tagger()
    tagger.open(str(tmp_path / "m"))
    far = [{"a": 1e6}]
    with pytest.raises(InputError, match="pass the path of the model file"):
        lawful.from_crfsuite(tagger).lattice(far)
    assert lawful.decode(lawful.from_crfsuite(tmp_path / "m").lattice(far)).labels == ("A",)
