"""The weights of taggers in a vote, chosen on labelled sequences: graphs are built once, and many weights tried on each."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import chain, product
from typing import Literal, NamedTuple, TypedDict, Unpack

import numpy as np
import numpy.typing as npt

from lawful.decoding.options import DecoderOptions
from lawful.errors import InputError
from lawful.labels import LabelSet
from lawful.lattice import AnyLattice
from lawful.lattice.arrays import Floats
from lawful.rules.given_rules import RulesLike, as_rules
from lawful.rules.ruleset import Rules
from lawful.schemes import find_spans
from lawful.support.numbers import check_choice, check_number
from lawful.voting.ballot import Ballot, Method, joint_labels
from lawful.voting.grouped_states import GroupedStates, canonical_states, weighted_sum
from lawful.voting.linear_votes.winners import find_linear_winners
from lawful.voting.merging import as_numbers, merge_states

__all__ = ["ChosenWeights", "WeightSearch", "choose_weights", "weight_grid"]

VALUES = (0.25, 0.5, 0.75, 1.0)
MOST_ON_GRID = 5  # taggers
ROUNDS = 10
Lattices = tuple[AnyLattice, ...]


class ChosenWeights(NamedTuple):
    """Weights, and how good they are.

    Attributes
    ----------
    weights : tuple of float
        With sum 1.
    score : float
        On the sequences that they were chosen on.
    tried : int
        How many others there were.
    """

    weights: tuple[float, ...]
    score: float
    tried: int


class WeightSearch(TypedDict, total=False):
    """How weights are sought; see `choose_weights`."""

    search: Literal["auto", "grid", "coordinates"]
    measure: Literal["accuracy", "f1"]
    scheme: str | None
    values: Sequence[float]
    tolerance: float


def weight_grid(taggers: int, values: Sequence[float] = VALUES) -> Floats:
    """All combinations (G, N) of some values, divided by their sums; what is the same after that is there once.

    Examples
    --------
    >>> weight_grid(2, [0.5, 1.0]).round(3).tolist()
    [[0.333, 0.667], [0.5, 0.5], [0.667, 0.333]]
    """
    table = np.array(list(product(values, repeat=taggers)), dtype=np.float64)
    table = table[table.sum(axis=1) > 0]
    return np.unique((table / table.sum(axis=1, keepdims=True)).round(12), axis=0)


def choose_weights(
    said: Iterable[Lattices],
    gold: Sequence[Sequence[str]],
    *,
    method: Method = "log-linear",
    rules: RulesLike = (),
    labels: LabelSet | None = None,
    search: Literal["auto", "grid", "coordinates"] = "auto",
    measure: Literal["accuracy", "f1"] = "accuracy",
    scheme: str | None = None,
    values: Sequence[float] = VALUES,
    tolerance: float = 0.0,
    **options: Unpack[DecoderOptions],
) -> ChosenWeights:
    """The weights with which a vote is most often right on labelled sequences.

    Of weights that are equally good, the most even are taken.

    Parameters
    ----------
    said : iterable of tuples of lattices
        What the taggers say about each sequence.
    gold : sequence of label sequences
    method, rules, **options
        Those of the vote, as in `lawful.vote`.
    labels : LabelSet, optional
        The canonical labels.
    search : "grid", "coordinates" or "auto"
        Try all combinations of `values`, all at once on each sequence; or begin with equal weights or with the best tagger alone, and
        change one weight at a time, also to 0, as long as that helps. "auto": the grid for up to 5 taggers.
    measure : "accuracy" or "f1"
        Of tokens, or of spans.
    scheme : str, optional
        Of the labels, for spans; guessed if not given.
    values : sequence of float
        Weights to try, before they are divided by their sum.
    tolerance : float
        For linear votes, as in `lawful.vote`.

    Examples
    --------
    >>> from lawful.lattice import Lattice
    >>> good, bad = Lattice([[1.0, 0.0]], labels=["A", "B"]), Lattice([[0.0, 1.5]], labels=["A", "B"])
    >>> [round(weight, 3) for weight in choose_weights([(good, bad)] * 3, [["A"]] * 3).weights]
    [0.667, 0.333]
    """
    check_choice("search", search, ("auto", "grid", "coordinates"))
    check_choice("measure", measure, ("accuracy", "f1"))
    for index, value in enumerate(values):
        check_number(f"values[{index}]", value)
    trial = _Trial(method, as_rules(rules), labels, measure, scheme, tolerance, options)
    rows = iter(said)
    first = next(rows, None)
    if first is None or not gold:
        raise InputError("weights are chosen on labelled sequences, and there are none")
    count = len(first)
    if search == "grid" or (search == "auto" and count <= MOST_ON_GRID):
        table = weight_grid(count, values)
        counts = np.zeros((len(table), 3))
        for lattices, right in _paired(first, rows, gold):
            counts += trial.counts(trial.prepared(lattices), right, table)
        return _best(table, _measured(counts, measure), len(table))
    prepared = [(trial.prepared(lattices), right) for lattices, right in _paired(first, rows, gold)]

    def scores(table: Floats) -> Floats:
        counts = np.zeros((len(table), 3))
        for sequence, right in prepared:
            counts += trial.counts(sequence, right, table)
        return _measured(counts, measure)

    return _by_coordinates(count, (0.0, *values), scores)


def _paired(
    first: Lattices, rest: Iterable[Lattices], gold: Sequence[Sequence[str]]
) -> Iterable[tuple[Lattices, Sequence[str]]]:
    labels = iter(gold)
    number = 0
    for number, lattices in enumerate(chain([first], rest)):
        right = next(labels, None)
        if right is None:
            raise InputError(f"there are more sequences than the {number} label sequences")
        if lattices[0].length != len(right):
            raise InputError(f"sequence {number + 1} has {lattices[0].length} tokens but {len(right)} labels")
        yield lattices, right
    if next(labels, None) is not None:
        raise InputError(f"there are {number + 1} sequences but {len(gold)} label sequences")


def _by_coordinates(count: int, values: Sequence[float], scores: Callable[[Floats], Floats]) -> ChosenWeights:
    # From one tagger alone, if it is better than all of them together: else a vote might be worse than its best tagger.
    firsts = np.unique(np.vstack([np.full((1, count), 1 / count), np.eye(count)]), axis=0)
    tried = len(firsts)
    best = _best(firsts, scores(firsts), tried)
    current = np.array(best.weights) * max(values) / max(best.weights)
    for _ in range(ROUNDS):
        before = best
        for tagger in range(count):
            table = np.repeat(current[None], len(values), axis=0)
            table[:, tagger] = values
            table = table[table.sum(axis=1) > 0]
            shares = table / table.sum(axis=1, keepdims=True)
            tried += len(table)
            found = _best(shares, scores(shares), tried)
            if found.score > best.score:
                best = found
                current = np.array(found.weights) * max(values) / max(found.weights)
        if best is before:
            break
    return best._replace(tried=tried)


def _best(table: Floats, scores: Floats, tried: int) -> ChosenWeights:
    """The best row; among equals the most even one."""
    unevenness = (table**2).sum(axis=1)
    row = np.lexsort((unevenness, -scores))[0]
    return ChosenWeights(tuple(table[row].round(12).tolist()), float(scores[row]), tried)


def _measured(counts: Floats, measure: str) -> Floats:
    right, found, wanted = counts.T
    total = (found + wanted) / 2 if measure == "f1" else wanted
    return np.where(total > 0, right / np.maximum(total, 1e-300), 0.0)


class _Prepared(NamedTuple):
    lattices: Lattices
    graphs: tuple[GroupedStates, ...]
    merged: dict[bytes, GroupedStates]


class _Trial:
    """Tries weights on one sequence after another."""

    def __init__(
        self,
        method: Method,
        rules: Rules,
        labels: LabelSet | None,
        measure: str,
        scheme: str | None,
        tolerance: float,
        options: DecoderOptions,
    ) -> None:
        self._method, self._rules, self._labels = method, rules, labels
        self._measure, self._scheme, self._tolerance, self._options = measure, scheme, tolerance, options
        self._ballots: dict[bytes, Ballot] = {}

    def prepared(self, lattices: Lattices) -> _Prepared:
        """What is the same for all weights."""
        if self._labels is None:
            self._labels = joint_labels(lattice.labels for lattice in lattices)
        graphs: tuple[GroupedStates, ...] = ()
        if self._method in ("linear", "log-linear"):
            graphs = tuple(canonical_states(lattice, self._labels) for lattice in lattices)
        return _Prepared(lattices, graphs, {})

    def counts(self, sequence: _Prepared, right: Sequence[str], table: Floats) -> Floats:
        """For each row of weights (G, N): how many are right, how many there are, and how many there should be (G, 3)."""
        assert self._labels is not None  # noqa: S101 - `prepared` has set them
        answers = self._answers(sequence, table)
        chosen, number = as_numbers(answers)
        counted = np.array([self._count(self._labels.decode(answers[row]), right) for row in chosen.tolist()])
        return np.asarray(counted[number], dtype=np.float64)

    def _count(self, answer: Sequence[str], right: Sequence[str]) -> tuple[int, int, int]:
        if self._measure == "accuracy":
            agreeing = sum(a == b for a, b in zip(answer, right, strict=True))
            return agreeing, len(right), len(right)
        found, wanted = (set(find_spans(list(labels), self._scheme)) for labels in (answer, right))
        return len(found & wanted), len(found), len(wanted)

    def _answers(self, sequence: _Prepared, table: Floats) -> npt.NDArray[np.int32]:
        """The winner (T,) for each row of weights, as indices (G, T)."""
        if self._method == "linear":
            return self._linear(sequence, table)
        if self._method != "log-linear":
            return np.array([self._by_ballot(sequence, row) for row in table], dtype=np.int32)
        answers = np.zeros((len(table), sequence.graphs[0].length), dtype=np.int32)
        for pattern in np.unique(table > 0, axis=0):
            rows = np.flatnonzero(((table > 0) == pattern).all(axis=1))
            key = pattern.tobytes()
            if key not in sequence.merged:
                used = [graph for graph, taken in zip(sequence.graphs, pattern, strict=True) if taken]
                sequence.merged[key] = merge_states(used)
            answers[rows] = best_labels(sequence.merged[key], table[rows][:, pattern])
        return self._lawful(sequence, table, answers)

    def _lawful(
        self, sequence: _Prepared, table: Floats, answers: npt.NDArray[np.int32]
    ) -> npt.NDArray[np.int32]:
        """Rules only lower scores: an answer that breaks none is the answer under them. All others are sought anew."""
        if not self._rules:
            return answers
        first, ballot = sequence.lattices[0], self._ballot(table[0])
        bound = ballot.decoder.bind(first.length or 0, first.tokens, first.context)
        chosen, number = as_numbers(answers)
        for index, row in enumerate(chosen.tolist()):
            if bound.count(answers[row]).any():
                for other in np.flatnonzero(number == index).tolist():
                    answers[other] = self._by_ballot(sequence, table[other])
        return answers

    def _linear(self, sequence: _Prepared, table: Floats) -> npt.NDArray[np.int32]:
        first, ballot = sequence.lattices[0], self._ballot(table[0])
        bound = ballot.decoder.bind(first.length or 0, first.tokens, first.context)
        found = find_linear_winners(
            sequence.graphs, table, bound, limits=ballot.decoder.options.limits, tolerance=self._tolerance
        )
        return np.array(
            [
                self._by_ballot(sequence, row) if answer.labels is None or answer.limit else answer.labels
                for answer, row in zip(found, table, strict=True)
            ],
            dtype=np.int32,
        )

    def _by_ballot(self, sequence: _Prepared, row: Floats) -> Sequence[int]:
        assert self._labels is not None  # noqa: S101
        return self._labels.encode(self._ballot(row).decide(sequence.lattices).labels)

    def _ballot(self, row: Floats) -> Ballot:
        key = row.tobytes()
        if key not in self._ballots:
            assert self._labels is not None  # noqa: S101
            self._ballots[key] = Ballot(
                self._labels,
                row.tolist(),
                method=self._method,
                rules=self._rules,
                tolerance=self._tolerance,
                **self._options,
            )
        return self._ballots[key]


def best_labels(graph: GroupedStates, table: Floats) -> npt.NDArray[np.int32]:
    """The best labels (G, T) of a log-linear vote for each row of weights above 0 (G, N), all at once.

    Examples
    --------
    >>> from lawful.lattice import Lattice
    >>> first, second = Lattice([[1.0, 0.0]]), Lattice([[0.0, 1.5]])
    >>> merged = merge_states([canonical_states(first), canonical_states(second)])
    >>> best_labels(merged, np.array([[0.5, 0.5], [0.75, 0.25]])).tolist()
    [[1], [0]]
    """
    after = weighted_sum(graph.final, table.T)
    choices: list[npt.NDArray[np.int32]] = []
    for following, weights in zip(reversed(graph.following), reversed(graph.weights), strict=True):
        scores = weighted_sum(weights, table.T) + after[following]
        choices.append(scores.argmax(axis=1).astype(np.int32))
        after = scores.max(axis=1)
    rows = np.arange(len(table))
    state = np.zeros(len(table), dtype=np.int32)
    labels = np.zeros((len(table), graph.length), dtype=np.int32)
    for position, choice in enumerate(reversed(choices)):
        labels[:, position] = choice[state, rows]
        state = graph.following[position][state, labels[:, position]]
    return labels
