"""Histories: which are frequent (Figure 5.7), and what skipping contradictory steps saves."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import numpy as np

import lawful
from experiments.trees.data import propositions
from experiments.trees.systems import complex_rows, known_histories
from lawful.encodings import Encoded
from lawful.lattice import Lattice, Transitions
from lawful.models import CRF

__all__ = ["run_histories", "run_speed"]

MOST = 20
SAMPLE = 600


def run_histories(settings: dict[str, Any]) -> dict[str, Any]:
    """The most frequent histories, and the share of constituents that they give the right history for."""
    train = propositions(settings["train"])
    tags, known = known_histories(train, MOST)
    every, _ = known_histories(train, 10**6)
    counted: dict[tuple[str, ...], int] = {}
    for one in train:
        for history in every.histories_of(one.labels, one.after):
            counted[history] = counted.get(history, 0) + 1
    total = sum(counted.values())
    ranked = sorted(((counted.get(history, 0), history) for history in tags.histories), reverse=True)
    used = {tag for pair in known["allowed_transitions"] for tag in pair}
    return {
        "histories": [[list(history), count / total] for count, history in ranked],
        "covered": sum(count for count, _ in ranked) / total,
        "tags": len(tags.tags()),
        "used": len(used),
        "steps": len(known["allowed_transitions"]),
    }


def run_speed(settings: dict[str, Any]) -> dict[str, Any]:
    """CPU milliseconds a proposition of decoding and of training over histories, with and without skipping what is forbidden."""
    sample = propositions("fit")[:SAMPLE]
    rows = [complex_rows(one) for one in sample]
    tags, known = known_histories(propositions("fit"), MOST)
    encoded = [tags.encode(one.labels, one.after) for one in sample]
    used = sorted({tag for pair in known["allowed_transitions"] for tag in pair})
    chain, free = (
        CRF(**{**known, "allowed_transitions": steps}, labels=used, max_iterations=3, jobs=1)
        for steps in (known["allowed_transitions"], None)
    )
    training = {
        name: _each(_per_pass(model, rows, encoded), len(sample))
        for name, model in (("skipping", chain), ("all", free))
    }
    spread = [lattice.spread() for lattice in Encoded(chain, tags.encoding()).lattices(rows)]  # type: ignore[union-attr]
    trellises, dense = _sharing(spread, -np.inf), _sharing(spread, -1e6)
    decoder = lawful.Decoder(labels=trellises[0].labels)
    answers = [decoder.decode_batch(some, jobs=1) for some in (trellises, dense)]
    assert [one.labels for one in answers[0]] == [one.labels for one in answers[1]]
    decoding = {
        name: _each(_seconds(lambda some=some: decoder.decode_batch(some, jobs=1)), len(sample))  # type: ignore[misc]
        for name, some in (("skipping", trellises), ("all", dense))
    }
    return {
        "propositions": len(sample),
        "tags": len(used),
        "columns": len(trellises[0].labels),
        "decoding": decoding,
        "training": training,
    }


def _sharing(trellises: list[Lattice], forbidden: float) -> list[Lattice]:
    """The same with one matrix of steps for all, and this score for what is forbidden: a finite one cannot be skipped."""
    steps = next(one.transitions for one in trellises if one.transitions is not None)
    low = Transitions(np.where(np.isneginf(steps), forbidden, steps), labels=trellises[0].labels)
    return [
        Lattice(
            one.emissions, low if one.length > 1 else None, labels=one.labels, start=one.start, end=one.end
        )
        for one in trellises
    ]


def _per_pass(model: CRF, rows: list[list[list[str]]], tags: list[list[str]]) -> float:
    """CPU seconds of one evaluation of the objective, reading aside."""
    times: list[tuple[float, int]] = []
    model.fit(rows, tags, callback=lambda progress: times.append((time.process_time(), progress.passes)))
    return (times[-1][0] - times[0][0]) / max(1, sum(passes for _, passes in times[1:]))


def _seconds(work: Callable[[], object]) -> float:
    times = []
    for _ in range(3):
        began = time.process_time()
        work()
        times.append(time.process_time() - began)
    return min(times)


def _each(seconds: float, count: int) -> float:
    return 1000 * seconds / count
