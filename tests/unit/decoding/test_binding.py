"""Tying rules to tokens: all token rules read a token at once, and find what each finds alone."""

from __future__ import annotations

import math
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

import lawful
from lawful.errors import GraphError, TokenError
from lawful.rules import compiled_rules
from lawful.rules.bound_rules import bind
from lawful.rules.compiled_rules import CompiledRules
from lawful.rules.example import CompiledRule, Example
from lawful.solvers.choice import auto
from lawful.solvers.problem import Problem

LABELS = lawful.LabelSet(["A", "B", "C"])
WORDS = ["x", "yy", "7", ",", "x7"]


def token_rules(*, column: bool = False) -> lawful.Rules:
    return lawful.Rules(
        lawful.when(lawful.token.matches("[0-9]")).then("A"),
        lawful.at_most(1, "B"),
        lawful.change_only_after(lawful.token.is_in([",", "x"])),
        lawful.when(lawful.token.contains("x") & ~lawful.token.is_in(["x"])).never("C"),
        lawful.pattern(
            "(A/d | ./!d | B/y)*", tests={"d": lawful.token.contains("7"), "y": lawful.token.contains("y")}
        ),
        *([lawful.when(lawful.token.column("pos", "N")).then("B")] if column else []),
        ~lawful.when(lawful.token.is_in(["yy"])).then("B"),
        lawful.uniform(),
    )


def random_words(rng: np.random.Generator) -> list[str]:
    return [str(word) for word in rng.choice(WORDS, size=int(rng.integers(1, 7)))]


def shapes(words: list[str], rng: np.random.Generator) -> list[list[object]]:
    """The same words as mappings, in the second list with something inside that cannot be looked up."""
    rows = [(word, str(rng.choice(["N", "V"]))) for word in words]
    return [
        [{"text": word, "pos": pos} for word, pos in rows],
        [{"token": word, "pos": pos, "more": [1]} for word, pos in rows],
    ]


def alone(compiled: list[CompiledRule], example: Example) -> dict[int, list[list[int] | None]]:
    found: dict[int, list[list[int] | None]] = {}
    for place, rule in enumerate(compiled):
        for bound in () if rule.static else rule.bind(example):
            found.setdefault(place, []).append(bound.kinds)
    return found


def together(compiled: CompiledRules, example: Example) -> dict[int, list[list[int] | None]]:
    bound = bind(compiled, example.length, example.tokens, example.context)
    found: dict[int, list[list[int] | None]] = {}
    for part, kinds in zip(bound.parts, bound.kinds, strict=True):
        if not compiled.rules[part.rule].compile(LABELS).static:
            found.setdefault(part.rule, []).append(None if kinds is None else kinds.tolist())
    return found


@pytest.mark.parametrize(("codes", "tokens"), [(4096, 100_000), (2, 100_000), (4096, 3), (1, 1)])
def test_all_at_once_finds_what_each_finds_alone(monkeypatch, codes: int, tokens: int) -> None:
    monkeypatch.setattr("lawful.rules.tokens.kinds.MOST_CODES", codes)
    monkeypatch.setattr("lawful.rules.tokens.kinds.MOST_CACHED_TOKENS", tokens)
    rng = np.random.default_rng(5)
    plain, columns = token_rules(), token_rules(column=True)
    of_words, of_rows = CompiledRules(plain, LABELS), CompiledRules(columns, LABELS)
    each_of_words, each_of_rows = plain.compile(LABELS), columns.compile(LABELS)
    for _ in range(60):
        words = random_words(rng)
        context = {"spans": [(0, len(words))]}
        for given in (
            words,
            [(word, "N") for word in words],
            [[word] for word in words],
            *shapes(words, rng),
        ):
            example = Example(len(words), given, context)
            assert together(of_words, example) == alone(each_of_words, example)
        for given in shapes(words, rng):
            example = Example(len(words), given, context)
            assert together(of_rows, example) == alone(each_of_rows, example)


def test_threads_share_a_memory_that_begins_anew(monkeypatch) -> None:
    monkeypatch.setattr("lawful.rules.tokens.kinds.MOST_CODES", 2)
    rules = token_rules()
    compiled = CompiledRules(rules, LABELS)
    rng = np.random.default_rng(6)
    examples = [
        Example(len(words), words, {"spans": []}) for words in (random_words(rng) for _ in range(400))
    ]
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(lambda example: together(compiled, example), examples))
    each = rules.compile(LABELS)
    assert found == [alone(each, example) for example in examples]


def test_a_function_is_asked_once_a_distinct_token() -> None:
    asked: list[object] = []
    rules = [lawful.when(lawful.token.test(lambda t: asked.append(t) or t == "x")).then("A")]
    compiled = CompiledRules(lawful.Rules(rules), LABELS)
    for _ in range(3):
        bind(compiled, 3, ["x", "y", "x"], {})
        bind(compiled, 2, [{"text": "x", "n": 1}, {"text": "x", "n": 2}], {})
    assert asked == ["x", "y", {"text": "x", "n": 1}, {"text": "x", "n": 2}]


