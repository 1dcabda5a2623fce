"""Propose rules that labelled data obeys."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any

import numpy as np

from lawful.errors import InputError
from lawful.errors.wording import suggestion
from lawful.labels import LabelSet
from lawful.lattice.tagger import warn_if_uncalibrated
from lawful.learning.gold import Gold, Labelled, labelled_sequences
from lawful.learning.linting.model_effects import Effect
from lawful.learning.mining.appearance import propose_always, propose_apart, propose_once, propose_together
from lawful.learning.mining.arrangement import (
    propose_ends,
    propose_lengths,
    propose_neighbours,
    propose_order,
    propose_scheme,
)
from lawful.learning.mining.beside_model import price_beside
from lawful.learning.mining.evidence import Evidence, MinedRule, Proposal, Thresholds
from lawful.learning.mining.statistics import Statistics
from lawful.learning.mining.words import propose_changes, propose_shapes, propose_words
from lawful.models.base.estimator import SequenceModel
from lawful.rules.files.describing import describe
from lawful.rules.files.writing import format_rules
from lawful.rules.rule import Rule
from lawful.rules.ruleset import Rules
from lawful.support.numbers import check_count, check_number, check_seed

__all__ = ["FAMILIES", "Mined", "mine"]

Proposer = Callable[[Statistics, Thresholds], Iterator[Proposal]]

FAMILIES: Mapping[str, Proposer] = MappingProxyType(
    {
        "scheme": propose_scheme,
        "once": propose_once,
        "always": propose_always,
        "ends": propose_ends,
        "order": propose_order,
        "together": propose_together,
        "apart": propose_apart,
        "neighbours": propose_neighbours,
        "lengths": propose_lengths,
        "changes": propose_changes,
        "words": propose_words,
        "shapes": propose_shapes,
    }
)
"""What is looked for, by name."""

NEEDLESS = "the model breaks them no more often than the data does"
REFUTED = "the held-out part breaks them"


@dataclass(frozen=True)
class Mined:
    """What `mine` found.

    Attributes
    ----------
    labels : LabelSet
        The labels of the data.
    found : tuple of MinedRule
        Rules that both parts of the data obey, nearly or always.
    refuted : tuple of MinedRule
        Rules that looked good until the held-out part was asked.
    needless : tuple of MinedRule
        Rules that the data obeys, but that the model, if there was one, keeps as well without them.
    effect : Effect or None
        What the rules change in the answers of a model, on sequences that neither it nor the prices were fitted to.
    """

    labels: LabelSet
    found: tuple[MinedRule, ...]
    refuted: tuple[MinedRule, ...]
    needless: tuple[MinedRule, ...] = ()
    effect: Effect | None = None

    @property
    def rules(self) -> Rules:
        """The rules that were found, priced; without the refuted and the needless ones."""
        return Rules(one.rule for one in self.found)

    def to_toml(self) -> str:
        """A rule file: every rule under its evidence; the needless and the refuted ones as remarks at the end."""
        blocks = [format_rules([], labels=list(self.labels))]
        if self.effect is not None:
            blocks.append(f"# Priced beside a model. In its answers to held-out sequences: {self.effect}.\n")
        blocks += [f"{_remarks(one)}{format_rules(one.rule)}" for one in self.found]
        for left_out, why in ((self.needless, NEEDLESS), (self.refuted, REFUTED)):
            if left_out:
                blocks.append(f"# Not taken, because {why}:\n")
                blocks += [f"{_remarks(one)}{_commented(format_rules(one.rule))}" for one in left_out]
        return "\n".join(blocks)

    def to_dict(self) -> dict[str, Any]:
        """Ready for JSON."""
        return {
            "labels": list(self.labels),
            "found": [one.to_dict() for one in self.found],
            "refuted": [one.to_dict() for one in self.refuted],
            "needless": [one.to_dict() for one in self.needless],
            "effect": None if self.effect is None else self.effect.to_dict(),
        }


def mine(
    gold: Gold,
    *,
    model: SequenceModel | None = None,
    held_out: float = 0.25,
    min_support: int = 20,
    max_exceptions: float = 0.05,
    hard_support: int = 100,
    families: str | Iterable[str] | None = None,
    seed: int = 0,
    on_part: Callable[[int, int], None] | None = None,
) -> Mined:
    """Propose rules that labelled data obeys, nearly or always.

    Parameters
    ----------
    gold : iterable of Sentence, or of (tokens, labels) or (tokens, labels, context)
    model : SequenceModel, optional
        Price the rules for use beside this model, which was fitted to the same data: models like it are fitted to parts of the
        data, and what they get wrong in the other parts decides, for all rules together (method "likelihood" of `estimate_prices`). Without it a price is
        the log odds of keeping a rule: for a model that knows nothing of it. A good one then pays twice for what it knows.
    held_out : float
        The share of the sequences, drawn at random, that has no say in what is proposed and is asked afterwards.
    min_support : int
        The least number of occasions (sequences, segments, tokens: the evidence says which) that a rule needs.
    max_exceptions : float
        The largest share of occasions on which it may be broken.
    hard_support : int
        A rule becomes hard if nothing breaks it on at least so many occasions. Others get the log odds of keeping
        them as their price, or less beside a model.
    families : str or iterable of str, optional
        Look for these only, of `FAMILIES`.
    seed : int
        For drawing the held-out part.
    on_part : function, optional
        With a model: is told how many of the models that price the rules are fitted, and of how many.

    Examples
    --------
    >>> gold = [(["Ann", ",", "Tag", str(n)], ["author", "author", "title", "date"]) for n in range(2000, 2040)]
    >>> for one in mine(gold, families=["order", "ends"]).found:
    ...     print(one.rule.code(), "-", one.mined)
    starts_with('author') - no exceptions in 30 sequences
    ends_with('date') - no exceptions in 30 sequences
    before('author', 'date') - no exceptions in 30 sequences with both
    before('author', 'title') - no exceptions in 30 sequences with both
    before('title', 'date') - no exceptions in 30 sequences with both
    """
    thresholds = _checked(min_support, max_exceptions, held_out)
    given = [families] if isinstance(families, str) else families
    wanted = list(FAMILIES) if given is None else [_family(name) for name in given]
    if not wanted:
        raise InputError(f"no families of rules to look for; there are {', '.join(FAMILIES)}")
    sequences = labelled_sequences(gold)
    if len(sequences) < 2:
        raise InputError(f"mining needs at least 2 labelled sequences, got {len(sequences)}")
    labels = LabelSet(sorted({label for one in sequences for label in one.labels}))
    here, there = (Statistics(part, labels) for part in _split(sequences, held_out, seed))
    everything = Statistics(sequences, labels)
    found: list[MinedRule] = []
    for name in FAMILIES:
        if name not in wanted:
            continue
        for proposal in FAMILIES[name](here, thresholds):
            mined = proposal.measure(here)
            if not mined.meets(thresholds):
                continue
            asked = proposal.measure(there)
            whole = proposal.measure(everything)
            rule = _priced(proposal, whole, hard_support)
            found.append(MinedRule(rule, name, mined, asked, refuted=asked.rate > max_exceptions))
    proposed = Mined(
        labels, tuple(one for one in found if not one.refuted), tuple(one for one in found if one.refuted)
    )
    return (
        proposed
        if model is None or not proposed.found
        else _beside(proposed, model, sequences, seed, on_part)
    )


def _beside(
    mined: Mined,
    model: SequenceModel,
    sequences: list[Labelled],
    seed: int,
    on_part: Callable[[int, int], None] | None,
) -> Mined:
    warn_if_uncalibrated(model, stacklevel=3)
    prices, effect = price_beside(model, mined.rules, sequences, seed=seed, on_part=on_part)
    found, needless = [], []
    for mined_rule, price in zip(mined.found, prices, strict=True):
        if not price:
            needless.append(mined_rule)
        else:
            rule = (
                mined_rule.rule
                if math.isinf(price)
                else mined_rule.rule.soft(round(price, 3), per=mined_rule.rule.per)
            )
            found.append(replace(mined_rule, rule=rule))
    return replace(mined, found=tuple(found), needless=tuple(needless), effect=effect)


def _priced(proposal: Proposal, whole: Evidence, hard_support: int) -> Rule:
    if proposal.firm and not whole.exceptions and whole.occasions >= hard_support:
        return proposal.rule
    return proposal.rule.soft(round(whole.log_odds(), 3), per=proposal.per)


def _split(sequences: list[Labelled], held_out: float, seed: int) -> tuple[list[Labelled], list[Labelled]]:
    order = np.random.default_rng(check_seed("seed", seed)).permutation(len(sequences))
    asked = max(1, round(held_out * len(sequences)))
    later = set(order[:asked].tolist())
    parts: tuple[list[Labelled], list[Labelled]] = ([], [])
    for index, sequence in enumerate(sequences):
        parts[index in later].append(sequence)
    return parts


def _checked(min_support: int, max_exceptions: float, held_out: float) -> Thresholds:
    check_count("min_support", min_support, least=1)
    check_number("max_exceptions", max_exceptions, below=0.5)
    check_number("held_out", held_out, above=0.0, below=1.0)
    return Thresholds(min_support, max_exceptions)


def _family(name: str) -> str:
    if name not in FAMILIES:
        raise InputError(f"unknown family of rules {name!r}; {suggestion(name, FAMILIES, 'families')}")
    return name


def _remarks(mined_rule: MinedRule) -> str:
    return f"# {describe(mined_rule.rule)}\n# {mined_rule.mined}; held out: {mined_rule.held_out}.\n"


def _commented(text: str) -> str:
    return "".join(f"# {line}\n" for line in text.splitlines())
