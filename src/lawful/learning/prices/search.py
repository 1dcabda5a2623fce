"""Prices by trial on held-out data: one common factor first, then a factor for each rule."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from lawful.decoding import Decoder
from lawful.errors import InputError, UnpricedRuleError
from lawful.lattice import Tagger
from lawful.lattice.tagger import lattices_of
from lawful.learning.gold import Gold, labelled_sequences
from lawful.learning.prices.log_odds import prices_by_log_odds
from lawful.rules.ruleset import Rules
from lawful.support.numbers import check_count, check_number

__all__ = ["BestFactors", "Metric", "accuracy", "best_factors", "prices_by_search", "scale_prices"]

Metric = Callable[[Sequence[Sequence[str]], Sequence[Sequence[str]]], float]

FACTORS = (0.25, 0.5, 1.0, 2.0, 4.0)


class BestFactors(NamedTuple):
    """The best rules of a search, their score, and every trial: (factors of the soft rules by name, score)."""

    rules: Rules
    score: float
    trials: list[tuple[dict[str, float], float]]


def scale_prices(rules: Rules, factors: float | dict[str, float]) -> Rules:
    """Soft prices times a factor: one for all, or one for each rule by name. Hard rules stay hard.

    Examples
    --------
    >>> import lawful
    >>> scale_prices(lawful.Rules(lawful.forbid("A").soft(2.0), lawful.forbid("B")), 1.5)
    Rules(forbid('A').soft(3.0), forbid('B'))
    """
    scaled = []
    for rule in rules:
        if rule.price == "learn":
            raise UnpricedRuleError(rule.name)
        factor = factors.get(rule.name, 1.0) if isinstance(factors, dict) else factors
        scaled.append(rule if rule.price == "hard" else rule.soft(rule.price * factor, per=rule.per))
    return Rules(scaled)


def accuracy(gold: Sequence[Sequence[str]], predicted: Sequence[Sequence[str]]) -> float:
    """The share of labels that are right.

    Examples
    --------
    >>> accuracy([["A", "B"], ["A"]], [["A", "A"], ["A"]]) == 2 / 3
    True
    """
    pairs = [pair for labels in zip(gold, predicted, strict=True) for pair in zip(*labels, strict=True)]
    return sum(right == label for right, label in pairs) / len(pairs)


def prices_by_search(
    rules: Rules,
    gold: Gold,
    tagger: Tagger,
    *,
    factors: Sequence[float] = FACTORS,
    rounds: int = 1,
    metric: Metric = accuracy,
) -> Rules:
    """Method "search" of `estimate_prices`.

    Examples
    --------
    >>> import lawful
    >>> class Undecided:
    ...     labels = lawful.LabelSet(["A", "B"])
    ...     def lattice(self, tokens):
    ...         return lawful.Lattice([[1.0, 0.0]] * len(tokens), labels=self.labels, tokens=tokens)
    >>> rules = lawful.Rules(lawful.at_most(1, "A").soft(0.5, per="violation", name="one A"))
    >>> prices_by_search(rules, [(["x", "y", "z"], ["A", "B", "B"])], Undecided(), factors=[1, 4])["one A"].price
    2.0
    """
    check_count("rounds", rounds)
    sequences = labelled_sequences(gold)
    if not sequences:
        raise InputError("prices are estimated from labelled sequences, and there are none")
    contexts = [sequence.context for sequence in sequences]
    lattices = list(lattices_of(tagger, [sequence.tokens for sequence in sequences], contexts))
    right = [list(sequence.labels) for sequence in sequences]

    def score(candidate: Rules) -> float:
        decoder = Decoder(candidate, labels=tagger.labels, on_infeasible="least_bad")
        return metric(right, [list(decoding.labels) for decoding in decoder.decode_batch(lattices)])

    priced = prices_by_log_odds(rules, sequences, labels=tagger.labels)
    return best_factors(priced, score, factors=factors, rounds=rounds).rules


def best_factors(
    rules: Rules,
    score: Callable[[Rules], float],
    *,
    factors: Sequence[float] = FACTORS,
    rounds: int = 1,
) -> BestFactors:
    """The search itself: the factors of the soft rules' prices with the best score.

    Examples
    --------
    >>> import lawful
    >>> rules = lawful.Rules(lawful.forbid("A").soft(1.0, name="a"), lawful.forbid("B").soft(1.0, name="b"))
    >>> best = best_factors(rules, lambda tried: 1 - abs(tried["a"].price - 2.0) - abs(tried["b"].price - 0.5))
    >>> [rule.price for rule in best.rules], best.score
    ([2.0, 0.5], 1.0)
    """
    for factor in factors:
        check_number("each of the factors", factor)
    if not len(factors):
        raise InputError("factors must be numbers of 0 or more, at least one, got none")
    soft = [rule.name for rule in rules if rule.price != "hard"]
    trials: list[tuple[dict[str, float], float]] = []
    known: dict[tuple[float, ...], float] = {}

    def tried(choice: dict[str, float]) -> float:
        key = tuple(choice.values())
        if key not in known:
            known[key] = score(scale_prices(rules, choice))
            trials.append((choice, known[key]))
        return known[key]

    best = dict.fromkeys(soft, 1.0)
    tried(best)
    best = max([best, *(dict.fromkeys(soft, factor) for factor in factors)], key=tried)
    for _ in range(rounds):
        before = best
        for name in soft:
            best = max([best, *({**best, name: factor} for factor in factors)], key=tried)
        if best == before:
            break
    return BestFactors(scale_prices(rules, best), tried(best), trials)
