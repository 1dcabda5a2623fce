from __future__ import annotations

import numpy as np
import pytest
from sklearn.ensemble import RandomForestClassifier
from sklearn.feature_extraction import DictVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.svm import SVC, LinearSVC

import lawful
from lawful import errors
from lawful.adapters.sklearn import from_sklearn
from lawful.adapters.transitions import estimate_transitions

X = [
    ["Dear", "Ann", "Lee"],
    ["see", "Bo", "at", "9"],
    ["Bo", "wrote", "to", "Ann"],
    ["at", "10", "see", "Cy"],
]
Y = [
    ["O", "Name", "Name"],
    ["O", "Name", "O", "Time"],
    ["Name", "O", "O", "Name"],
    ["O", "Time", "O", "Name"],
]


def features(tokens, place):
    before = tokens[place - 1] if place else ""
    return {"title": tokens[place].istitle(), "digit": tokens[place].isdigit(), "before": before}


TABLE = [features(tokens, place) for tokens in X for place in range(len(tokens))]
FLAT = [label for labels in Y for label in labels]


@pytest.fixture(scope="module")
def vectorizer():
    return DictVectorizer(sparse=False).fit(TABLE)


@pytest.fixture(scope="module")
def logistic(vectorizer):
    return LogisticRegression().fit(vectorizer.transform(TABLE), FLAT)


def test_scores_are_the_classifiers_own(vectorizer, logistic) -> None:
    tagger = from_sklearn(logistic, features, vectorizer=vectorizer)
    assert isinstance(tagger, lawful.Tagger)
    assert list(tagger.labels) == list(logistic.classes_)
    expected = logistic.predict_log_proba(vectorizer.transform(TABLE))
    assert np.concatenate([one.emissions for one in tagger.lattices(X)]) == pytest.approx(expected)
    assert tagger.lattice(X[1]).emissions == pytest.approx(expected[3:7])


def test_without_rules_the_labels_are_the_classifiers_own(vectorizer, logistic) -> None:
    pipeline = make_pipeline(DictVectorizer(), LogisticRegression()).fit(TABLE, FLAT)
    predicted = [
        label
        for labels in lawful.Decoder(tagger=from_sklearn(pipeline, features)).predict(X)
        for label in labels
    ]
    assert predicted == list(logistic.predict(vectorizer.transform(TABLE)))


def test_another_order_of_labels_and_one_that_was_never_seen(vectorizer, logistic) -> None:
    tagger = from_sklearn(logistic, features, vectorizer=vectorizer, labels=["Time", "Place", "Name", "O"])
    expected = logistic.predict_log_proba(vectorizer.transform(TABLE[:3]))
    assert tagger.lattice(X[0]).emissions[:, [2, 3, 0]] == pytest.approx(expected)
    assert np.isneginf(tagger.lattice(X[0]).emissions[:, 1]).all()


def test_a_floor_keeps_impossible_labels_possible() -> None:
    vectors = DictVectorizer(sparse=False).fit(TABLE)
    forest = RandomForestClassifier(n_estimators=3, random_state=0).fit(vectors.transform(TABLE), FLAT)
    rule = lawful.label_at(0, "Time")
    with np.errstate(divide="ignore"):
        strict = from_sklearn(forest, features, vectorizer=vectors)
        with pytest.raises(errors.InfeasibleError):
            lawful.Decoder(rule, tagger=strict).predict([["Dear", "Ann"]])
        lenient = from_sklearn(forest, features, vectorizer=vectors, floor=-20.0)
        assert lawful.Decoder(rule, tagger=lenient).predict([["Dear", "Ann"]])[0][0] == "Time"


