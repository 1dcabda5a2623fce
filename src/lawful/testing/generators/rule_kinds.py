"""A maker of random rules for every constructor of `lawful.rules`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

from lawful.automata.acceptor import Dfa
from lawful.automata.counting import CountingMachine
from lawful.errors import RuleError
from lawful.labels import LabelSet
from lawful.rules import (
    Rule,
    ValidTags,
    allow_only,
    allowed_transitions,
    at_least,
    at_least_segments,
    at_most,
    at_most_segments,
    automaton,
    before,
    change_only_after,
    context,
    ends_with,
    exactly,
    exactly_segments,
    excludes,
    forbid,
    label_at,
    not_followed_by,
    pattern,
    requires,
    same_label,
    segment_length,
    starts_with,
    uniform,
    valid_tags,
    when,
)
from lawful.schemes import SCHEMES
from lawful.testing.generators.pattern_sources import random_pattern
from lawful.testing.generators.token_tests import random_token_test

__all__ = ["BLIND", "SEEING", "Chance", "fitting_schemes"]


@dataclass(frozen=True)
class Chance:
    """The source of the arguments of a random rule.

    Attributes
    ----------
    rng : numpy Generator
    labels : LabelSet
    length : int
        The rules fit every sequence of at least this many tokens.
    sees : bool
        Whether they may look at tokens, positions and context.

    Examples
    --------
    >>> Chance(np.random.default_rng(0), LabelSet(["A"])).some()
    ['A']
    """

    rng: np.random.Generator
    labels: LabelSet
    length: int = 1
    sees: bool = True

    def some(self) -> list[str]:
        """One or more labels, rarely all."""
        most = max(1, len(self.labels) - int(self.rng.random() < 0.8))
        return [
            self.labels[i] for i in self.rng.permutation(len(self.labels))[: self.rng.integers(1, most + 1)]
        ]

    def number(self, most: int = 3) -> int:
        """A small number."""
        return int(self.rng.integers(most + 1))

    def position(self) -> int:
        """A position that every sequence has, from its start or from its end."""
        return int(self.rng.integers(-self.length, self.length))

    def coin(self, share: float = 0.5) -> bool:
        """True with some probability."""
        return bool(self.rng.random() < share)


def _segment_length(chance: Chance) -> Rule:
    least = 1 + chance.number(2)
    return segment_length(chance.some(), least, None if chance.coin(0.4) else least + chance.number(2))


def _transitions(chance: Chance) -> Rule:
    names = chance.labels
    pairs = [(a, b) for a in names for b in names if chance.coin(0.6)]
    ends = {end: chance.some() for end in ("start", "end") if chance.coin(0.3)}
    return allowed_transitions(pairs, **ends)


def _excludes(chance: Chance) -> Rule:
    if len(chance.labels) == 1:
        return requires(chance.some(), chance.some())  # two sets without a common label need two labels
    names = [chance.labels[i] for i in chance.rng.permutation(len(chance.labels))]
    cut = int(chance.rng.integers(1, len(names)))
    return excludes(names[:cut], names[cut : cut + 1 + chance.number(1)])


def _automaton(chance: Chance) -> Rule:
    rng, states, classes = chance.rng, 1 + chance.number(3), 1 + chance.number(2)
    delta = rng.integers(states, size=(states, classes), dtype=np.int32)
    meaning = {label: int(rng.integers(classes)) for label in chance.labels}
    if chance.coin():
        return automaton(Dfa(delta, rng.random(states) < 0.6), classes=meaning)
    counts = rng.integers(3, size=(states, classes), dtype=np.int32)
    counts[rng.random(counts.shape) < 0.7] = 0
    return automaton(
        CountingMachine(delta, counts, rng.integers(2, size=states, dtype=np.int32)), classes=meaning
    )


def _valid(chance: Chance) -> Rule:
    schemes = fitting_schemes(chance.labels)
    return valid_tags(schemes[chance.rng.integers(len(schemes))]) if schemes else _transitions(chance)


def _pattern(chance: Chance) -> Rule:
    if not chance.sees or chance.coin():
        return pattern(random_pattern(chance.rng, chance.labels))
    tests = {name: random_token_test(chance.rng) for name in ("one", "two")}
    return pattern(random_pattern(chance.rng, chance.labels, tests=tuple(tests)), tests=tests)


def _label_at(chance: Chance) -> Rule:
    several = [chance.position() for _ in range(1 + chance.number(1))]
    by_name = [context("verb"), context("positions"), context("nothing", default=0)]
    at: Any = [chance.position(), several, *by_name][chance.number(4)]
    return label_at(at, chance.some())


def _uniform(chance: Chance) -> Rule:
    if chance.coin(0.7):
        return uniform()
    start = int(chance.rng.integers(chance.length))
    return uniform([(start, int(chance.rng.integers(start, chance.length)) + 1)])


def _same_label(chance: Chance) -> Rule:
    return same_label() if chance.coin(0.7) else same_label([[chance.position(), chance.position(), -1]])


BLIND: dict[str, Callable[[Chance], Rule]] = {
    "allow_only": lambda chance: allow_only(*chance.some()),
    "allowed_transitions": _transitions,
    "at_least": lambda chance: at_least(chance.number(), chance.some()),
    "at_least_segments": lambda chance: at_least_segments(chance.number(2), chance.some()),
    "at_most": lambda chance: at_most(chance.number(), chance.some()),
    "at_most_segments": lambda chance: at_most_segments(chance.number(2), chance.some()),
    "automaton": _automaton,
    "before": lambda chance: before(chance.some(), chance.some()),
    "ends_with": lambda chance: ends_with(*chance.some()),
    "exactly": lambda chance: exactly(chance.number(), chance.some()),
    "exactly_segments": lambda chance: exactly_segments(chance.number(2), chance.some()),
    "excludes": _excludes,
    "forbid": lambda chance: forbid(*chance.some()),
    "not_followed_by": lambda chance: not_followed_by(chance.some(), chance.some()),
    "pattern": _pattern,
    "requires": lambda chance: requires(chance.some(), chance.some()),
    "segment_length": _segment_length,
    "starts_with": lambda chance: starts_with(*chance.some()),
    "valid_tags": _valid,
}
"""Makers of rules that can do without tokens and context."""

SEEING: dict[str, Callable[[Chance], Rule]] = {
    "allow_only by context": lambda chance: allow_only(context("banned")),
    "change_only_after": lambda chance: change_only_after(random_token_test(chance.rng)),
    "label_at": _label_at,
    "forbid by context": lambda chance: forbid(context("banned", default=chance.labels[0])),
    "same_label": _same_label,
    "uniform": _uniform,
    "when never": lambda chance: when(random_token_test(chance.rng)).never(chance.some()),
    "when then": lambda chance: when(random_token_test(chance.rng)).then(chance.some()),
}
"""Makers of rules that look at tokens, positions or context."""


@lru_cache(maxsize=256)
def fitting_schemes(labels: LabelSet) -> tuple[str, ...]:
    """The schemes of `valid_tags` whose tags the labels are.

    Examples
    --------
    >>> fitting_schemes(LabelSet(["O", "B-X", "E-X"]))
    ('IOBES', 'BIOES', 'BMES', 'BMEWO')
    >>> fitting_schemes(LabelSet(["A"]))
    ()
    """
    return tuple(scheme for scheme in SCHEMES if _fits(ValidTags(scheme), labels))


def _fits(rule: ValidTags, labels: LabelSet) -> bool:
    try:
        rule.violations(tuple(labels))
    except RuleError:
        return False
    return True
