"""Small random problems: a few rules, and a few lattices or graphs for them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NamedTuple

import numpy as np

from lawful.labels import LabelSet
from lawful.lattice import AnyLattice
from lawful.rules import Rules
from lawful.schemes import SCHEMES
from lawful.testing.generators.graphs import random_graph
from lawful.testing.generators.label_sets import random_label_set
from lawful.testing.generators.lattices import random_lattice
from lawful.testing.generators.rules import random_rules

__all__ = ["RandomProblems", "Shape", "random_problems"]

Shape = Literal["trellis", "levelled", "acyclic", "cyclic"]
LONGEST = 7


class RandomProblems(NamedTuple):
    """Rules, and the lattices that they are for; both have the same labels."""

    rules: Rules
    lattices: Sequence[AnyLattice]


def random_problems(
    rng: np.random.Generator, shape: Shape = "trellis", *, count: int = 5, largest: int = 250
) -> RandomProblems:
    """Some rules of any kinds, and sequences so short that all their labellings can be enumerated.

    Parameters
    ----------
    rng : numpy Generator
    shape : "trellis", "levelled", "acyclic" or "cyclic"
        A trellis, or a graph of that shape; rules use tokens and positions only where all paths agree on them.
    count : int
        The number of lattices.
    largest : int
        Maximum number of label sequences of one trellis.

    Examples
    --------
    >>> rules, lattices = random_problems(np.random.default_rng(1), count=3)
    >>> len(lattices), lattices[0].labels == lattices[2].labels
    (3, True)
    """
    if shape != "trellis":
        labels = random_label_set(rng, size=int(rng.integers(1, 4)))
        rules = random_rules(rng, labels, sees=shape == "levelled")
        return RandomProblems(rules, [random_graph(rng, labels=labels, shape=shape) for _ in range(count)])
    labels = _some_labels(rng)
    longest = LONGEST if len(labels) == 1 else min(LONGEST, int(np.log(largest) / np.log(len(labels))))
    shortest = int(rng.integers(1, min(3, longest) + 1))
    rules = random_rules(rng, labels, length=shortest)
    forbid = float(rng.choice([0.0, 0.05, 0.2]))
    lengths = rng.integers(shortest, longest + 1, size=count).tolist()
    return RandomProblems(
        rules, [random_lattice(rng, labels=labels, length=n, forbid=forbid) for n in lengths]
    )


def _some_labels(rng: np.random.Generator) -> LabelSet:
    scheme = list(SCHEMES)[rng.integers(len(SCHEMES))] if rng.random() < 0.15 else None
    return random_label_set(rng, scheme=scheme, size=int(rng.integers(1, 6)))