def test_margins_instead_of_probabilities(vectorizer) -> None:
    table = vectorizer.transform(TABLE)
    margins = LinearSVC(random_state=0).fit(table, FLAT)
    tagger = from_sklearn(margins, features, vectorizer=vectorizer, scores="decision")
    assert tagger.lattice(X[0]).emissions == pytest.approx(margins.decision_function(table)[:3])
    two = LinearSVC(random_state=0).fit(table, [label == "Name" for label in FLAT])
    tagger = from_sklearn(two, features, vectorizer=vectorizer, scores="decision")
    assert list(tagger.labels) == ["False", "True"]
    predicted = [label == "True" for labels in lawful.Decoder(tagger=tagger).predict(X) for label in labels]
    assert predicted == two.predict(table).tolist()


def test_transitions_count_what_follows() -> None:
    found = estimate_transitions(Y, ["O", "Name", "Time"], smoothing=0.5, relative=False)
    assert np.exp(found.transitions) == pytest.approx(  # counts, each with 0.5 more, over all that follow
        np.array([[1.5, 4.5, 2.5], [2.5, 1.5, 0.5], [1.5, 0.5, 0.5]]) / np.array([[9.0], [8.0], [4.0]])
    )
    everything = np.column_stack([np.exp(found.transitions), np.exp(found.end)])
    assert everything.sum(axis=1) == pytest.approx(1.0)
    assert np.exp(found.start) == pytest.approx([3.5 / 5.5, 1.5 / 5.5, 0.5 / 5.5])


def test_relative_transitions_leave_the_classifiers_prior_out() -> None:
    labels = ["O", "Name", "Time"]
    plain = estimate_transitions(Y, labels, relative=False)
    relative = estimate_transitions(Y, labels)
    prior = np.log(np.array([7.0 + 1, 6.0 + 1, 2.0 + 1]) / 18)
    assert relative.transitions == pytest.approx(plain.transitions - prior)
    assert relative.start == pytest.approx(plain.start - prior)
    assert relative.end == pytest.approx(plain.end)


def test_transitions_reach_the_lattice(vectorizer, logistic) -> None:
    learned = estimate_transitions(Y, logistic.classes_)
    tagger = from_sklearn(logistic, features, vectorizer=vectorizer, **learned._asdict())
    lattice = tagger.lattice(X[0])
    assert lattice.transitions == pytest.approx(learned.transitions)
    assert lattice.start == pytest.approx(learned.start)
    assert lattice.end == pytest.approx(learned.end)


def test_never_seen_is_forbidden_without_smoothing() -> None:
    found = estimate_transitions([["A", "B"]], ["A", "B", "C"], smoothing=0.0)
    assert np.isneginf(found.transitions[0, 0])
    assert np.isneginf(found.transitions[2]).all()
    assert np.isneginf(found.start[2])


@pytest.mark.parametrize(
    ("call", "says"),
    [
        (lambda: from_sklearn(LinearSVC(), features), "has no predict_log_proba; try scores='decision'"),
        (lambda: from_sklearn(LogisticRegression(), features), "fit it first"),
        (lambda: from_sklearn(LogisticRegression(), features, scores="logit"), "scores must be"),  # type: ignore[arg-type]
        (lambda: estimate_transitions([], ["A"]), "sequences is empty"),
        (lambda: estimate_transitions([["X"]], ["A"]), r"unknown label 'X' in sequences\[0\]"),
        (lambda: estimate_transitions([["A"]], ["A"], smoothing=-1.0), "smoothing"),
    ],
)
def test_mistakes_say_what_was_expected(call, says: str) -> None:
    with pytest.raises(errors.InputError, match=says):
        call()


def test_classes_must_be_labels_and_columns_classes(vectorizer, logistic) -> None:
    with pytest.raises(errors.UnknownLabelError, match="classes_"):
        from_sklearn(logistic, features, vectorizer=vectorizer, labels=["O", "Name"])
    pairs = SVC(decision_function_shape="ovo").fit(
        vectorizer.transform(TABLE), [f"{i % 4}" for i in range(len(TABLE))]
    )
    with pytest.raises(errors.ShapeError, match="'ovr'"):
        from_sklearn(pairs, features, vectorizer=vectorizer, scores="decision").lattice(X[0])
