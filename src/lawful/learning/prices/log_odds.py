"""Prices by counting: the log odds of keeping a rule in labelled data."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np

from lawful.errors import InputError
from lawful.errors.wording import suggestion
from lawful.labels import LabelSet
from lawful.learning.gold import Gold, Labelled, labelled_sequences
from lawful.rules.bound_rules import BoundRules, bind
from lawful.rules.compiled_rules import CompiledRules
from lawful.rules.given_rules import RulesLike, as_rules
from lawful.rules.rule import Price
from lawful.rules.ruleset import Rules
from lawful.support.numbers import check_number

__all__ = [
    "Occasions",
    "Tally",
    "count_tallies",
    "labels_of",
    "log_odds",
    "prices_by_log_odds",
    "prices_from",
    "tally_violations",
]

Ties = Iterable[Collection[str]]
Occasions = Literal["breakable", "tokens"]
"""What counts as an occasion on which a rule was kept or broken; see `estimate_prices`."""


@dataclass(frozen=True)
class Tally:
    """How often a rule was broken, and how often it could have been.

    Attributes
    ----------
    violations, occasions : int
        For a rule that is paid for by the violation. An occasion is a position (or the end) at which some label breaks the rule
        after the labels that stand before it.
    broken, breakable : int
        For a rule that is paid for once: sequences that break it, and sequences that some labels would let break it.
    tokens, sequences : int
        In all.

    Examples
    --------
    >>> tally = Tally(violations=3, occasions=30, broken=2, breakable=8, tokens=100, sequences=10)
    >>> round(tally.price(per="violation"), 3) == round(math.log(27 / 3), 3)
    True
    >>> round(tally.price(per="sequence"), 3) == round(math.log(6 / 2), 3)
    True
    """

    violations: int
    occasions: int
    broken: int
    breakable: int
    tokens: int
    sequences: int

    def price(self, *, per: Literal["sequence", "violation"], smoothing: float = 0.0) -> float:
        """The log odds of keeping the rule; infinite if it was always kept and nothing is added.

        Parameters
        ----------
        per : "violation" or "sequence"
        smoothing : float
            Added to both sides of the odds.
        """
        if per == "violation":
            return log_odds(self.occasions - self.violations, self.violations, smoothing=smoothing)
        return log_odds(self.breakable - self.broken, self.broken, smoothing=smoothing)


def log_odds(kept: float, broken: float, *, smoothing: float) -> float:
    """How much more likely keeping a rule is than breaking it, 0 if it is not; infinite if it was never broken.

    Examples
    --------
    >>> log_odds(1, 1, smoothing=0), log_odds(1, 2, smoothing=0), log_odds(9, 0, smoothing=0)
    (0.0, 0.0, inf)
    >>> log_odds(9, 0, smoothing=0.5) == math.log(9.5 / 0.5)
    True
    """
    good, bad = max(0, kept) + smoothing, broken + smoothing
    if not bad:
        return math.inf
    return math.log(good / bad) if good > bad else 0.0


def tally_violations(
    rules: RulesLike,
    gold: Gold,
    *,
    labels: Iterable[str] = (),
    ties: Ties = (),
    occasions: Occasions = "breakable",
) -> dict[str, Tally]:
    """How often each rule is broken in labelled data, and how often it could be, by the rule's name.

    Parameters
    ----------
    rules : Rules, rule, iterable of rules, or the path of a rule file
    gold : iterable of Sentence, or of (tokens, labels) or (tokens, labels, context)
        `zip(X, y)` will do.
    labels : iterable of str
        Labels that might have been given, besides those that the data has and the rules name.
    ties : iterable of collections of names
        The rules of each collection are counted as if they were one, and share their tally.
    occasions : "breakable" or "tokens"
        With "tokens", every token counts as an occasion, and every sequence as breakable.

    Examples
    --------
    >>> import lawful
    >>> rule = lawful.at_most(1, "A").named("one A")
    >>> tally_violations(rule, [(["x", "y", "z"], ["A", "A", "A"]), (["x"], ["B"])])
    {'one A': Tally(violations=2, occasions=2, broken=1, breakable=1, tokens=4, sequences=2)}
    """
    checked = as_rules(rules)
    sequences = labelled_sequences(gold)
    compiled = CompiledRules(checked, labels_of(checked, sequences, labels))
    return count_tallies(
        checked,
        (_bound(compiled, sequence) for sequence in sequences),
        [sequence.labels for sequence in sequences],
        ties=ties,
        occasions=occasions,
    )


def _bound(compiled: CompiledRules, sequence: Labelled) -> BoundRules:
    try:
        return bind(compiled, len(sequence.labels), sequence.tokens, sequence.context)
    except InputError as error:
        error.add_note(f"in {sequence.place()}")
        raise


def labels_of(rules: Rules, gold: Sequence[Labelled], labels: Iterable[str] = ()) -> LabelSet:
    """These labels, and others that the data has or the rules name.

    Examples
    --------
    >>> import lawful
    >>> labels_of(lawful.Rules(lawful.forbid("C")), labelled_sequences([(["x"], ["B"])]), ["A"])
    LabelSet(['A', 'B', 'C'])
    """
    first = list(dict.fromkeys(labels))
    seen = {label for sequence in gold for label in sequence.labels}
    known = LabelSet([*first, *sorted(seen.difference(first))] or ["O"])
    others = seen.union(*(rule.labels_named(known) for rule in rules)).difference(first)
    return LabelSet([*first, *sorted(others)] or ["O"])


def count_tallies(
    rules: Rules,
    bound: Iterable[BoundRules],
    labellings: Sequence[Sequence[str]],
    *,
    ties: Ties = (),
    occasions: Occasions = "breakable",
) -> dict[str, Tally]:
    """The same for rules that are already tied to the sequences."""
    group_of = _groups(rules, ties)
    groups = max(group_of, default=-1) + 1
    member = np.zeros((groups, len(rules)), dtype=np.bool_)
    member[group_of, np.arange(len(rules))] = True
    alone = groups == len(rules)
    order = np.argsort(group_of, kind="stable")
    starts = np.searchsorted(np.array(group_of)[order], np.arange(groups))
    tokens, sequences = sum(map(len, labellings)), len(labellings)
    violations, broken, possible, breakable = np.zeros((4, groups), dtype=np.int64)
    for of_sequence, labels in zip(bound, labellings, strict=True):
        counts = of_sequence.count(labels)
        counts = counts if alone else member @ counts
        violations += counts
        broken += counts > 0
        if occasions == "tokens":
            continue
        chances, could_be = of_sequence.occasions(labels), of_sequence.breakable
        if (
            not alone
        ):  # a label that breaks any of the rules of a tie breaks the tie: there is one occasion for all
            chances, could_be = np.maximum.reduceat(chances[order], starts), member @ could_be
        possible += chances.sum(axis=1)
        breakable += could_be
    if occasions == "tokens":
        possible[:], breakable[:] = tokens, sequences
    tallies = [
        Tally(*numbers, tokens, sequences)
        for numbers in zip(
            violations.tolist(), possible.tolist(), broken.tolist(), breakable.tolist(), strict=True
        )
    ]
    return {name: tallies[group] for name, group in zip(rules.names, group_of, strict=True)}


def _groups(rules: Rules, ties: Ties) -> list[int]:
    """For each rule the number of its tie; a rule without one has its own."""
    leader: dict[str, str] = {}
    for tie in ties:
        if isinstance(tie, str):
            raise InputError(f"ties are collections of rules' names, got the one name {tie!r}")
        for name in tie:
            if name not in rules.names:
                raise InputError(
                    f"ties name a rule {name!r} that is not there; {suggestion(name, rules.names, 'rules')}"
                )
        leader |= dict.fromkeys(tie, next(iter(tie), ""))
    numbers: dict[str, int] = {}
    return [numbers.setdefault(leader.get(name, name), len(numbers)) for name in rules.names]


def prices_by_log_odds(
    rules: Rules,
    gold: Gold,
    *,
    smoothing: float = 0.5,
    ties: Ties = (),
    occasions: Occasions = "breakable",
    labels: Iterable[str] = (),
) -> Rules:
    """Method "log-odds" of `estimate_prices`.

    Where no label breaks a rule, whatever was chosen says nothing about its price: such positions, and sequences that no
    labels let break it, are no occasions. On the others, beside a tagger to which keeping and breaking are equally likely, the gold
    labels are most likely at the log odds of keeping.

    Examples
    --------
    >>> import lawful
    >>> rules = lawful.Rules(lawful.at_most(1, "A").soft("learn", per="violation", name="one A"))
    >>> gold = [(["x", "y", "z", "x"], ["A", "B", "A", "B"]), (["x"], ["B"])]
    >>> prices_by_log_odds(rules, gold, smoothing=0)["one A"].price == math.log(2 / 1)  # three labels stand after an A
    True
    >>> prices_by_log_odds(rules, gold, smoothing=0, occasions="tokens")["one A"].price == math.log(4 / 1)
    True
    """
    check_number("smoothing", smoothing)
    if occasions not in get_args(Occasions):
        raise InputError(f"occasions must be 'breakable' or 'tokens', got {occasions!r}")
    unpriced = Rules(rule for rule in rules if rule.price == "learn")
    if not unpriced:
        return rules
    ties = list(ties)
    _groups(rules, ties)  # which may name rules that have a price
    shared = [[name for name in tie if name in unpriced.names] for tie in ties]
    tallies = tally_violations(unpriced, gold, labels=labels, ties=shared, occasions=occasions)
    return prices_from(rules, tallies, smoothing=smoothing)


def prices_from(rules: Rules, tallies: Mapping[str, Tally], *, smoothing: float = 0.5) -> Rules:
    """The same from violations that have been counted already.

    Examples
    --------
    >>> import lawful
    >>> rules = lawful.Rules(lawful.at_most(1, "A").soft("learn", name="one A"))
    >>> prices_from(rules, {"one A": Tally(2, 20, 1, 10, 40, 12)}, smoothing=0)["one A"].price == math.log(9)
    True
    """
    priced = []
    for rule in rules:
        if rule.price == "learn":
            tally = tallies[rule.name]
            if not tally.sequences:
                raise InputError("prices are learned from labelled sequences, and there are none")
            price: Price = tally.price(per=rule.per, smoothing=smoothing)
            rule = rule.soft(price, per=rule.per)
        priced.append(rule)
    return Rules(priced)
