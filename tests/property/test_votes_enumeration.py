"""Exact votes are exact: 5,000 small ensembles in mixed encodings, with and without rules, against the definition."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import product
from typing import NamedTuple

import numpy as np
import pytest

import lawful
from lawful.encodings import ComposedLattices, Encoding, history_encoding, identity_encoding, scheme_encoding
from lawful.errors import EncodingError, InfeasibleError, RuleError
from lawful.lattice import AnyLattice
from lawful.lattice.arrays import Floats
from lawful.rules import Rules
from lawful.testing import penalty, random_lattice, random_rules
from lawful.testing.generators.surroundings import random_context, random_tokens
from lawful.voting import GroupedStates, LogLinear, canonical_states, find_linear_winners, merge_states

CHUNKS, POOLS, ENSEMBLES, WEIGHTS = 5, 50, 5, 4  # 5,000 in all


@cache
def families() -> list[list[Encoding]]:
    typed = [scheme_encoding("IOB2", target, ["X", "Y"]) for target in ("IOB1", "IOE2", "BILOU")]
    return [
        [identity_encoding(["A", "B"]), history_encoding(["A", "B"], 2), history_encoding(["A", "B"], 3)],
        [identity_encoding(["A", "B", "C"]), history_encoding(["A", "B", "C"], 2)],
        [scheme_encoding("IOB1", target) for target in ("IOB1", "IOB2", "IOE1", "IOE2", "IOBES")],
        [scheme_encoding("IOB2", "IOB2", ["X", "Y"]), *typed],
    ]


@cache
def encoded(family: int, member: int, length: int) -> tuple[list[tuple[str, ...]], np.ndarray, np.ndarray]:
    """All canonical sequences; which of them have tags; and these tags, as indices."""
    encoding = families()[family][member]
    sequences = list(product(families()[family][0].labels, repeat=length))
    kept, tags = [], []
    for index, labels in enumerate(sequences):
        try:
            tags.append(encoding.tags.encode(encoding.encode(labels)))
        except EncodingError:
            continue
        kept.append(index)
    return sequences, np.array(kept), np.array(tags)


def scores_of(tags: lawful.Lattice, family: int, member: int) -> Floats:
    """What a tagger gives every canonical sequence: the score of its tags, by the definition."""
    sequences, kept, paths = encoded(family, member, tags.length)
    scores = np.full(len(sequences), -np.inf)
    total = tags.emissions[np.arange(tags.length), paths].sum(axis=1)
    if tags.transitions is not None and tags.length > 1:
        steps = np.broadcast_to(tags.transitions, (tags.length - 1, len(tags.labels), len(tags.labels)))
        total = total + steps[np.arange(tags.length - 1), paths[:, :-1], paths[:, 1:]].sum(axis=1)
    if tags.start is not None:
        total = total + tags.start[paths[:, 0]]
    if tags.end is not None:
        total = total + tags.end[paths[:, -1]]
    scores[kept] = total
    return scores


class Pool(NamedTuple):
    """Five taggers on one sequence."""

    sequences: list[tuple[str, ...]]
    lattices: list[AnyLattice]
    graphs: list[GroupedStates]
    scores: Floats  # (all sequences, taggers)


def random_pool(rng: np.random.Generator) -> Pool:
    family = int(rng.integers(len(families())))
    encodings = families()[family]
    labels = encodings[0].labels
    length = int(rng.integers(1, {2: 6, 3: 5, 5: 4}[len(labels)]))
    tokens, context = random_tokens(rng, length), random_context(rng, length, labels)
    lattices: list[AnyLattice] = []
    columns = []
    for member in rng.integers(len(encodings), size=5).tolist():
        encoding = encodings[member]
        tags = random_lattice(
            rng, length=length, labels=encoding.tags, tokens=tokens, context=context, forbid=0.03
        )
        columns.append(scores_of(tags, family, member))
        plain = encoding.name == "canonical"
        lattices.append(tags if plain else ComposedLattices(encoding, encoding.tags)(tags))
    graphs = [canonical_states(lattice, labels) for lattice in lattices]
    return Pool(encoded(family, 0, length)[0], lattices, graphs, np.column_stack(columns))


def best_under(pool: Pool, rules: Rules, scores: Floats) -> float:
    """The best score less penalties: sequences are looked at best first, and rules only lower scores."""
    best = -np.inf
    for index in np.argsort(-scores, kind="stable").tolist():
        if scores[index] <= best:
            break
        best = max(best, scores[index] - penalty(pool.lattices[0], rules, pool.sequences[index]))
    return best


def earned(pool: Pool, rules: Rules, scores: Floats, labels: Sequence[int] | np.ndarray | None) -> float:
    """What the labels that were found earn, whatever score was told with them."""
    if labels is None:
        return -np.inf
    found = pool.graphs[0].labels.decode(labels)
    return float(scores[pool.sequences.index(tuple(found))]) - penalty(pool.lattices[0], rules, tuple(found))


def same(found: float, expected: float) -> bool:
    return found == expected or abs(found - expected) <= 1e-9 * (1 + abs(expected))


def usable_rules(rng: np.random.Generator, pool: Pool) -> Rules:
    first = pool.lattices[0]
    rules = random_rules(rng, pool.graphs[0].labels, int(rng.integers(1, 4)))
    try:
        penalty(first, rules, pool.sequences[0])
        lawful.Decoder(rules, labels=pool.graphs[0].labels).bind(
            len(pool.sequences[0]), first.tokens, first.context
        )
    except RuleError:  # it does not suit these tokens
        return Rules()
    return rules


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_votes_are_what_enumeration_finds(chunk: int) -> None:
    rng = np.random.default_rng([6, chunk])
    for _ in range(POOLS):
        pool = random_pool(rng)
        with np.errstate(divide="ignore"):
            sums = np.logaddexp.reduce(pool.scores, axis=0)
        labels = pool.graphs[0].labels
        for _ in range(ENSEMBLES):
            members = rng.permutation(5)[: int(rng.integers(2, 6))].tolist()
            rules = usable_rules(rng, pool) if rng.random() < 0.5 else Rules()
            table = rng.dirichlet(np.ones(len(members)), size=WEIGHTS) * 0.98 + 0.02 / len(members)
            first = pool.lattices[0]
            decoder = lawful.Decoder(rules, labels=labels)
            bound = decoder.bind(first.length or 0, first.tokens, first.context)
            answers = find_linear_winners([pool.graphs[m] for m in members], table, bound)
            for weights, answer in zip(table, answers, strict=True):
                shares = np.log(weights) - np.where(sums > -np.inf, sums, 0.0)[members]
                linear = np.logaddexp.reduce(pool.scores[:, members] + shares, axis=1)
                best = best_under(pool, rules, linear)
                assert same(answer.score, best) and (answer.bound <= answer.score or same(answer.bound, best))
                assert same(earned(pool, rules, linear, answer.labels), best)
                _check_log_linear(pool, members, weights, decoder, rules)


def _check_log_linear(
    pool: Pool, members: list[int], weights: Floats, decoder: lawful.Decoder, rules: Rules
) -> None:
    scores = (pool.scores[:, members] * weights).sum(axis=1)
    best = best_under(pool, rules, scores)
    lattice = LogLinear(weights.tolist(), decoder.labels)([pool.lattices[m] for m in members])
    try:
        decoding = decoder.decode(lattice)
    except InfeasibleError:
        assert best == -np.inf
        return
    assert decoding.status == "optimal" and same(decoding.score, best)
    assert same(earned(pool, rules, scores, decoder.labels.encode(decoding.labels)), best)


def test_canonical_graphs_give_every_sequence_the_score_of_its_tags() -> None:
    rng = np.random.default_rng(60)
    for _ in range(60):
        pool = random_pool(rng)
        merged = merge_states(pool.graphs, keep="any")
        for index, labels in enumerate(pool.sequences):
            by_one = np.concatenate([graph.score(labels) for graph in pool.graphs])
            np.testing.assert_allclose(by_one, pool.scores[index], atol=1e-9)
            np.testing.assert_allclose(merged.score(labels), pool.scores[index], atol=1e-9)
        with np.errstate(divide="ignore"):
            sums = np.logaddexp.reduce(pool.scores, axis=0)
        np.testing.assert_allclose(merged.log_partitions(), sums, atol=1e-9)