def test_equal_contents_of_another_type_are_another_token() -> None:
    rules = lawful.Rules(lawful.when(lawful.token.test(lambda t: isinstance(t, list))).then("A"))
    compiled = CompiledRules(rules, LABELS)
    binding = bind(compiled, 3, [["x"], ("x",), {"x": "x"}], {})
    assert [kinds.tolist() for kinds in binding.kinds] == [[1, 0, 0]]


@pytest.mark.parametrize("first", [["x", 3], [{"text": "x"}, {"pos": "N"}], [["x"], [3]]])
def test_a_token_without_text_is_told_with_its_place(first: list[object]) -> None:
    compiled = CompiledRules(
        lawful.Rules(lawful.when(lawful.token.is_in(["x"])).then("A").named("w")), LABELS
    )
    for _ in range(2):
        with pytest.raises(TokenError, match=r"rule 'w', token 1: .* has no text") as caught:
            bind(compiled, 2, first, {})
        assert caught.value.position == 1


def test_tokens_are_needed_one_for_each_position() -> None:
    compiled = CompiledRules(lawful.Rules(lawful.when(str.isdigit).then("A").named("w")), LABELS)
    with pytest.raises(TokenError, match="rule 'w' looks at the tokens, but there are none"):
        bind(compiled, 1, None, {})
    with pytest.raises(TokenError, match="rule 'w' got 2 tokens for a sequence of 1"):
        bind(compiled, 1, ["a", "b"], {})


def test_paths_of_many_lengths_have_no_positions() -> None:
    rules = [lawful.at_most(1, "A"), lawful.when(str.isdigit).then("A").named("w"), lawful.label_at(0, "A")]
    with pytest.raises(GraphError, match="rule 'w' looks at tokens or positions"):
        bind(CompiledRules(lawful.Rules(rules), LABELS), None, None, {})
    assert bind(CompiledRules(lawful.Rules(rules[:1]), LABELS), None, None, {}).in_force == (0,)


def test_all_labels_of_a_batch_are_those_of_its_results() -> None:
    rng = np.random.default_rng(7)
    lattices = [
        lawful.Lattice(rng.normal(size=(int(rng.integers(1, 5)), 3)), labels=LABELS) for _ in range(30)
    ]
    for options in ({}, {"max_loss": 0.5}, {"solver": "beam"}):
        found = lawful.Decoder(lawful.at_most(1, "A"), labels=LABELS, **options).decode_batch(lattices)
        assert found.labels == [one.labels for one in found]
        assert found.statuses == [one.status for one in found]


def random_context(rng: np.random.Generator, length: int) -> dict[str, object]:
    start = int(rng.integers(length))
    end = int(rng.integers(start, length)) + 1
    return {"spans": [(start, end), (0, length)], "groups": [rng.permutation(length)[:2].tolist()]}


@pytest.mark.parametrize("most", [1, 2, 4096])
def test_what_is_cached_goes_and_comes_back(most: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compiled_rules, "MOST_CACHED", most)
    rng = np.random.default_rng(most)
    rules = lawful.Rules(
        lawful.uniform(),
        lawful.same_label().soft(1.5),
        lawful.at_most(1, "A").soft(2.0, per="violation"),
        lawful.label_at(-1, "A", "B").soft(0.5),
        lawful.when(lawful.token.contains("7")).then("A"),
    )
    compiled = CompiledRules(rules, LABELS)
    caches = [compiled._own, compiled._units, compiled._latest, compiled._lists]
    largest = [0] * len(caches)
    for _ in range(25):
        words = random_words(rng)
        context = random_context(rng, len(words))
        bound = bind(compiled, len(words), words, context)
        path = LABELS.decode(rng.integers(0, 3, size=len(words)).tolist())
        counts = list(rules.violations(path, words, context, label_set=LABELS).values())
        priced = bound.at_prices([1.0, 2.0, math.inf, 0.25, 3.0])
        for one in (bound, priced):
            assert one.count(path).tolist() == counts
            assert all(len(where) <= n for where, n in zip(one.positions(path), counts, strict=True))
        lattice = lawful.Lattice(
            rng.normal(size=(len(words), 3)), labels=LABELS, tokens=words, context=context
        )
        for one in (bound, priced):
            fresh = lawful.decode(lattice, one.rules, on_infeasible="least_bad")
            answer = auto(Problem(lattice, one))
            assert (answer.status == "infeasible") == (fresh.status == "infeasible")
            assert answer.labels is None or answer.score == pytest.approx(fresh.score)
        largest = [max(known, len(cache)) for known, cache in zip(largest, caches, strict=True)]
    assert max(largest) <= most
    assert min(largest) > 2 or most <= 2  # there is more to keep than the small ones can
