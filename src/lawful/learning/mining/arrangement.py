"""Rules about where labels stand: order, first and last, neighbours, lengths."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import numpy as np

from lawful.errors import RuleError
from lawful.learning.mining.covering import fewest_covering
from lawful.learning.mining.evidence import Evidence, Proposal, Thresholds
from lawful.learning.mining.statistics import Ints, Statistics
from lawful.rules.compiled_rules import CompiledRules
from lawful.rules.counting_many import count_many
from lawful.rules.english import counted, listed
from lawful.rules.kinds.fixed_positions import ends_with, starts_with
from lawful.rules.kinds.order import before
from lawful.rules.kinds.segment_lengths import segment_length
from lawful.rules.kinds.tag_schemes import ValidTags, valid_tags
from lawful.rules.kinds.transitions import not_followed_by
from lawful.rules.ruleset import Rules

__all__ = ["propose_ends", "propose_lengths", "propose_neighbours", "propose_order", "propose_scheme"]

MOST_LABELS = 0.5  # a rule that allows more of the labels than this says little
STRICTEST_FIRST = ("IOBES", "BILOU", "BMES", "BMEWO", "IOB2", "IOE2", "IOB1", "IOE1")


def propose_order(seen: Statistics, thresholds: Thresholds) -> Iterator[Proposal]:
    """One label never comes after another."""
    for a in range(len(seen.labels)):
        rows = seen.present[:, a]
        # Few labels meet often enough; only these are looked at more closely.
        often = np.flatnonzero(seen.meetings[a] >= thresholds.support)
        late = seen.last[rows, a, None] > seen.first[np.ix_(rows, often)]
        for b in often[thresholds.may_pass(late.sum(axis=0), seen.meetings[a, often])].tolist():
            if a != b:
                rule = before(seen.labels[a], seen.labels[b]).named(
                    f"{seen.labels[a]} before {seen.labels[b]}"
                )
                yield Proposal(rule, "sequence", partial(_order, a=a, b=b))


def _order(seen: Statistics, a: int, b: int) -> Evidence:
    both = seen.present[:, a] & seen.present[:, b]
    return Evidence(
        int(both.sum()), int((both & (seen.last[:, a] > seen.first[:, b])).sum()), "sequences with both"
    )


def propose_ends(seen: Statistics, thresholds: Thresholds) -> Iterator[Proposal]:
    """The first, or the last, label is one of a few."""
    for make, which in ((starts_with, "starts"), (ends_with, "ends")):
        counts = np.bincount(getattr(seen, which), minlength=len(seen.labels))
        few = fewest_covering(counts, 1 - thresholds.exceptions)
        if 0 < len(few) <= MOST_LABELS * len(seen.labels):
            names = [seen.labels[place] for place in few]
            rule = make(*names).named(f"{which} with {listed(names, 'or')}")
            yield Proposal(rule, "sequence", partial(_ends, which=which, few=few), question=which)


def _ends(seen: Statistics, which: str, few: list[int]) -> Evidence:
    wrong = ~np.isin(getattr(seen, which), few)
    return Evidence(len(wrong), int(wrong.sum()), "sequences")


def propose_neighbours(seen: Statistics, thresholds: Thresholds) -> Iterator[Proposal]:
    """Labels that never stand right after another one, though by chance they would have."""
    chance = np.outer(seen.steps.sum(axis=1), seen.steps.sum(axis=0)) / max(1, seen.steps.sum())
    missing = (seen.steps == 0) & (chance >= thresholds.support)
    for a in np.flatnonzero(missing.any(axis=1)).tolist():
        after = np.flatnonzero(missing[a])
        label, others = seen.labels[a], [seen.labels[b] for b in after.tolist()]
        rule = not_followed_by(label, others).named(f"no {label} right before {listed(others, 'or')}")
        yield Proposal(
            rule, "violation", partial(_followed, a=a, after=after), question=f"what follows {label}"
        )


def propose_scheme(seen: Statistics, thresholds: Thresholds) -> Iterator[Proposal]:
    """Labels such as B-NP and I-NP follow a scheme: the strictest one that the data follows."""
    for name in STRICTEST_FIRST:
        rule = valid_tags(name)
        try:
            for label in seen.labels:
                rule.parse(label)
        except RuleError:
            continue
        measure = partial(_scheme, rule=rule)
        rule = rule.named(f"{name} tags")
        if measure(seen).meets(thresholds):
            yield Proposal(rule, "sequence", measure, question="scheme")
            return


def _scheme(seen: Statistics, rule: ValidTags) -> Evidence:
    compiled = CompiledRules(Rules(rule), seen.labels)
    lengths = np.array([len(one) for one in seen.indices], dtype=np.int64)
    nothing: list[None] = [None] * len(lengths)
    counts = count_many(
        compiled,
        list(nothing),
        [{}] * len(lengths),
        lengths,
        seen.flat.astype(np.int32),
        np.ones_like(lengths),
    )
    return Evidence(len(seen.gold), int((counts > 0).sum()), "sequences")


def _followed(seen: Statistics, a: int, after: Ints) -> Evidence:
    return Evidence(int(seen.steps[a].sum()), int(seen.steps[a, after].sum()), "such labels with a next one")


def propose_lengths(seen: Statistics, thresholds: Thresholds) -> Iterator[Proposal]:
    """Segments of a label have at most, or at least, so many tokens."""
    usual = float(np.median([len(one) for one in seen.indices]))
    for place, label in enumerate(seen.labels):
        mine = seen.lengths(place)
        if len(mine) < thresholds.support:
            continue
        shortest, longest = int(mine.min()), int(mine.max())
        if longest <= usual / 2 and longest > 0:
            rule = segment_length(label, max=longest).named(f"{label} of at most {counted(longest, 'token')}")
            firm = int((mine == longest).sum()) >= thresholds.support
            measure = partial(_length, place=place, least=1, most=longest)
            yield Proposal(rule, "violation", measure, firm, f"most tokens of {label}")
        if shortest > 1:
            rule = segment_length(label, min=shortest).named(
                f"{label} of at least {counted(shortest, 'token')}"
            )
            firm = int((mine == shortest).sum()) >= thresholds.support
            measure = partial(_length, place=place, least=shortest, most=int(np.iinfo(np.int64).max))
            yield Proposal(rule, "violation", measure, firm, f"fewest tokens of {label}")


def _length(seen: Statistics, place: int, least: int, most: int) -> Evidence:
    mine = seen.lengths(place)
    return Evidence(len(mine), int(((mine < least) | (mine > most)).sum()), "segments")
