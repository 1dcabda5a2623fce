"""Prices by counting: the log odds of keeping a rule in labelled data."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Literal

from lawful.errors import InputError
from lawful.errors.wording import suggestion
from lawful.learning.gold import Gold, labelled_sequences
from lawful.rules.rule import Price, Rule
from lawful.rules.ruleset import Rules

__all__ = ["Tally", "log_odds", "prices_by_log_odds", "prices_from", "tally_violations"]


@dataclass(frozen=True)
class Tally:
    """How often a rule was broken, and how often it could have been.

    Attributes
    ----------
    violations, tokens : int
        For a rule that is paid for by the violation.
    broken, sequences : int
        For a rule that is paid for once.

    Examples
    --------
    >>> tally = Tally(violations=3, tokens=100, broken=2, sequences=10)
    >>> round(tally.price(per="violation"), 3) == round(math.log(97 / 3), 3)
    True
    >>> round(tally.price(per="sequence"), 3) == round(math.log(8 / 2), 3)
    True
    """

    violations: int
    tokens: int
    broken: int
    sequences: int

    def price(self, *, per: Literal["sequence", "violation"], smoothing: float = 0.0) -> float:
        """The log odds of keeping the rule; infinite if it was always kept and nothing is added.

        Parameters
        ----------
        per : "violation" or "sequence"
        smoothing : float
            Added to both sides of the odds.
        """
        bad, all_ = (self.violations, self.tokens) if per == "violation" else (self.broken, self.sequences)
        return log_odds(all_ - bad, bad, smoothing=smoothing)

    def plus(self, other: Tally) -> Tally:
        """Two rules as if they were one, over the same data."""
        return Tally(
            self.violations + other.violations,
            max(self.tokens, other.tokens),
            min(self.broken + other.broken, self.sequences),
            max(self.sequences, other.sequences),
        )


def log_odds(kept: int, broken: int, *, smoothing: float) -> float:
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


def tally_violations(rules: Rules | Rule | Iterable[Rule], gold: Gold) -> dict[str, Tally]:
    """How often each rule is broken in labelled data, by the rule's name.

    Parameters
    ----------
    rules : Rules, rule or iterable of rules
    gold : iterable of Sentence, or of (tokens, labels) or (tokens, labels, context)
        `zip(X, y)` will do.

    Examples
    --------
    >>> import lawful
    >>> rule = lawful.at_most(1, "A").named("one A")
    >>> tally_violations(rule, [(["x", "y", "z"], ["A", "A", "A"]), (["x"], ["B"])])
    {'one A': Tally(violations=2, tokens=4, broken=1, sequences=2)}
    """
    given = rules if isinstance(rules, Rules) else Rules(rules)
    counted = dict.fromkeys(given.names, (0, 0))
    tokens_seen = sequences = 0
    for one in labelled_sequences(gold):
        tokens_seen, sequences = tokens_seen + len(one.labels), sequences + 1
        try:
            broken_rules = given.violations(one.labels, one.tokens, one.context)
        except InputError as error:
            error.add_note(f"in {one.place()}")
            raise
        for name, found in broken_rules.items():
            violations, broken = counted[name]
            counted[name] = violations + found, broken + bool(found)
    return {
        name: Tally(violations, tokens_seen, broken, sequences)
        for name, (violations, broken) in counted.items()
    }


def prices_by_log_odds(
    rules: Rules,
    gold: Gold,
    *,
    smoothing: float = 0.5,
    ties: Iterable[Collection[str]] = (),
) -> Rules:
    """Method "log-odds" of `estimate_prices`.

    A rule that is paid per violation costs log(P(kept) / P(broken)) with P(broken) = violations / tokens (Eq. 13 and
    Algorithm 1 of Chang, Ratinov & Roth 2012); one that is paid once per sequence, the same with the share of broken sequences.

    Examples
    --------
    >>> import lawful
    >>> rules = lawful.Rules(lawful.at_most(1, "A").soft("learn", per="violation", name="one A"))
    >>> priced = prices_by_log_odds(rules, [(["x", "y", "z"], ["A", "B", "A"]), (["x"], ["B"])], smoothing=0)
    >>> priced["one A"].price == math.log(3 / 1)
    True
    """
    if not smoothing >= 0:
        raise InputError(f"smoothing must be 0 or more, got {smoothing!r}")
    unpriced = Rules(rule for rule in rules if rule.price == "learn")
    if not unpriced:
        return rules
    return prices_from(rules, tally_violations(unpriced, gold), smoothing=smoothing, ties=ties)


def prices_from(
    rules: Rules,
    tallies: Mapping[str, Tally],
    *,
    smoothing: float = 0.5,
    ties: Iterable[Collection[str]] = (),
) -> Rules:
    """The same from violations that have been counted already.

    Examples
    --------
    >>> import lawful
    >>> rules = lawful.Rules(lawful.at_most(1, "A").soft("learn", name="one A"))
    >>> prices_from(rules, {"one A": Tally(2, 40, 1, 10)}, smoothing=0)["one A"].price == math.log(9)
    True
    """
    counted = {rule.name: tallies[rule.name] for rule in rules if rule.price == "learn"}
    for tie in ties:
        names = _names_of(tie, rules)
        together = [name for name in counted if name in names]
        if together:
            total = counted[together[0]]
            for name in together[1:]:
                total = total.plus(counted[name])
            counted |= dict.fromkeys(together, total)
    if any(not tally.sequences for tally in counted.values()):
        raise InputError("prices are learned from labelled sequences, and there are none")
    return Rules(_priced(rule, counted.get(rule.name), smoothing) for rule in rules)


def _names_of(tie: Collection[str], rules: Rules) -> set[str]:
    if isinstance(tie, str):
        raise InputError(f"ties are collections of rules' names, got the one name {tie!r}")
    for name in tie:
        if name not in rules.names:
            raise InputError(
                f"ties name a rule {name!r} that is not there; {suggestion(name, rules.names, 'rules')}"
            )
    return set(tie)


def _priced(rule: Rule, tally: Tally | None, smoothing: float) -> Rule:
    if tally is None:
        return rule
    price: Price = tally.price(per=rule.per, smoothing=smoothing)
    return rule.soft(price, per=rule.per)
