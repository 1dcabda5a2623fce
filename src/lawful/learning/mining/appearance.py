"""Rules about whether and how often labels appear: once, always, together, never together."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import numpy as np

from lawful.learning.mining.evidence import Evidence, Proposal, Thresholds
from lawful.learning.mining.statistics import Statistics
from lawful.rules.kinds.counts import at_least
from lawful.rules.kinds.order import excludes, requires
from lawful.rules.kinds.segments import at_most_segments

__all__ = ["propose_always", "propose_apart", "propose_once", "propose_together"]


def propose_once(seen: Statistics, thresholds: Thresholds) -> Iterator[Proposal]:
    """A label fills one segment only. Trivial for labels such as "O", which fail it at once."""
    for place, label in enumerate(seen.labels):
        rule = at_most_segments(1, label).named(f"one {label}")
        yield Proposal(rule, "sequence", partial(_once, place=place))


def _once(seen: Statistics, place: int) -> Evidence:
    segments = seen.segments[:, place]
    return Evidence(int((segments > 0).sum()), int((segments > 1).sum()), "sequences with it")


def propose_always(seen: Statistics, thresholds: Thresholds) -> Iterator[Proposal]:
    """A label appears in every sequence."""
    for place, label in enumerate(seen.labels):
        rule = at_least(1, label).named(f"always {label}")
        yield Proposal(rule, "sequence", partial(_always, place=place))


def _always(seen: Statistics, place: int) -> Evidence:
    return Evidence(len(seen.gold), int((~seen.present[:, place]).sum()), "sequences")


def propose_together(seen: Statistics, thresholds: Thresholds) -> Iterator[Proposal]:
    """If one label appears, another does, more often than that other one appears anyway."""
    usual = seen.present.mean(axis=0)
    alone = seen.meetings.diagonal()[:, None]
    kept = (alone >= thresholds.support) & thresholds.may_pass(alone - seen.meetings, alone)
    telling = (usual < 1 - 2 * thresholds.exceptions) & (usual < 0.8)
    for a, b in np.argwhere(kept & telling).tolist():
        if a != b:
            rule = requires(seen.labels[a], seen.labels[b]).named(f"{seen.labels[a]} needs {seen.labels[b]}")
            yield Proposal(rule, "sequence", partial(_together, a=a, b=b))


def _together(seen: Statistics, a: int, b: int) -> Evidence:
    with_a = seen.present[:, a]
    return Evidence(int(with_a.sum()), int((with_a & ~seen.present[:, b]).sum()), "sequences with the first")


def propose_apart(seen: Statistics, thresholds: Thresholds) -> Iterator[Proposal]:
    """Two labels never meet, though by chance they would have met often enough."""
    shares = seen.present.mean(axis=0)
    chance = np.outer(shares, shares) * len(seen.gold)
    kept = (chance >= thresholds.support) & thresholds.may_pass(seen.meetings, np.rint(chance))
    for a, b in np.argwhere(np.triu(kept, 1)).tolist():
        rule = excludes(seen.labels[a], seen.labels[b]).named(f"{seen.labels[a]} without {seen.labels[b]}")
        yield Proposal(rule, "sequence", partial(_apart, a=a, b=b))


def _apart(seen: Statistics, a: int, b: int) -> Evidence:
    pair = seen.present[:, a], seen.present[:, b]
    chance = round(float(pair[0].mean() * pair[1].mean()) * len(seen.gold))
    return Evidence(chance, int((pair[0] & pair[1]).sum()), "meetings that chance would bring")
