"""Random rules and rule sets over the whole vocabulary."""

from __future__ import annotations

import numpy as np

from lawful.errors import RuleError
from lawful.labels import LabelSet
from lawful.rules import Rule, Rules
from lawful.testing.generators.rule_kinds import BLIND, SEEING, Chance

__all__ = ["RULE_KINDS", "random_rule", "random_rules"]

RULE_KINDS: tuple[str, ...] = tuple(sorted([*BLIND, *SEEING, "logic"]))
"""What `random_rule` can make."""

PRICES = (0.0, 0.5, 1.0, 2.0, 30.0)


def random_rule(
    rng: np.random.Generator,
    labels: LabelSet,
    *,
    kind: str | None = None,
    depth: int = 2,
    hard: float = 0.4,
    length: int = 1,
    sees: bool = True,
) -> Rule:
    """A rule: hard, soft, or soft and counted.

    Parameters
    ----------
    rng : numpy Generator
    labels : LabelSet
    kind : str, optional
        One of `RULE_KINDS`; any if not given.
    depth : int
        How deep logic may be nested; 0 for none.
    hard : float
        The share of hard rules. Half of the others count their violations.
    length : int
        The rule fits every sequence of at least this many tokens.
    sees : bool
        Whether it may look at tokens, positions and context (those of `random_lattice`).

    Examples
    --------
    >>> random_rule(np.random.default_rng(0), LabelSet(["A"]), kind="starts_with", hard=1.0)
    starts_with('A')
    """
    chance = Chance(rng, labels, length, sees)
    rule = _made(chance, kind, depth)
    if rng.random() < hard:
        return rule
    price = PRICES[rng.integers(len(PRICES))] if rng.random() < 0.5 else float(rng.exponential(2.0))
    return rule.soft(price, per="violation" if rng.random() < 0.5 else "sequence")


def random_rules(
    rng: np.random.Generator,
    labels: LabelSet,
    n: int | None = None,
    *,
    depth: int = 2,
    hard: float = 0.4,
    length: int = 1,
    sees: bool = True,
) -> Rules:
    """A rule set of `n` rules (1 to 4 if not given); the options are those of `random_rule`.

    Examples
    --------
    >>> rules = random_rules(np.random.default_rng(0), LabelSet(["A", "B"]), 3)
    >>> len(rules)
    3
    """
    count = int(rng.integers(1, 5)) if n is None else n
    return Rules(
        random_rule(rng, labels, depth=depth, hard=hard, length=length, sees=sees) for _ in range(count)
    )


def _made(chance: Chance, kind: str | None, depth: int) -> Rule:
    makers = BLIND | SEEING if chance.sees else BLIND
    if kind is None:
        # Logic is one kind among many at the top, but trees should be deep once they have begun.
        names = list(makers)
        kind = "logic" if depth and chance.coin(0.12) else names[chance.rng.integers(len(names))]
    if kind == "logic":
        return _tree(chance, depth)
    if kind not in makers:
        raise RuleError(f"unknown kind of rule {kind!r}; the kinds are {', '.join(RULE_KINDS)}")
    return makers[kind](chance)


def _tree(chance: Chance, depth: int) -> Rule:
    if depth <= 0:
        return _made(chance, None, 0)
    left, right = (_tree(chance, depth - 1 if chance.coin(0.6) else 0) for _ in range(2))
    forms = (left & right, left | right, ~left, left ^ right, left.implies(right), left | right | ~left)
    return forms[chance.rng.integers(len(forms))]
