"""The CRF's likelihood is what enumeration says, its gradient what finite differences say; with groups and pairs."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product

import numpy as np
import numpy.typing as npt
import pytest

from lawful import _core

Floats = npt.NDArray[np.float64]


@dataclass
class Corpus:
    """A random labelled corpus with everything switched on that the arguments ask for."""

    labels: int
    outputs: list[list[int]]
    lengths: list[int]
    items: list[list[tuple[int, float]]]
    pair_items: list[list[tuple[int, float]]] | None
    gold: npt.NDArray[np.int32]
    layout: _core.LinearLayout
    data: _core.LinearSequences
    pairs: _core.LinearSequences | None
    observed: Floats


def sequences(
    lengths: list[int], items: list[list[tuple[int, float]]], size: int, *, valued: bool
) -> _core.LinearSequences:
    flat = [one for item in items for one in item]
    return _core.LinearSequences(
        np.cumsum([0, *lengths]),
        np.cumsum([0, *map(len, items)]),
        np.array([a for a, _ in flat], dtype=np.int32),
        np.array([v for _, v in flat]) if valued else None,
        size,
    )


def make(
    seed: int, *, groups: bool, pairs: bool, valued: bool, labels: int = 3, boundary: bool = True
) -> Corpus:
    rng = np.random.default_rng(seed)
    outputs = [[k] for k in range(labels)] + ([[0, labels - 1], list(range(labels))] if groups else [])
    lengths = [0, *rng.integers(1, 5, size=4).tolist(), 1]
    count = sum(lengths)

    def drawn(size: int) -> list[list[tuple[int, float]]]:
        return [
            [
                (int(rng.integers(size)), float(rng.normal()) if valued else 1.0)
                for _ in range(rng.integers(0, 5))
            ]
            for _ in range(count)
        ]

    items, pair_items = drawn(7), drawn(4) if pairs else None
    gold = rng.integers(labels, size=count).astype(np.int32)
    data = sequences(lengths, items, 7, valued=valued)
    second = None if pair_items is None else sequences(lengths, pair_items, 4, valued=valued)
    layout, observed = _core.linear_features(
        labels,
        np.cumsum([0, *map(len, outputs)]),
        np.array([k for one in outputs for k in one], dtype=np.int32),
        data,
        gold,
        second,
        all_states=bool(rng.integers(2)),
        all_edges=bool(rng.integers(2)),
        min_count=-np.inf,
        first=boundary,
        last=boundary,
        scopes=None,
        label_outputs=labels,
    )
    return Corpus(labels, outputs, lengths, items, pair_items, gold, layout, data, second, observed)


def features(corpus: Corpus, start: int, path: tuple[int, ...]) -> Floats:
    """The feature vector of one labelling, straight from the definition."""
    layout, outputs = corpus.layout, corpus.outputs
    found = np.zeros(layout.size)
    state = len(layout.state_outputs)
    edges, firsts, lasts = len(layout.edge_sources), len(layout.first_outputs), len(layout.last_outputs)
    for t, label in enumerate(path):
        for attribute, value in corpus.items[start + t]:
            for f in range(layout.state_offsets[attribute], layout.state_offsets[attribute + 1]):
                found[f] += value * (label in outputs[layout.state_outputs[f]])
        if t == 0:
            continue
        for i, (g, h) in enumerate(zip(layout.edge_sources, layout.edge_targets, strict=True)):
            found[state + i] += path[t - 1] in outputs[g] and label in outputs[h]
        for attribute, value in corpus.pair_items[start + t] if corpus.pair_items else []:
            for f in range(layout.pair_offsets[attribute], layout.pair_offsets[attribute + 1]):
                fires = (
                    path[t - 1] in outputs[layout.pair_sources[f]]
                    and label in outputs[layout.pair_targets[f]]
                )
                found[state + edges + firsts + lasts + f] += value * fires
    for i, g in enumerate(layout.first_outputs):
        found[state + edges + i] += path[0] in outputs[g]
    for i, g in enumerate(layout.last_outputs):
        found[state + edges + firsts + i] += path[-1] in outputs[g]
    return found


def enumerated(corpus: Corpus, weights: Floats) -> tuple[float, Floats, list[Floats], list[tuple[int, ...]]]:
    """-log p(y | x), its gradient, the marginals of every sequence and the best labels, by looking at all labellings."""
    value, gradient = 0.0, np.zeros(len(weights))
    marginals, best = [], []
    start = 0
    for length in corpus.lengths:
        if not length:
            continue
        paths = list(product(range(corpus.labels), repeat=length))
        table = np.array([features(corpus, start, path) for path in paths])
        scores = table @ weights
        top = scores.max()
        log_partition = top + np.log(np.exp(scores - top).sum())
        chances = np.exp(scores - log_partition)
        gold = paths.index(tuple(corpus.gold[start : start + length].tolist()))
        value += log_partition - scores[gold]
        gradient += chances @ table - table[gold]
        found = np.zeros((length, corpus.labels))
        for path, chance in zip(paths, chances, strict=True):
            found[np.arange(length), path] += chance
        marginals.append(found)
        best.append(paths[int(scores.argmax())])
        start += length
    return value, gradient, marginals, best


KINDS = [
    pytest.param(groups, pairs, valued, id=f"groups={groups}-pairs={pairs}-values={valued}")
    for groups, pairs, valued in product([False, True], repeat=3)
]


@pytest.mark.parametrize(("groups", "pairs", "valued"), KINDS)
@pytest.mark.parametrize("seed", range(4))
def test_everything_is_what_enumeration_says(*, seed: int, groups: bool, pairs: bool, valued: bool) -> None:
    corpus = make(seed, groups=groups, pairs=pairs, valued=valued)
    weights = np.random.default_rng(100 + seed).normal(size=corpus.layout.size)
    expected, slopes, marginals, best = enumerated(corpus, weights)
    value, gradient = _core.linear_objective(
        corpus.layout, corpus.data, corpus.pairs, corpus.observed, weights, threads=1
    )
    assert value == pytest.approx(expected, rel=1e-11)
    np.testing.assert_allclose(gradient, slopes, atol=1e-11)
    found, _ = _core.linear_marginals(corpus.layout, weights, corpus.data, corpus.pairs, threads=1)
    np.testing.assert_allclose(found, np.concatenate(marginals), atol=1e-12)
    tagged = _core.linear_tag(corpus.layout, weights, corpus.data, corpus.pairs, threads=1)
    assert tagged.tolist() == [k for path in best for k in path]
    counted = _core.linear_counts(corpus.layout, corpus.data, corpus.gold, corpus.pairs)
    np.testing.assert_allclose(counted, corpus.observed, atol=1e-12)


@pytest.mark.parametrize(("groups", "pairs", "valued"), KINDS)
def test_the_gradient_is_that_of_finite_differences(*, groups: bool, pairs: bool, valued: bool) -> None:
    corpus = make(9, groups=groups, pairs=pairs, valued=valued, labels=11)
    weights = np.random.default_rng(9).normal(size=corpus.layout.size)

    def value(at: Floats) -> float:
        return _core.linear_objective(
            corpus.layout, corpus.data, corpus.pairs, corpus.observed, at, threads=1
        )[0]

    _, gradient = _core.linear_objective(
        corpus.layout, corpus.data, corpus.pairs, corpus.observed, weights, threads=1
    )
    chosen = np.random.default_rng(1).choice(len(weights), size=min(60, len(weights)), replace=False)
    for i in chosen:
        step = np.zeros(len(weights))
        step[i] = 1e-5
        assert gradient[i] == pytest.approx((value(weights + step) - value(weights - step)) / 2e-5, abs=1e-6)


@pytest.mark.parametrize("pairs", [False, True])
@pytest.mark.parametrize("size", [50.0, 400.0, 3000.0])
def test_huge_weights_neither_overflow_nor_vanish(size: float, *, pairs: bool) -> None:
    """Scaled sums underflow when scores spread by more than about 700; the answer must not show it."""
    for seed in range(5):
        corpus = make(seed, groups=False, pairs=pairs, valued=False)
        weights = np.random.default_rng(seed).normal(scale=size, size=corpus.layout.size)
        expected, slopes, marginals, _ = enumerated(corpus, weights)
        value, gradient = _core.linear_objective(
            corpus.layout, corpus.data, corpus.pairs, corpus.observed, weights, threads=1
        )
        assert value == pytest.approx(expected, rel=1e-9, abs=1e-8)
        np.testing.assert_allclose(gradient, slopes, atol=1e-8)
        found, _ = _core.linear_marginals(corpus.layout, weights, corpus.data, corpus.pairs, threads=1)
        np.testing.assert_allclose(found, np.concatenate(marginals), atol=1e-8)


@pytest.mark.parametrize(("groups", "pairs", "valued"), KINDS)
def test_any_number_of_threads_gives_the_same_bits(*, groups: bool, pairs: bool, valued: bool) -> None:
    rng = np.random.default_rng(3)
    labels, lengths = 9, rng.integers(0, 40, size=300).tolist()
    count = sum(lengths)
    items = [
        [(int(a), float(rng.normal()) if valued else 1.0) for a in rng.zipf(1.5, size=6) % 500]
        for _ in range(count)
    ]
    data = sequences(lengths, items, 500, valued=valued)
    second = sequences(lengths, [one[:2] for one in items], 500, valued=valued) if pairs else None
    gold = rng.integers(labels, size=count).astype(np.int32)
    outputs = [[k] for k in range(labels)] + ([[0, 1], [2, 3, 4]] if groups else [])
    layout, observed = _core.linear_features(
        labels, np.cumsum([0, *map(len, outputs)]), np.array([k for one in outputs for k in one], dtype=np.int32), data,
        gold, second, all_states=False, all_edges=False, min_count=0, first=True, last=True, scopes=None,
        label_outputs=labels,
    )  # fmt: skip
    weights = rng.normal(size=layout.size)
    one, gradient = _core.linear_objective(layout, data, second, observed, weights, threads=1)
    for threads in (2, 3, 8):
        other, slopes = _core.linear_objective(layout, data, second, observed, weights, threads=threads)
        assert one == other
        assert gradient.tobytes() == slopes.tobytes()


def test_features_are_those_that_were_seen() -> None:
    data = sequences(
        [3, 2], [[(0, 1.0), (1, 1.0)], [(0, 1.0)], [(2, 1.0)], [(0, 1.0)], [(2, 1.0)]], 4, valued=False
    )
    gold = np.array([0, 1, 1, 0, 1], dtype=np.int32)
    plain = (2, np.arange(3), np.arange(2, dtype=np.int32), data, gold, None)
    common = {"first": False, "last": False, "scopes": None, "label_outputs": 2}
    layout, observed = _core.linear_features(*plain, all_states=False, all_edges=False, min_count=0, **common)
    assert layout.state_offsets.tolist() == [0, 2, 3, 4, 4]
    assert layout.state_outputs.tolist() == [0, 1, 0, 1]
    assert list(zip(layout.edge_sources.tolist(), layout.edge_targets.tolist(), strict=True)) == [
        (0, 1),
        (1, 1),
    ]
    assert observed.tolist() == [2, 1, 1, 2, 2, 1]
    layout, observed = _core.linear_features(*plain, all_states=False, all_edges=False, min_count=2, **common)
    assert layout.state_outputs.tolist() == [0, 1] and observed.tolist() == [2, 2, 2]
    layout, observed = _core.linear_features(*plain, all_states=True, all_edges=True, min_count=0, **common)
    assert layout.state_offsets.tolist() == [0, 2, 4, 6, 6] and len(layout.edge_sources) == 4
    assert observed.tolist() == [2, 1, 1, 0, 0, 2, 0, 2, 0, 1]
