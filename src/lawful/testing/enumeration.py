"""The reference: every label sequence of a lattice, scored by the definition."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

import numpy as np

from lawful.errors import EnumerationError
from lawful.lattice import AnyLattice, path_score
from lawful.rules import Rule, Rules
from lawful.testing.spellings import spell_out

__all__ = ["Best", "enumerate_all", "enumerate_best", "penalty"]

MOST_SEQUENCES = 100_000


class Best(NamedTuple):
    """A best label sequence and its score, prices of broken rules included."""

    labels: tuple[str, ...]
    score: float


def enumerate_all(
    lattice: AnyLattice,
    rules: Rules | Iterable[Rule] = (),
    *,
    max_sequences: int = MOST_SEQUENCES,
    max_length: int = 12,
) -> Iterator[tuple[tuple[str, ...], float]]:
    """Every label sequence that the lattice and the hard rules allow, with its score, in label order.

    Parameters
    ----------
    lattice : Lattice or GraphLattice
    rules : Rules
    max_sequences : int
        An `EnumerationError` is raised for larger lattices.
    max_length : int
        In a graph with cycles, the number of labels of the longest sequences.

    Examples
    --------
    >>> from lawful.lattice import Lattice
    >>> from lawful.rules import at_most
    >>> lattice = Lattice([[1.0, 0.0], [0.0, 2.0]], labels=["A", "B"])
    >>> list(enumerate_all(lattice, [at_most(1, "A")]))
    [(('A', 'B'), 3.0), (('B', 'A'), 0.0), (('B', 'B'), 2.0)]
    """
    rules = Rules(rules)
    spellings = spell_out(lattice, max_sequences=max_sequences, max_length=max_length)
    for sequence, score in zip(spellings.sequences, spellings.scores.tolist(), strict=True):
        names = lattice.labels.decode(sequence)
        total = score - penalty(lattice, rules, names)
        if total > -np.inf:
            yield names, total


def enumerate_best(
    lattice: AnyLattice,
    rules: Rules | Iterable[Rule] = (),
    *,
    max_sequences: int = MOST_SEQUENCES,
    max_length: int = 12,
) -> Best | None:
    """The best label sequence under rules, by enumeration; None if none is legal.

    Parameters are those of `enumerate_all`. In a graph with cycles, sequences of more than `max_length` labels
    are not enumerated; an `EnumerationError` is raised if one of them might be the best.

    Examples
    --------
    >>> from lawful.lattice import Lattice
    >>> from lawful.rules import at_most
    >>> lattice = Lattice([[1.0, 0.0], [3.0, 2.0]], labels=["A", "B"])
    >>> enumerate_best(lattice, [at_most(1, "A")])
    Best(labels=('A', 'B'), score=3.0)
    """
    rules = Rules(rules)
    spellings = spell_out(lattice, max_sequences=max_sequences, max_length=max_length)
    best: tuple[str, ...] | None = None
    best_score = -np.inf
    # Best lattice scores first: rules only lower scores, so nothing after a lower lattice score can win.
    for index in np.argsort(-spellings.scores, kind="stable").tolist():
        if spellings.scores[index] <= best_score:
            break
        names = lattice.labels.decode(spellings.sequences[index])
        total = spellings.scores[index] - penalty(lattice, rules, names)
        if total > best_score:
            best, best_score = names, total
    if spellings.beyond > best_score:
        raise EnumerationError("max_length", max_length)
    return None if best is None else Best(best, path_score(lattice, best) - penalty(lattice, rules, best))


def penalty(lattice: AnyLattice, rules: Iterable[Rule], labels: tuple[str, ...]) -> float:
    """The price that a label sequence pays for the rules that it breaks; infinite if a hard rule is broken.

    Examples
    --------
    >>> from lawful.lattice import Lattice
    >>> from lawful.rules import forbid
    >>> lattice = Lattice([[1.0, 0.0], [0.0, 2.0]], labels=["A", "B"])
    >>> penalty(lattice, [forbid("A").soft(2, per="violation")], ("A", "A"))
    4.0
    """
    total = 0.0
    for rule in rules:
        broken = rule.violations(labels, lattice.tokens, lattice.context, label_set=lattice.labels)
        if not broken:
            continue
        if rule.price == "hard":
            return np.inf
        total += float(rule.price) * (broken if rule.per == "violation" else 1)
    return total
