"""A trellis over tags that is read as labels: every solver, every kind of answer, and what is wrong named."""

from __future__ import annotations

import pickle
from itertools import pairwise, product

import numpy as np
import pytest

import lawful
from lawful.errors import DtypeError, EmptyLabelSetError, LabelSetError, ShapeError, UnknownLabelError
from lawful.lattice import Columns, GraphLattice, Lattice, TagLattice, path_score
from lawful.lattice.graph import as_graph
from lawful.solvers.choice import SOLVERS
from lawful.testing import random_lattice, same_score

TAGS = ("A.1", "A.2", "B", "C")
LABELS = ("C", "A", "B")  # in another order than the tags
STANDS_FOR = {"A.1": "A", "A.2": "A", "B": "B", "C": "C"}
STEPS = ~np.eye(4, dtype=np.bool_)  # no tag twice
RULES = lawful.Rules(
    lawful.at_most(2, "A"),
    lawful.before("A", "C").soft(0.5),
    lawful.requires("B", "A").soft(0.25, per="violation"),
)


def columns(**more: object) -> Columns:
    return Columns(
        STANDS_FOR, tags=TAGS, labels=LABELS, steps=STEPS, first=np.array([True, False, True, True]), **more
    )  # type: ignore[arg-type]


def scored(lattice: TagLattice) -> dict[tuple[str, ...], float]:
    """The labels that have tags, with the best score of their tags, by the definition."""
    scores: dict[tuple[str, ...], float] = {}
    for tags in product(TAGS, repeat=lattice.length):
        legal = tags[0] != "A.2" and all(before != after for before, after in pairwise(tags))
        score = path_score(lattice.tags, tags) if legal else -np.inf
        labels = tuple(STANDS_FOR[tag] for tag in tags)
        if score > scores.get(labels, -np.inf):
            scores[labels] = score
    return scores


@pytest.mark.parametrize("seed", range(20))
def test_all_solvers_and_all_answers_are_those_of_the_best_tags(seed: int) -> None:
    rng = np.random.default_rng(seed)
    tags = random_lattice(rng, length=int(rng.integers(1, 6)), labels=lawful.LabelSet(TAGS))
    lattice = TagLattice(tags, columns())
    expected = scored(lattice)
    for labels in product(LABELS, repeat=lattice.length):
        assert same_score(path_score(lattice, labels), expected.get(labels, -np.inf))
        assert (lattice.find_block(labels) is None) == (labels in expected)
    charged = {labels: score - _charge(labels) for labels, score in expected.items()}
    charged = {labels: score for labels, score in charged.items() if score > -np.inf}
    best = max(charged.values())
    for solver in SOLVERS:
        if solver != "viterbi":
            decoding = lawful.decode(
                lattice, RULES, solver=solver, **({"width": None} if solver == "beam" else {})
            )
            assert same_score(decoding.score, best) and same_score(charged[decoding.labels], best), solver
    assert same_score(lawful.decode(lattice, solver="viterbi").score, max(expected.values()))
    ranked = lawful.nbest(lattice, RULES, n=1000)
    assert {answer.labels for answer in ranked} == set(charged) and len(ranked) == len(charged)
    graph = as_graph(lattice)
    assert same_score(lawful.decode(graph, RULES).score, best) and graph.labels == lattice.labels


def _charge(labels: tuple[str, ...]) -> float:
    counts = RULES.violations(labels)
    hard, order, need = counts.values()
    return float("inf") if hard else 0.5 * (order > 0) + 0.25 * need


def test_answers_are_labels_everywhere() -> None:
    rng = np.random.default_rng(3)
    lattices = [
        TagLattice(
            random_lattice(rng, length=length, labels=lawful.LabelSet(TAGS), tokens=["x"] * length), columns()
        )
        for length in (3, 4, 1)
    ]
    decoder = lawful.Decoder(RULES, labels=LABELS)
    batch = decoder.decode_batch(lattices)
    assert batch.labels == [decoder.decode(lattice).labels for lattice in lattices]
    assert {label for labels in batch.labels for label in labels} <= set(LABELS)
    for lattice, decoding in zip(lattices, batch, strict=True):
        assert decoding.loss >= 0 and len(decoding.plain_labels) == lattice.length
        assert lawful.explain(decoding).changes is not None
        assert lattice.tags_of(decoding.labels) is not None
        marginals = lawful.marginals(lattice, RULES)
        assert marginals.labels.shape == (lattice.length, 3)
        assert marginals.confidence(decoding.labels) > 0
        assert all(set(labels) <= set(LABELS) for labels in marginals.sample(5, seed=0))
        certificate = lawful.verify(decoding)
        assert certificate.holds, certificate


def test_a_copy_is_the_same() -> None:
    tags = Lattice(np.arange(8.0).reshape(2, 4), labels=TAGS, context={"a": 1})
    lattice = TagLattice(
        tags, columns(last=np.array([True, True, True, False])), np.array([[True] * 4, [False] + [True] * 3])
    )
    again = pickle.loads(pickle.dumps(lattice))  # noqa: S301 - our own
    for labels in product(LABELS, repeat=2):
        assert path_score(again, labels) == path_score(lattice, labels)
    assert again.context == lattice.context and repr(again) == repr(lattice)
    assert lattice.with_context({"b": 2}).context == {"b": 2}
    assert lawful.decode(lattice.unscored()).score == 0
    assert len(lattice) == 2 and lattice.spread().labels == lawful.LabelSet(["C", "A.1", "A.2", "B"])
    assert isinstance(as_graph(lattice), GraphLattice)


def test_tags_with_several_meanings_have_names_of_their_own() -> None:
    twice = Columns([("x", "A"), ("x", "B"), ("x", "B"), ("y", "A")], tags=["x", "y"], labels=["A", "B"])
    assert list(twice.names) == ["x as A", "y", "x as B", "x as B (2)"]


def test_what_forbids_labels_is_named() -> None:
    lattice = TagLattice(
        Lattice(np.zeros((3, 4)), labels=TAGS), columns(last=np.array([True, True, False, True]))
    )
    assert str(lattice.find_block(["B", "B", "A"])) == "Block(position=1, what=\"'B' at token 1 after 'B'\")"
    assert str(lattice.find_block(["A", "C", "B"])) == "Block(position=3, what=\"'B' as the last label\")"
    blocked = Lattice(np.array([[0.0, 0, -np.inf, 0]] * 2), labels=TAGS)
    assert (
        str(TagLattice(blocked, columns()).find_block(["B", "A"]))
        == "Block(position=0, what=\"'B' at token 0\")"
    )


def test_what_is_wrong_is_named() -> None:
    with pytest.raises(LabelSetError):
        TagLattice(Lattice([[0.0, 1.0]], labels=["x", "y"]), columns())
    with pytest.raises(EmptyLabelSetError):
        Columns({}, tags=TAGS, labels=LABELS)
    with pytest.raises(UnknownLabelError):
        Columns({"A.1": "Z"}, tags=TAGS, labels=LABELS)
    with pytest.raises(ShapeError, match="steps"):
        Columns(STANDS_FOR, tags=TAGS, labels=LABELS, steps=np.ones((2, 2), dtype=np.bool_))
    with pytest.raises(DtypeError, match="first"):
        Columns(STANDS_FOR, tags=TAGS, labels=LABELS, first=[1, 0, 1, 1])
    with pytest.raises(ShapeError, match="labels"):
        path_score(TagLattice(Lattice([[0.0] * 4], labels=TAGS), columns()), ["A", "B"])
