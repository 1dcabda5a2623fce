"""Rules that the core ties to many sequences at once: the same parts, kinds, answers and errors as one by one in Python."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import lawful
from lawful.errors import InfeasibleError
from lawful.lattice import Transitions
from lawful.rules.bound_rules import BoundRules, bind
from lawful.testing import random_label_set, random_lattice, random_rule
from lawful.testing.generators.rules import RULE_KINDS

TIED = [kind for kind in RULE_KINDS if kind not in ("same_label", "logic")]
SEEDS = range(80)


def problems(seed: int, kinds: list[str] = TIED) -> tuple[lawful.Rules, list[lawful.Lattice]]:
    """Rules of some kinds, and lattices of one or more tokens for them."""
    rng = np.random.default_rng(seed)
    labels = random_label_set(rng, size=int(rng.integers(1, 5)))
    chosen = [kinds[i] for i in rng.integers(len(kinds), size=rng.integers(1, 6))]
    rules = lawful.Rules(random_rule(rng, labels, kind=kind, depth=0) for kind in chosen)
    lengths = rng.integers(1, 8, size=rng.integers(1, 7))
    return rules, [random_lattice(rng, labels=labels, length=int(n)) for n in lengths]


def seen(bound: BoundRules) -> tuple[Any, ...]:
    kinds = [None if row is None else row.tolist() for row in bound.kinds]
    return bound.parts, kinds, bound.length, bound.prices, bound.in_force


@pytest.mark.parametrize("kinds", [TIED, list(RULE_KINDS)], ids=["all in the core", "some in Python"])
def test_the_core_ties_what_python_ties(kinds: list[str]) -> None:
    at_once = 0
    for seed in SEEDS:
        rules, lattices = problems(seed, kinds)
        decoder = lawful.Decoder(rules, labels=lattices[0].labels)
        batch = decoder.prepare(lattices)
        at_once += len(lattices) - len(batch._known)
        for lattice, prepared in zip(lattices, batch, strict=True):
            one = bind(decoder._compiled, lattice.length, lattice.tokens, lattice.context)
            assert seen(prepared.rules) == seen(one)
            path = np.zeros(lattice.length, dtype=np.int32)
            assert prepared.rules.count(path).tolist() == one.count(path).tolist()
            assert prepared.rules.positions(path) == one.positions(path)
            prices = [1.5] * len(rules)
            assert seen(prepared.rules.at_prices(prices)) == seen(one.at_prices(prices))
    assert at_once > 100, "most of them are plain"


def answers(decoder: lawful.Decoder, lattice: lawful.Lattice) -> Any:
    try:
        best = decoder.decode(lattice)
    except InfeasibleError as error:
        return str(error)
    return best.labels, best.score, best.status


def test_batches_and_arrays_answer_like_single_calls() -> None:
    compared = 0
    for seed in SEEDS:
        rng = np.random.default_rng(seed + 10_000)
        rules, lattices = problems(seed)
        labels = lattices[0].labels
        size = len(labels)
        matrix = Transitions(rng.normal(size=(size, size))) if rng.random() < 0.7 else None
        start, end = (rng.normal(size=size) if rng.random() < 0.5 else None for _ in range(2))
        lattices = [
            lawful.Lattice(
                lattice.emissions,
                matrix,
                labels=labels,
                start=start,
                end=end,
                tokens=lattice.tokens,
                context=lattice.context,
            )
            for lattice in lattices
        ]
        decoder = lawful.Decoder(rules, labels=labels)
        single = [answers(decoder, lattice) for lattice in lattices]
        legal = [i for i, answer in enumerate(single) if not isinstance(answer, str)]
        if len(legal) < len(lattices):
            with pytest.raises(InfeasibleError, match="sequence "):
                decode_flat(decoder, lattices, matrix, start, end)
        if not legal:
            continue
        some = [lattices[i] for i in legal]
        batch = decoder.decode_batch(some)
        assert [(b.labels, b.score, b.status) for b in batch] == [single[i] for i in legal]
        flat = decode_flat(decoder, some, matrix, start, end)
        assert list(zip(flat.named, flat.scores.tolist(), flat.statuses, strict=True)) == [
            single[i] for i in legal
        ]
        compared += len(legal)
    assert compared > 100


def decode_flat(
    decoder: lawful.Decoder, lattices: list[lawful.Lattice], matrix: Any, start: Any, end: Any
) -> lawful.decoding.ArrayDecodings:
    """The same sequences end to end; every second time in the forms that are arrays."""
    contexts = [lattice.context for lattice in lattices]
    context: dict[str, Any] = {name: [context[name] for context in contexts] for name in contexts[0]}
    tokens: list[Any] = [token for lattice in lattices for token in lattice.tokens or ()]
    vocabulary = None
    if len(lattices) % 2:
        context["verb"] = np.array(context["verb"])
        rows = [(n, *span) for n, spans in enumerate(context["spans"]) for span in spans]
        context["spans"] = np.array(rows, dtype=np.int64).reshape(-1, 3)
        vocabulary = tuple(dict.fromkeys(tokens))
        tokens = [vocabulary.index(token) for token in tokens]
    return decoder.decode_arrays(
        np.concatenate([lattice.emissions for lattice in lattices]),
        [lattice.length for lattice in lattices],
        transitions=matrix,
        start=start,
        end=end,
        tokens=tokens,
        vocabulary=vocabulary,
        context=context,
    )
