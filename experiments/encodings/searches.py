"""Searches for better encodings; each has a journal of its own beside that of the runs, and goes on where it was."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain
from operator import eq
from typing import Any

import numpy as np

import lawful
from experiments.encodings.data import (
    CORPORA,
    HMM_COLUMNS,
    hmm_part,
    move_attributes,
    part,
    thinned,
)
from experiments.encodings.named import encoding_of
from experiments.shared.paths import WORK
from lawful.encodings import Candidate, Coded, SearchResult, search_encodings
from lawful.models.base.estimator import SequenceModel
from lawful.models.hmm.emission import Emission
from lawful.schemes import find_spans

__all__ = ["HeldOutScore", "best_after", "hmm", "ranking_model", "run_search"]


def hmm(settings: dict[str, Any]) -> lawful.HMM:
    """An HMM that emits the columns of a token: all templates of Figure 4.3, or word and part of speech only."""
    columns = HMM_COLUMNS if settings["features"] == "all" else ("w0", "t0")
    return lawful.HMM(
        emissions=[Emission(column, normalise=(), unknown=None) for column in columns],
        emission_smoothing=settings["smoothing"],
        backoff="." if settings["backoff"] else None,
    )


def ranking_model(settings: dict[str, Any]) -> SequenceModel:
    """What encodings are tried with: an HMM, binary CRFs, or one CRF over all tags, trained for a few epochs."""
    if settings["model"] == "hmm":
        return hmm(settings)
    features = CORPORA[settings["task"]].features()
    if settings["model"] == "codes":
        return Coded(lawful.CRF(features, jobs=1, **settings["ranking"]))
    return lawful.CRF(features, groups="prefix", jobs=1, **settings["ranking"])


JOURNALS = WORK / "encodings"  # one file for each search
LEADERS = 6  # so many of a search are told of
SAMPLED = 20  # so many encodings of a search, good and bad, are ranked in other ways too
NAMED_BY = ("task", "model", "start", "features", "smoothing", "backoff", "seed")


class HeldOutScore:
    """The score of answers on held-out data, in per cent: as `Corpus.score`, but gold spans are found once."""

    def __init__(self, task: str) -> None:
        self.__qualname__ = f"score of {task}"  # what a search's journal knows it by
        self.scheme = CORPORA[task].scheme
        self.gold: tuple[object, list[set[Any]]] | None = None

    def __call__(self, gold: Sequence[Sequence[str]], predicted: Sequence[Sequence[str]]) -> float:
        """F1 of spans, or accuracy of tokens."""
        if self.scheme is None:
            right: int = sum(map(eq, chain.from_iterable(gold), chain.from_iterable(predicted)))
            return 100 * right / sum(map(len, gold))
        if self.gold is None or self.gold[0] is not gold:
            self.gold = gold, [set(find_spans(labels, self.scheme)) for labels in gold]
        found = [set(find_spans(labels, self.scheme)) for labels in predicted]
        correct = sum(len(ours & theirs) for ours, theirs in zip(found, self.gold[1], strict=True))
        return 200 * correct / max(1, sum(map(len, found)) + sum(map(len, self.gold[1])))


def run_search(settings: dict[str, Any]) -> dict[str, Any]:
    """Climb for as many trials as the settings say; the history, and the best encodings on the way."""
    task = settings["task"]
    if settings["model"] == "hmm":
        fit, held = hmm_part("fit", settings["every"]), hmm_part("held")
    else:
        fit, held = thinned(part(task, "fit"), settings["every"]), part(task, "held")
    name = "-".join(str(settings[key]) for key in NAMED_BY if key in settings).replace(" ", "_")
    begin = encoding_of(task, settings["start"])
    assert begin is not None
    JOURNALS.mkdir(parents=True, exist_ok=True)
    found = search_encodings(
        *fit,
        held_out=held,
        model=ranking_model(settings),
        start=begin,
        metric=HeldOutScore(task),
        attributes=move_attributes(task),
        moves=settings["moves"],
        by_frequency=settings.get("by frequency", False),
        beam=settings["beam"],
        patience=settings["patience"],
        max_trials=settings["trials"],
        seed=settings["seed"],
        journal=JOURNALS / f"{name}.sqlite",
    )
    history = found.history[: settings["trials"]]  # its journal may know of more
    found = SearchResult(max(history, key=lambda one: (one.score or 0.0, -one.number)), history)
    return {
        "history": [
            [
                candidate.score if candidate.score is not None and candidate.score > 0 else None,
                len({tag for _, _, _, output in candidate.encoding["arcs"] for tag in output}),
                candidate.move["kind"] if candidate.move else None,
            ]
            for candidate in found.history
        ],
        "best": {str(trials): best_after(found, trials) for trials in settings["milestones"]},
        "top": [described(found, candidate) for candidate in leaders(found)],
        "sample": [described(found, candidate)["encoding"] for candidate in sampled(found)],
    }


def leaders(found: SearchResult) -> list[Candidate]:
    """The best candidates, one of each score: many a move changes nothing."""
    of_score: dict[float, Candidate] = {}
    for candidate in found.history:
        if candidate.score is not None:
            of_score.setdefault(candidate.score, candidate)
    return [of_score[score] for score in sorted(of_score, reverse=True)[:LEADERS]]


def sampled(found: SearchResult) -> list[Candidate]:
    """Candidates from the worst to the best, at even distances, one of each score."""
    of_score = {candidate.score: candidate for candidate in found.history if candidate.score}
    ordered = [of_score[score] for score in sorted(of_score)]
    places = np.linspace(0, len(ordered) - 1, min(SAMPLED, len(ordered))).round().astype(int)
    return [ordered[place] for place in places]


def best_after(found: SearchResult, trials: int) -> dict[str, Any]:
    """The best encoding of the first trials."""
    tried = [candidate for candidate in found.history[:trials] if candidate.score is not None]
    return described(found, max(tried, key=lambda candidate: (candidate.score or 0.0, -candidate.number)))


def described(found: SearchResult, candidate: Candidate) -> dict[str, Any]:
    """An encoding of a search: itself, its score, its size, and the moves that made it."""
    encoding = candidate.load()
    line = SearchResult(candidate, found.history).ancestors()
    return {
        "number": candidate.number,
        "held": candidate.score,
        "tags": len(encoding.tags),
        "states": encoding.transducer.states,
        "moves": [one.move for one in line if one.move],
        # Its attributes are those of the task.
        "encoding": {**encoding.to_dict(), "features": None},
    }
