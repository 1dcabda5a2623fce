"""Prices by trial on held-out data: a common factor first, then each rule's own."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from lawful.errors import InputError, UnpricedRuleError
from lawful.rules.ruleset import Rules

__all__ = ["FoundPrices", "scale_prices", "search_prices"]


class FoundPrices(NamedTuple):
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


def search_prices(
    rules: Rules,
    score: Callable[[Rules], float],
    *,
    factors: Sequence[float] = (0.25, 0.5, 1.0, 2.0, 4.0),
    rounds: int = 1,
) -> FoundPrices:
    """Look for better prices on held-out data, from those that the rules have.

    Parameters
    ----------
    rules : Rules
        With prices, such as `learn_prices` gives.
    score : function
        Rules in, a number out; higher is better. For example `lambda rules: model.score(X, y, rules)` with
        sequences that nothing was learned from.
    factors : sequence of float
        What prices are multiplied by. A factor of 0 is the rule left out.
    rounds : int
        First all prices are multiplied by the same factor. Then, this many times, each rule in turn gets the factor
        that is best while the others stay; 0 leaves it at the common factor.

    Examples
    --------
    >>> import lawful
    >>> rules = lawful.Rules(lawful.forbid("A").soft(1.0, name="a"), lawful.forbid("B").soft(1.0, name="b"))
    >>> found = search_prices(rules, lambda tried: 1 - abs(tried["a"].price - 2.0) - abs(tried["b"].price - 0.5))
    >>> [rule.price for rule in found.rules], found.score
    ([2.0, 0.5], 1.0)
    """
    if not factors or not all(factor >= 0 for factor in factors):
        raise InputError(f"factors must be numbers of 0 or more, at least one, got {list(factors)!r}")
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
    return FoundPrices(scale_prices(rules, best), tried(best), trials)
