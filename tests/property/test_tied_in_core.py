"""Rules that the core ties to many sequences at once: the same parts, kinds, answers and errors as one by one in Python."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import lawful
from lawful.errors import InfeasibleError, TokenError
from lawful.lattice import Transitions
from lawful.rules.bound_rules import BoundRules, bind
from lawful.rules.compiled_rules import CompiledRules
from lawful.rules.counting_many import count_many
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


def test_rows_of_columns_are_tied_by_their_text() -> None:
    rules = lawful.Rules(
        lawful.when(lawful.token.matches("[a-m]")).then("A"),
        lawful.when(lawful.token.is_in(["b", "x"])).never("B"),
        lawful.change_only_after(lawful.token.contains("[xy]")),
    )
    decoder = lawful.Decoder(rules, labels=["A", "B"])
    rng = np.random.default_rng(0)
    texts = [list(rng.choice(list("abnxyz"), size=n).astype(object)) for n in rng.integers(1, 8, size=60)]
    scores = [rng.normal(size=(len(of_sequence), 2)) for of_sequence in texts]
    plain = lattices_with(scores, texts)
    for key in ("text", "word", "token"):
        rows = [[{"pos": "X", key: text} for text in of_sequence] for of_sequence in texts]
        batch = decoder.prepare(lattices_with(scores, rows))
        assert not batch._known, "none had to be tied in Python"
        for one, other in zip(decoder.prepare(plain), batch, strict=True):
            assert seen(other.rules) == seen(one.rules)


def lattices_with(scores: list[Any], tokens: list[Any]) -> list[lawful.Lattice]:
    pairs = zip(scores, tokens, strict=True)
    return [lawful.Lattice(one, labels=["A", "B"], tokens=of_sequence) for one, of_sequence in pairs]


def test_a_row_without_text_is_named_as_before() -> None:
    decoder = lawful.Decoder(lawful.when(lawful.token.matches("x")).then("A"), labels=["A", "B"])
    for row in ({"word": 7, "token": "x"}, {"pos": "X"}, {}):
        lattice = lawful.Lattice([[0.0, 0.0]] * 2, labels=["A", "B"], tokens=[{"word": "x"}, row])
        with pytest.raises(TokenError, match=r"token 1: .* has no text"):
            decoder.prepare([lattice])


@pytest.mark.parametrize("kinds", [TIED, list(RULE_KINDS)], ids=["all in the core", "some in Python"])
def test_violations_in_many_sequences_are_counted_as_one_by_one(kinds: list[str]) -> None:
    broken = 0
    for seed in SEEDS:
        rng = np.random.default_rng(seed + 20_000)
        rules, lattices = problems(seed, kinds)
        labels = lattices[0].labels
        compiled = CompiledRules(rules, labels)
        rows = rng.integers(0, 4, size=len(lattices))
        paths = [
            rng.integers(len(labels), size=(count, lattice.length)).astype(np.int32)
            for count, lattice in zip(rows, lattices, strict=True)
        ]
        counts = count_many(
            compiled,
            [lattice.tokens for lattice in lattices],
            [lattice.context for lattice in lattices],
            np.array([lattice.length for lattice in lattices]),
            np.concatenate([path.ravel() for path in paths]),
            rows,
        )
        wanted = [
            bind(compiled, lattice.length, lattice.tokens, lattice.context).count_each(path)
            for lattice, path in zip(lattices, paths, strict=True)
        ]
        assert counts.tolist() == np.concatenate(wanted).tolist()
        broken += int((counts > 0).sum())
    assert broken > 500


def test_an_empty_sequence_can_be_counted() -> None:
    rules = lawful.Rules(
        lawful.at_least(1, "A"),
        lawful.change_only_after(lawful.token.matches(",")),
        lawful.uniform(lawful.context("spans")),
    )
    compiled = CompiledRules(rules, lawful.LabelSet(["A", "B"]))
    counts = count_many(
        compiled,
        [["x", ","], [], ["x"]],
        [{"spans": [(0, 2)]}, {"spans": []}, {"spans": [(0, 1)]}],
        np.array([2, 0, 1]),
        np.array([1, 0, 0], dtype=np.int32),
        np.array([1, 1, 1]),
    )
    assert counts.tolist() == [[0, 1, 1], [1, 0, 0], [0, 0, 0]]


def test_no_rules_are_never_broken() -> None:
    compiled = CompiledRules(lawful.Rules(), lawful.LabelSet(["A"]))
    counts = count_many(
        compiled, [["x"]], [{}], np.array([1]), np.array([0, 0], dtype=np.int32), np.array([2])
    )
    assert counts.shape == (2, 0)


def test_wrong_labellings_are_refused() -> None:
    compiled = CompiledRules(lawful.Rules(lawful.at_most(1, "A")), lawful.LabelSet(["A", "B"]))
    one, sequence = np.array([1]), ([["x"]], [{}], np.array([1]))
    for labels, rows in (
        ([], one),
        ([0, 0], one),
        ([-1], one),
        ([0], np.array([-1])),
        ([0], np.array([1, 1])),
    ):
        with pytest.raises(ValueError, match=r"label|sequence"):
            count_many(compiled, *sequence, np.array(labels, dtype=np.int32), rows)
    with pytest.raises(ValueError, match="label"):
        count_many(compiled, *sequence, np.array([2], dtype=np.int32), one)


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
