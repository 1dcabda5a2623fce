"""What a vote decided, and what each tagger thinks of it."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from lawful.decoding import Decoding, decode, log_partition
from lawful.errors import InputError
from lawful.lattice import AnyLattice, path_score
from lawful.rules.ruleset import Rules
from lawful.voting.linear_votes.winners import PathCounts

__all__ = ["Found", "Opinion", "Vote", "Voters"]


@dataclass(frozen=True)
class Voters:
    """Who votes on a sequence: the taggers' names, weights with sum 1, and what they say.

    Examples
    --------
    >>> from lawful.lattice import Lattice
    >>> Voters(("a", "b"), (0.5, 0.5), (Lattice([[0.0]]), Lattice([[0.0]]))).names
    ('a', 'b')
    """

    names: tuple[str, ...]
    weights: tuple[float, ...]
    lattices: tuple[AnyLattice, ...]


@dataclass(frozen=True)
class Found:
    """What a method of voting found. Scores are before normalization, as the method adds them up.

    Examples
    --------
    >>> Found(("A",), 1.0, 1.0, "optimal", lambda labels: 1.0).paths is None
    True
    """

    labels: tuple[str, ...]
    score: float
    bound: float
    status: str
    score_of: Callable[[Sequence[str]], float]
    decoding: Decoding | None = None
    paths: PathCounts | None = None


@dataclass(frozen=True)
class Opinion:
    """What one tagger thinks of a vote.

    Attributes
    ----------
    name, weight : str, float
    labels : tuple of str
        What it wanted: its own best labels, rules aside. Empty if it gives nothing a chance.
    loss : float
        By how much its score is lower for the winner than for what it wanted; infinite if it gives the winner no chance.
    probability : float
        What it gives the winner, among all label sequences.
    price : float
        By how much the vote's score would be lower if its wish had won; infinite if that could not have won, because a rule or the
        other taggers forbid it.
    """

    name: str
    weight: float
    labels: tuple[str, ...]
    loss: float
    probability: float
    price: float


class Vote:
    """The winner of a vote on one sequence, with its proof. What costs time is worked out when it is asked for.

    Attributes
    ----------
    labels : tuple of str
    status : str
        "optimal" if proved best, "bounded" if a limit or a tolerance ended the search, "infeasible" if hard rules are broken.
    method : str
    voters : Voters
    rules : Rules
    paths : PathCounts or None
        Of a linear vote: how many ways it had to keep.
    decoding : Decoding or None
        Of all other votes: the answer to the vote's lattice; `lawful.explain` tells what the rules did to it.

    Examples
    --------
    >>> import lawful
    >>> first = lawful.Lattice([[2.0, 0.0], [0.0, 0.5]], labels=["A", "B"], tokens=["x", "y"])
    >>> second = lawful.Lattice([[0.0, 1.0], [0.0, 1.0]], labels=["A", "B"], tokens=["x", "y"])
    >>> vote = lawful.voting.vote_on([first, second], method="linear")
    >>> vote.labels, vote.status, round(vote.probability, 3)
    (('A', 'B'), 'optimal', 0.372)
    >>> [opinion.labels for opinion in vote.opinions]
    [('A', 'B'), ('B', 'B')]
    """

    def __init__(self, found: Found, voters: Voters, rules: Rules, *, method: str) -> None:
        self.labels, self.status, self.method = found.labels, found.status, method
        self.voters, self.rules = voters, rules
        self.paths, self.decoding = found.paths, found.decoding
        self._found = found

    @property
    def score(self) -> float:
        """Log-linear: the weighted sum of the taggers' log-probabilities. Linear: the log of the weighted sum of their
        probabilities. Local: the votes. Less the prices of the soft rules that are broken.
        """
        return self._found.score - self._log_sums

    @property
    def bound(self) -> float:
        """No label sequence that obeys the hard rules scores more."""
        return self._found.bound - self._log_sums

    @property
    def gap(self) -> float:
        """How far the score may be from the best one; 0 if it is proved best."""
        return max(0.0, self._found.bound - self._found.score) if self.status != "optimal" else 0.0

    @cached_property
    def _log_sums(self) -> float:
        """What the scores in a log-linear vote have too much to be log-probabilities."""
        if self.method != "log-linear":
            return 0.0
        sums = (
            weight * log_partition(lattice)
            for weight, lattice in zip(self.voters.weights, self.voters.lattices, strict=True)
            if weight > 0
        )
        return math.fsum(sums)

    @property
    def tokens(self) -> Sequence[Any] | None:
        """The tokens, if the lattices know them."""
        return self.voters.lattices[0].tokens if self.voters.lattices else ()

    @cached_property
    def violations(self) -> Mapping[str, int]:
        """How many times the labels break each rule."""
        first = self.voters.lattices[0]
        return self.rules.violations(self.labels, first.tokens, first.context, label_set=first.labels)

    @cached_property
    def probability(self) -> float:
        """The probability of the labels among all label sequences under the rules, by what the vote multiplies or adds.

        A local vote has none: `InputError`.
        """
        if self.method == "linear":
            sums = [
                log_partition(lattice, self.rules) - log_partition(lattice) + math.log(weight)
                for weight, lattice in zip(self.voters.weights, self.voters.lattices, strict=True)
                if weight > 0
            ]
            total = float(np.logaddexp.reduce(sums))
        elif self.method == "log-linear" and self.decoding is not None:
            total = log_partition(self.decoding.lattice, self.rules)
        else:
            raise InputError(f"a {self.method} vote counts votes, which are no probabilities")
        return math.exp(min(0.0, self._found.score - total))

    @cached_property
    def opinions(self) -> tuple[Opinion, ...]:
        """What each tagger wanted, and what it thinks of the winner."""
        return tuple(
            self._opinion(name, weight, lattice)
            for name, weight, lattice in zip(
                self.voters.names, self.voters.weights, self.voters.lattices, strict=True
            )
        )

    def _opinion(self, name: str, weight: float, lattice: AnyLattice) -> Opinion:
        total = log_partition(lattice)
        if total == -math.inf:
            return Opinion(name, weight, (), math.inf, 0.0, math.inf)
        wanted = decode(lattice)
        known = bool(self.labels) and all(label in lattice.labels for label in self.labels)
        given = path_score(lattice, self.labels) if known else -math.inf
        price = max(0.0, self._found.score - self._found.score_of(wanted.labels))
        return Opinion(
            name,
            weight,
            wanted.labels,
            max(0.0, wanted.score - given),
            math.exp(min(0.0, given - total)),
            round(price, 5) if self.method in ("local", "repaired") else price,
        )

    def __repr__(self) -> str:
        return f"Vote({list(self.labels)!r}, method={self.method!r}, status={self.status!r})"
