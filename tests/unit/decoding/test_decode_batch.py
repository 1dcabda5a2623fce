"""Batches: any size, any lengths, any number of threads, in order."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

import lawful
from lawful import Decoder, GraphLattice, LabelSet, Lattice
from lawful.errors import InfeasibleError, InputError, LimitError, MissingContextError
from lawful.testing import random_lattice

ABCD = LabelSet(list("ABCD"))
RULES = lawful.Rules(
    lawful.at_most_segments(1, "A"),
    lawful.before("B", "C"),
    lawful.exactly(2, "D").soft(0.7, per="violation"),
    lawful.when(lawful.token.column(1, "mark")).never("A"),
    lawful.uniform(lawful.context("spans")),
)


def corpus(seed: int, count: int) -> list[Lattice]:
    rng = np.random.default_rng(seed)
    lengths = rng.integers(1, 25, size=count).tolist()
    return [random_lattice(rng, labels=ABCD, length=length, forbid=0.0, masked=False) for length in lengths]


@pytest.fixture(scope="module")
def decoder() -> Decoder:
    return Decoder(RULES, labels=ABCD)


@pytest.mark.parametrize("jobs", [None, 1, 2, 7])
def test_an_empty_batch_has_empty_results(decoder: Decoder, jobs: int | None) -> None:
    results = decoder.decode_batch([], jobs=jobs)
    assert (len(results), list(results), results.scores.shape) == (0, [], (0,))


@pytest.mark.parametrize("jobs", [None, 1, 2, 8, 1000])
@pytest.mark.parametrize("count", [1, 2, 15, 16, 17, 100])
def test_a_batch_is_what_its_sequences_are_alone(decoder: Decoder, count: int, jobs: int | None) -> None:
    lattices = corpus(count, count)
    results = decoder.decode_batch(iter(lattices), jobs=jobs)
    alone = [decoder.decode(lattice) for lattice in lattices]
    assert [one.solution for one in results] == [one.solution for one in alone]
    assert results.scores.tolist() == [one.score for one in alone]
    assert [one.lattice for one in results] == lattices


@pytest.mark.parametrize("jobs", [0, -1])
def test_jobs_must_be_positive(decoder: Decoder, jobs: int) -> None:
    with pytest.raises(InputError, match=f"jobs must be a whole number of 1 or more.*got {jobs}"):
        decoder.decode_batch([], jobs=jobs)


def test_results_are_a_sequence(decoder: Decoder) -> None:
    lattices = corpus(1, 5)
    results = decoder.decode_batch(lattices)
    assert len(results) == 5
    assert results[-1].lattice is lattices[4]
    assert [one.lattice for one in results[1:4:2]] == [lattices[1], lattices[3]]
    assert repr(results) == "Decodings(5 sequences)"
    with pytest.raises(IndexError):
        results[5]


def test_many_threads_may_use_one_decoder(decoder: Decoder) -> None:
    lattices = corpus(2, 60)
    expected = [decoder.decode(lattice).solution for lattice in lattices]

    def alone(start: int) -> list[object]:
        turned = lattices[start:] + lattices[:start]
        found = [decoder.decode(lattice).solution for lattice in turned]
        return found[len(lattices) - start :] + found[: len(lattices) - start]

    def together(start: int) -> list[object]:
        return [one.solution for one in decoder.decode_batch(lattices, jobs=1 + start % 3)]

    with ThreadPoolExecutor(8) as pool:
        answers = [pool.submit(work, start) for start in range(0, 40, 5) for work in (alone, together)]
        assert all(answer.result() == expected for answer in answers)


def test_a_fresh_decoder_may_be_used_by_many_threads_at_once() -> None:
    lattices = corpus(3, 30)
    decoders = [Decoder(RULES, labels=ABCD, on_infeasible="least_bad", max_loss=2.0) for _ in range(4)]
    expected = [
        Decoder(RULES, labels=ABCD, on_infeasible="least_bad", max_loss=2.0).decode(one).labels
        for one in lattices
    ]
    for decoder in decoders:
        with ThreadPoolExecutor(8) as pool:
            found = list(pool.map(lambda one, decoder=decoder: decoder.decode(one).labels, lattices))
        assert found == expected


def test_graphs_and_trellises_may_be_mixed() -> None:
    rules = [lawful.at_most(1, "A")]
    trellis = Lattice([[1.0, 0.0], [1.0, 0.0]], labels=["A", "B"])
    graph = GraphLattice.from_nbest([(["A", "A"], 3.0), (["A"], 2.0)], labels=["A", "B"])
    results = Decoder(rules, labels=["A", "B"]).decode_batch([trellis, graph, trellis])
    assert [len(one.labels) for one in results] == [2, 1, 2]
    assert results.scores.tolist() == [1.0, 2.0, 1.0]


# --- errors say which sequence ------------------------------------------------------------------------------

EASY, HARD = Lattice([[0.0, 1.0]], labels=["A", "B"]), Lattice([[0.0, -np.inf]], labels=["A", "B"])


def test_a_contradiction_says_which_sequence() -> None:
    with pytest.raises(InfeasibleError, match="sequence 21: ") as caught:
        Decoder(lawful.forbid("A"), labels=["A", "B"]).decode_batch([*[EASY] * 20, HARD, EASY], jobs=2)
    assert (caught.value.sequence, caught.value.rules, caught.value.position) == (20, ("forbid('A')",), 0)


@pytest.mark.parametrize("solver", ["auto", "brute_force"])
def test_a_limit_says_which_sequence(solver: str) -> None:
    rng = np.random.default_rng(0)
    large = Lattice(rng.normal(size=(40, 4)), labels=ABCD)
    small = Lattice([[0.0, 0.0, 0.0, 1.0]], labels=ABCD)
    rules = [lawful.exactly(8, label) | lawful.at_most(1, "D") for label in "ABC"]
    decoder = Decoder(rules, labels=ABCD, solver=solver, max_states=100)
    with pytest.raises(LimitError, match=r"sequence 2: the search reached max_states=100") as caught:
        decoder.decode_batch([small, large])
    assert (caught.value.sequence, caught.value.limit, caught.value.value) == (1, "max_states", 100)


def test_a_missing_context_says_which_sequence() -> None:
    there = Lattice([[0.0, 1.0]], labels=["A", "B"], context={"spans": []})
    with pytest.raises(MissingContextError) as caught:
        Decoder(lawful.uniform(lawful.context("spans")), labels=["A", "B"]).decode_batch([there, EASY])
    assert caught.value.__notes__ == ["in sequence 2 of the batch"]


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork on this system")
def test_a_child_of_a_process_that_decodes_on_many_threads_decodes_too():
    """Engines wait in a pool that all threads share: a fork must not leave its lock behind."""
    rng = np.random.default_rng(5)
    lattices = [Lattice(rng.normal(size=(12, 4)), labels=list("ABCD")) for _ in range(64)]
    decoder = Decoder([lawful.at_most_segments(1, label) for label in "ABCD"], labels=list("ABCD"))
    expected = decoder.decode_batch(lattices, jobs=2).scores.tolist()
    ended = threading.Event()

    def work():
        while not ended.is_set():
            decoder.decode_batch(lattices, jobs=2)

    threads = [threading.Thread(target=work) for _ in range(3)]
    for thread in threads:
        thread.start()
    try:
        for _ in range(20):
            child = os.fork()
            if child == 0:  # nothing of pytest may run here
                right = decoder.decode_batch(lattices, jobs=1).scores.tolist() == expected
                os._exit(0 if right else 1)
            assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    finally:
        ended.set()
        for thread in threads:
            thread.join()


def test_threads_that_decode_at_once_get_the_same_answers():
    rng = np.random.default_rng(6)
    lattices = [Lattice(rng.normal(size=(15, 4)), labels=list("ABCD")) for _ in range(40)]
    decoder = Decoder([lawful.at_most_segments(1, label) for label in "ABCD"], labels=list("ABCD"))
    expected = decoder.decode_batch(lattices, jobs=1).scores.tolist()
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(lambda _: decoder.decode_batch(lattices, jobs=2).scores.tolist(), range(40)))
    assert found == [expected] * 40


def test_who_looks_at_one_result_need_not_wait_until_the_rules_are_tied_to_all() -> None:
    decoder, lattices = Decoder(RULES, labels=ABCD), corpus(3, 30)
    found, again = decoder.decode_batch(lattices), decoder.decode_batch(decoder.prepare(lattices))
    for index in (17, 0, -1, 17):
        one, other = found[index], again[index]
        assert one.lattice is other.lattice
        assert one.labels == other.labels
        assert (
            one.bound_rules.count(one.plain_labels).tolist()
            == other.bound_rules.count(one.plain_labels).tolist()
        )
        assert decoder.decode(decoder.tie(one.lattice, one.bound_rules)).score == one.score
        some = one.bound_rules.only([2, 3])
        assert (
            some.count(one.plain_labels).tolist()
            == other.bound_rules.only([2, 3]).count(one.plain_labels).tolist()
        )
    with pytest.raises(IndexError):
        found[30]


def test_one_graph_does_not_send_the_whole_batch_past_the_engine(monkeypatch) -> None:
    labels = lawful.LabelSet(["A", "B"])
    rng = np.random.default_rng(11)
    trellises = [lawful.Lattice(rng.normal(size=(4, 2)), labels=labels) for _ in range(7)]
    mixed = [*trellises[:3], lawful.GraphLattice.from_lattice(trellises[3]), *trellises[4:]]
    sent: list[int] = []

    def decode_batch(cores, limits, threads):
        sent.append(len(cores) - len(cores.missing))
        return whole(cores, limits, threads)

    whole = lawful._core.decode_batch
    monkeypatch.setattr("lawful._core.decode_batch", decode_batch)
    decoder = lawful.Decoder(lawful.at_most(1, "A"), labels=labels)
    found, plain = decoder.decode_batch(mixed, jobs=2), decoder.decode_batch(decoder.prepare(trellises))
    assert sent == [6, 7]
    assert found.labels == plain.labels and found.statuses == plain.statuses
    assert np.allclose(found.scores, plain.scores)
    assert [one.lattice for one in found] == mixed
    assert found[3].why.startswith("an acyclic graph") and found[2].why == plain[2].why
    again = decoder.decode_batch(decoder.prepare(mixed))
    assert again.labels == plain.labels


def test_the_sequence_that_fails_in_a_mixed_batch_is_named() -> None:
    labels = lawful.LabelSet(["A", "B"])
    trellis = lawful.Lattice([[0.0, 1.0]], labels=labels)
    graph = lawful.GraphLattice.from_nbest([(["A"], 0.0)], labels=labels)
    decoder = lawful.Decoder(lawful.forbid("A"), labels=labels)
    with pytest.raises(lawful.InfeasibleError) as caught:
        decoder.decode_batch([trellis, graph, trellis])
    assert caught.value.sequence == 1


@pytest.mark.parametrize("wrong", [0, 3, 4, 9])
def test_the_wrong_sequence_is_named_once_wherever_it_is(wrong: int) -> None:
    decoder = lawful.Decoder(lawful.uniform(), labels=["A", "B"])
    spans = [[(0, 2)] if n != wrong else [(0, 3)] for n in range(10)]
    lattices = [
        lawful.Lattice(np.zeros((2, 2)), labels=decoder.labels, context={"spans": each}) for each in spans
    ]

    def failing() -> Iterator[lawful.Lattice]:
        yield from lattices[:wrong]
        raise InputError("no more")

    for given in (lattices, failing()):
        with pytest.raises(InputError) as caught:
            decoder.prepare(given)
        assert caught.value.__notes__ == [f"in sequence {wrong + 1} of the batch"]
    assert len(decoder.decode_batch(lattices[:wrong] + lattices[wrong + 1 :])) == 9


@pytest.mark.parametrize("max_states", [1, 30, 10_000])
def test_bounds_are_no_less_than_the_best_scores(max_states: int) -> None:
    lattices = corpus(8, 60)
    decoder = Decoder(RULES, labels=ABCD)
    bounds, best = decoder.bounds(lattices, max_states=max_states, jobs=2), decoder.decode_batch(lattices)
    assert (bounds >= best.scores - 1e-9).all()
    if max_states == 10_000:
        assert np.allclose(bounds, best.scores)


def test_bounds_of_what_the_engine_does_not_search_are_infinite() -> None:
    labels = LabelSet(["A", "B"])
    trellis = Lattice([[0.0, 1.0]], labels=labels)
    decoder = Decoder(lawful.forbid("B"), labels=labels)
    both = decoder.bounds([trellis, GraphLattice.from_lattice(trellis)])
    assert both.tolist() == [0.0, np.inf]
    assert Decoder(lawful.forbid("A", "B"), labels=labels).bounds([trellis]).tolist() == [np.inf]


def test_bounds_keep_to_the_limits_of_their_decoder() -> None:
    lattices = corpus(8, 60)
    few = Decoder(RULES, labels=ABCD).bounds(lattices, max_states=1)
    best = Decoder(RULES, labels=ABCD).bounds(lattices, max_states=10_000)
    assert (few > best).any()
    for limits in ({"max_states": 1}, {"timeout": 1e-9}, {"max_memory": 1}):
        limited = Decoder(RULES, labels=ABCD, **limits).bounds(lattices, max_states=10_000)
        assert (limited >= best - 1e-9).all()
        assert (limited > best).any(), limits
    with pytest.raises(lawful.InputError, match="max_states must be"):
        Decoder(RULES, labels=ABCD).bounds(lattices, max_states=0)
