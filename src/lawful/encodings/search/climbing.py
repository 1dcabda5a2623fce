"""Hill climbing over encodings with a beam of candidates (Loper, Figure 4.10)."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Executor, Future, wait
from dataclasses import dataclass
from typing import Any

import numpy as np

from lawful.automata.acceptor import Dfa
from lawful.encodings.encoding import Encoding, are_items
from lawful.encodings.model_store import digest_of
from lawful.encodings.moves.proposals import propose_move
from lawful.encodings.properties import domain_of, require_encoding
from lawful.encodings.search.encodable import Labelled
from lawful.encodings.search.journal import Candidate, Journal
from lawful.encodings.search.trial import Metric, Trial, accuracy
from lawful.errors import InputError
from lawful.models.base.estimator import SequenceModel
from lawful.models.base.sequences import check_pairs
from lawful.support.numbers import check_count, check_seed

__all__ = ["SearchResult", "search_encodings"]

TRIES = 50  # draws before a candidate may be one that was tried already


@dataclass(frozen=True)
class SearchResult:
    """What a search found.

    Attributes
    ----------
    best : Candidate
    history : tuple of Candidate
        Everything that was tried, in the order in which it was begun.
    """

    best: Candidate
    history: tuple[Candidate, ...]

    @property
    def encoding(self) -> Encoding:
        """The best encoding."""
        return self.best.load()

    @property
    def gain(self) -> float:
        """How much better the best encoding is than the one that the search started from, on the held-out data."""
        return _score(self.best) - _score(self.history[0])

    def ancestors(self) -> list[Candidate]:
        """How the best encoding came about: the candidates from the start to it."""
        line = [self.best]
        while (parent := line[-1].parent) is not None:
            line.append(self.history[parent])
        return line[::-1]


def search_encodings(
    X: Sequence[Sequence[Any]],
    y: Sequence[Sequence[str]],
    *,
    held_out: tuple[Sequence[Sequence[Any]], Sequence[Sequence[str]]],
    model: SequenceModel,
    start: Encoding,
    metric: Metric = accuracy,
    attributes: Mapping[str, int] | None = None,
    moves: Sequence[str] | None = None,
    by_frequency: bool = False,
    beam: int = 15,
    patience: int = 50,
    max_trials: int | None = None,
    seed: int = 0,
    executor: Executor | None = None,
    workers: int = 2,
    journal: str | os.PathLike[str] | None = None,
    on_trial: Callable[[Candidate], None] | None = None,
) -> SearchResult:
    """Look for an encoding in which a model does better on held-out data.

    A random move is applied to a random member of the beam, and a model is trained in the new encoding; the beam keeps the
    best. It ends when nothing has improved for `patience` trials. Without an executor a seed gives one history,
    however often the search is interrupted.

    Parameters
    ----------
    X, y : sequences of tokens and of canonical labels
        To train on.
    held_out : pair of the same
        To choose by. Test data belong to neither.
    model : SequenceModel
        Trained anew in each encoding.
    start : Encoding
        The encoding to start from; its domain is what must be encoded.
    metric : function of gold and predicted labels
        Higher is better: token accuracy if not given.
    attributes : mapping from attribute to count, optional
        The attributes of tokens that moves may look at (see `propose_move`); `start` must have `attributes` then, unless tokens are
        lists of them.
    moves : sequence of str, optional
        The kinds of moves to use; all if not given.
    by_frequency : bool
        Draw the arcs and tags to change in proportion to how often their labels occur in `y`, instead of all alike.
    beam : int
        How many candidates are kept.
    patience : int
        How many trials without an improvement end the search.
    max_trials : int, optional
        Maximum number of trials, that of the start included.
    seed : int
    executor : concurrent.futures.Executor, optional
        Where to try encodings: processes, or a cluster's. Then the history depends on which trial ends first.
    workers : int
        How many trials to keep going in the executor.
    journal : path, optional
        A SQLite file: a search that was interrupted goes on where it was.
    on_trial : function of Candidate, optional
        Called after each trial.

    Examples
    --------
    >>> import lawful
    >>> from lawful.encodings import identity_encoding
    >>> words, labels = [["x"] * 6] * 4, [["A", "A", "B", "A", "A", "B"]] * 4
    >>> found = search_encodings(
    ...     words, labels, held_out=(words, labels), model=lawful.CRF(), start=identity_encoding(["A", "B"]), max_trials=8
    ... )
    >>> found.gain > 0, len(found.history)
    (True, 8)
    """
    for name, value in (("beam", beam), ("patience", patience), ("workers", workers)):
        check_count(name, value, least=1)
    check_seed("seed", seed)
    if attributes and start.attributes is None and not all(map(are_items, X)):
        raise InputError(
            "moves may look at attributes of tokens, so the start needs attributes: pass features.attributes"
        )
    trial = Trial(model, Labelled(*check_pairs(X, y)), Labelled(*check_pairs(*held_out)), metric)
    valid = domain_of(start)
    require_encoding(start, valid)
    counts = Counter(label for labels in trial.train.labels for label in labels) if by_frequency else None
    settings = (start.to_dict(), attributes, moves, beam, seed, *([by_frequency] if by_frequency else []))
    with Journal(journal, digest_of(trial.fingerprint(), settings)) as written:
        climb = _Climb(
            trial, start, valid, attributes, moves, counts, beam, patience, max_trials, seed, written
        )
        for candidate in climb.serially() if executor is None else climb.side_by_side(executor, workers):
            if on_trial is not None:
                on_trial(candidate)
        return climb.result()


@dataclass
class _Climb:
    trial: Trial
    start: Encoding
    valid: Dfa
    attributes: Mapping[str, int] | None
    moves: Sequence[str] | None
    label_counts: Mapping[str, int] | None
    beam: int
    patience: int
    max_trials: int | None
    seed: int
    journal: Journal

    def __post_init__(self) -> None:
        self.history = self.journal.candidates()
        self.waiting = [candidate for candidate in self.history if candidate.score is None]
        self.known = {digest_of(candidate.encoding) for candidate in self.history}

    # --- the two ways to climb -----------------------------------------------------------------------------

    def serially(self) -> Iterator[Candidate]:
        """One trial after the other."""
        while (candidate := self._next()) is not None:
            yield self._finish(candidate, *self.trial.score(candidate.encoding))

    def side_by_side(self, executor: Executor, workers: int) -> Iterator[Candidate]:
        """Several trials at a time; the start is tried first."""
        running: dict[Future[tuple[float, float]], Candidate] = {}
        while True:
            while len(running) < (workers if self._finished() else 1):
                candidate = self._next()
                if candidate is None:
                    break
                running[executor.submit(self.trial.score, candidate.encoding)] = candidate
            if not running:
                return
            ended, _ = wait(running, return_when=FIRST_COMPLETED)
            for future in sorted(ended, key=lambda future: running[future].number):
                yield self._finish(running.pop(future), *future.result())

    # --- candidates ----------------------------------------------------------------------------------------

    def _next(self) -> Candidate | None:
        """What to try next: what was begun and not finished, the start, or something new; None at the end."""
        if self.waiting:
            return self.waiting.pop(0)
        if not self.history:
            return self._begin(Candidate(0, None, None, self.start.to_dict()))
        if self._ended():
            return None
        number = len(self.history)
        rng = np.random.default_rng(
            [self.seed, number]
        )  # of its own, so that an interruption changes nothing
        members = sorted(self._finished(), key=lambda member: (-_score(member), member.number))[: self.beam]
        for _ in range(TRIES):
            parent = members[rng.integers(len(members))]
            encoding = Encoding.from_dict(parent.encoding)
            move, changed = propose_move(
                encoding,
                rng,
                valid=self.valid,
                attributes=self.attributes,
                kinds=self.moves,
                label_counts=self.label_counts,
            )
            if digest_of(changed.to_dict()) not in self.known:
                break
        return self._begin(Candidate(number, parent.number, move.to_dict(), changed.to_dict()))

    def _begin(self, candidate: Candidate) -> Candidate:
        self.journal.begin(candidate)
        self.history.append(candidate)
        self.known.add(digest_of(candidate.encoding))
        return candidate

    def _finish(self, candidate: Candidate, score: float, seconds: float) -> Candidate:
        self.journal.finish(candidate.number, score, seconds)
        done = Candidate(
            candidate.number, candidate.parent, candidate.move, candidate.encoding, score, seconds
        )
        self.history[candidate.number] = done
        return done

    def _finished(self) -> list[Candidate]:
        return [candidate for candidate in self.history if candidate.score is not None]

    def _ended(self) -> bool:
        if self.max_trials is not None and len(self.history) >= self.max_trials:
            return True
        best = max(self._finished(), key=lambda candidate: (_score(candidate), -candidate.number))
        return len(self.history) - 1 - best.number >= self.patience

    def result(self) -> SearchResult:
        best = max(self._finished(), key=lambda candidate: (_score(candidate), -candidate.number))
        return SearchResult(best, tuple(self.history))


def _score(candidate: Candidate) -> float:
    return -np.inf if candidate.score is None else candidate.score
