"""Propose rules that labelled data obeys."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType

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
from lawful.learning.mining.beside_model import Beside, price_beside
from lawful.learning.mining.evidence import Evidence, MinedRule, Proposal, Thresholds
from lawful.learning.mining.result import Mined
from lawful.learning.mining.statistics import Statistics
from lawful.learning.mining.words import propose_changes, propose_shapes, propose_words
from lawful.models.base.estimator import SequenceModel
from lawful.rules.rule import Rule
from lawful.support.numbers import check_count, check_number, check_seed
from lawful.support.threads import thread_count

__all__ = ["FAMILIES", "mine"]

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

TELL_OF_FIELDS = frozenset(
    {"scheme", "neighbours", "changes", "shapes"}
)  # even where they name what is outside


def mine(
    gold: Gold,
    *,
    model: SequenceModel | None = None,
    held_out: float = 0.25,
    min_support: int = 20,
    max_exceptions: float = 0.05,
    hard_support: int = 100,
    families: str | Iterable[str] | None = None,
    outside: str | Iterable[str] = ("O",),
    seed: int = 0,
    jobs: int | None = None,
    on_part: Callable[[int, int], None] | None = None,
) -> Mined:
    """Propose rules that labelled data obeys, nearly or always.

    Parameters
    ----------
    gold : iterable of Sentence, or of (tokens, labels) or (tokens, labels, context)
    model : SequenceModel, optional
        Keep only the rules that pay beside this model, which was fitted to the same data. Each part of the data is labelled by a
        model like it that was fitted to the others, under rules that were mined and priced there (method "likelihood" of
        `estimate_prices`); what a rule changes in these answers is its tally. Without a model a price is the log odds of keeping
        a rule: for a model that knows nothing of it. A good one then pays twice for what it knows.
    held_out : float
        The share of the sequences, drawn at random, that has no say in what is proposed and is asked afterwards.
    min_support : int
        The least number of occasions (sequences, segments, tokens: the evidence says which) that a rule needs.
    max_exceptions : float
        The largest share of occasions on which it may be broken.
    hard_support : int
        A rule becomes hard if nothing breaks it on at least so many occasions, in data of at least so many sequences. Others
        get the log odds of keeping them as their price, or less beside a model.
    families : str or iterable of str, optional
        Look for these only, of `FAMILIES`.
    outside : str or iterable of str
        Labels of tokens in no field. How often, where, at what length and for which words they stand is no knowledge of fields: such rules are
        not proposed. Those that keep fields away are, such as "punctuation: O". Nothing is outside with `outside=()`.
    seed : int
        For drawing the held-out part.
    jobs : int, optional
        With a model: threads; all cores if not given. The rules do not depend on it.
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
    thread_count(jobs)  # refused here if it is no number of threads
    beyond = frozenset([outside] if isinstance(outside, str) else outside)
    labels = LabelSet(sorted({label for one in sequences for label in one.labels}))

    def propose(some: Statistics) -> dict[str, tuple[Proposal, Evidence]]:
        return _proposals(some, thresholds, wanted, beyond)

    asked, mined_in = _split(sequences, held_out, seed)
    whole = Statistics(sequences, labels)
    there = whole.of(asked)
    proposals = propose(whole.of(mined_in))
    found: dict[str, MinedRule] = {}
    for question, (proposal, mined) in proposals.items():
        told = proposal.measure(there)
        # However many tokens few sequences have, the next sequence may be of another kind.
        enough = hard_support if len(sequences) >= hard_support else None
        rule = _priced(proposal, proposal.measure(whole), enough)
        family = question.partition(":")[0]
        found[question] = MinedRule(rule, family, mined, told, refuted=told.rate > max_exceptions)
    kept = {question: one for question, one in found.items() if not one.refuted}
    result = Mined(
        labels,
        tuple(kept.values()),
        tuple(one for one in found.values() if one.refuted),
        sequences=len(sequences),
        tokens=len(whole.flat),
    )
    if model is None or not kept:
        return result
    warn_if_uncalibrated(model, stacklevel=2)
    beside = price_beside(
        model,
        {question: proposals[question][0] for question in kept},
        {question for question, one in kept.items() if one.rule.price == "hard"},
        whole,
        propose,
        seed=seed,
        jobs=jobs,
        on_part=on_part,
    )
    return _with_prices(result, kept, beside)


def _proposals(
    seen: Statistics, thresholds: Thresholds, wanted: Sequence[str], outside: frozenset[str]
) -> dict[str, tuple[Proposal, Evidence]]:
    """What some data obeys, by family and question, with what speaks for it."""
    found: dict[str, tuple[Proposal, Evidence]] = {}
    names: set[str] = set()
    for family in FAMILIES:
        for proposal in FAMILIES[family](seen, thresholds) if family in wanted else ():
            if _is_about_outside(family, proposal.rule.labels_named(seen.labels), outside):
                continue
            evidence = proposal.measure(seen)
            if evidence.meets(thresholds):
                if proposal.rule.name in names:  # labels may be called anything
                    proposal = replace(proposal, rule=proposal.rule.named(""))
                names.add(proposal.rule.name)
                found[f"{family}: {proposal.question}"] = proposal, evidence
    return found


def _is_about_outside(family: str, named: set[str], outside: frozenset[str]) -> bool:
    """Whether a rule tells of tokens in no field more than of fields."""
    if family in TELL_OF_FIELDS:
        return False
    return named <= outside if family == "ends" else not named.isdisjoint(outside)


def _with_prices(mined: Mined, kept: Mapping[str, MinedRule], beside: Beside) -> Mined:
    found, needless = [], []
    for question, one in kept.items():
        judged = replace(one, tally=beside.tallies.get(question, Effect()))
        price = beside.prices.get(question)
        if price is None:
            needless.append(judged)
        elif math.isinf(price):
            found.append(replace(judged, rule=one.rule.hard()))
        else:
            found.append(replace(judged, rule=one.rule.soft(round(price, 2), per=beside.per[question])))
    return replace(
        mined, found=tuple(found), needless=tuple(needless), effect=beside.effect, judged=beside.judged
    )


def _priced(proposal: Proposal, whole: Evidence, hard_support: int | None) -> Rule:
    enough = hard_support is not None and whole.occasions >= hard_support
    if proposal.firm and not whole.exceptions and enough:
        return proposal.rule
    return proposal.rule.soft(round(whole.log_odds(), 2), per=proposal.per)


def _split(sequences: list[Labelled], held_out: float, seed: int) -> tuple[list[Labelled], list[Labelled]]:
    """The held-out part, and the rest."""
    order = np.random.default_rng(check_seed("seed", seed)).permutation(len(sequences))
    later = set(order[: max(1, round(held_out * len(sequences)))].tolist())
    parts: tuple[list[Labelled], list[Labelled]] = ([], [])
    for index, sequence in enumerate(sequences):
        parts[index not in later].append(sequence)
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
