"""Small random ensembles: taggers' lattices over the same canonical labels, in the same or in different encodings."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

import numpy as np

from lawful.encodings import ComposedLattices, history_encoding, identity_encoding, scheme_encoding
from lawful.errors import RuleError
from lawful.labels import LabelSet
from lawful.lattice import AnyLattice, GraphLattice, Lattice
from lawful.rules import Rules
from lawful.testing.enumeration import enumerate_all
from lawful.testing.generators.lattices import random_lattice
from lawful.testing.generators.rules import random_rules
from lawful.testing.generators.surroundings import random_context, random_tokens

__all__ = ["RandomEnsemble", "random_ensemble"]

LONGEST = {2: 5, 3: 4, 4: 3, 5: 3}


class RandomEnsemble(NamedTuple):
    """What some taggers say about one sequence.

    Attributes
    ----------
    lattices : sequence of lattices
        One per tagger, over the same labels, in any order.
    weights : tuple of float
        Above 0, with sum 1.
    rules : Rules
    """

    lattices: Sequence[AnyLattice]
    weights: tuple[float, ...]
    rules: Rules


def random_ensemble(
    rng: np.random.Generator, *, taggers: int | None = None, rules: int | None = None, forbid: float = 0.03
) -> RandomEnsemble:
    """Taggers in encodings by chance, so short a sequence that all its labellings can be enumerated, and perhaps rules.

    Parameters
    ----------
    rng : numpy Generator
    taggers : int, optional
        2 to 5 if not given.
    rules : int, optional
        0 to 3 if not given.
    forbid : float
        The share of -inf among the scores.

    Examples
    --------
    >>> ensemble = random_ensemble(np.random.default_rng(1), taggers=3)
    >>> len(ensemble.lattices), round(sum(ensemble.weights), 9)
    (3, 1.0)
    """
    families = _families()
    labels, encodings = families[rng.integers(len(families))]
    count = int(rng.integers(2, 6)) if taggers is None else taggers
    length = int(rng.integers(1, LONGEST[len(labels)] + 1))
    tokens, context = random_tokens(rng, length), random_context(rng, length, labels)
    spread = float(rng.choice([0.3, 1.0, 3.0]))
    lattices: list[AnyLattice] = []
    for composed in rng.choice(np.array(encodings, dtype=object), size=count):
        tags = random_lattice(
            rng, length=length, labels=composed.tags, tokens=tokens, context=context, forbid=forbid
        )
        tags = _scaled(tags, spread)
        lattice = tags if composed.encoding.name == "canonical" else composed(tags)
        if rng.random() < 0.1:
            lattice = _some_of(rng, lattice)
        lattices.append(lattice)
    shares = rng.dirichlet(np.ones(count)) * 0.98 + 0.02 / count
    chosen = random_rules(rng, labels, int(rng.integers(0, 4)) if rules is None else rules)
    try:  # rules that do not suit these tokens would make no problem
        for rule in chosen:
            rule.violations((labels[0],) * length, tokens, context, label_set=labels)
    except RuleError:
        chosen = Rules()
    return RandomEnsemble(lattices, tuple(shares.tolist()), chosen)


@cache
def _families() -> list[tuple[LabelSet, list[ComposedLattices]]]:
    families = []
    for labels, encodings in (
        (LabelSet(["A", "B"]), [history_encoding(["A", "B"], 2), history_encoding(["A", "B"], 3)]),
        (LabelSet(["A", "B", "C"]), [history_encoding(["A", "B", "C"], 2)]),
        (
            scheme_encoding("IOB1", "IOB1").labels,
            [scheme_encoding("IOB1", target) for target in ("IOB2", "IOE1", "IOE2", "IOBES")],
        ),
        (
            scheme_encoding("IOB2", "IOB2", ["X", "Y"]).labels,
            [scheme_encoding("IOB2", target, ["X", "Y"]) for target in ("IOB1", "IOE2", "BILOU")],
        ),
    ):
        known = [identity_encoding(labels), *encodings]
        families.append((labels, [ComposedLattices(encoding, encoding.tags) for encoding in known]))
    return families


def _scaled(lattice: Lattice, factor: float) -> Lattice:
    steps, start, end = lattice.transitions, lattice.start, lattice.end
    return Lattice(
        factor * lattice.emissions,
        None if steps is None else factor * steps,
        labels=lattice.labels,
        start=None if start is None else factor * start,
        end=None if end is None else factor * end,
        tokens=lattice.tokens,
        context=lattice.context,
    )


def _some_of(rng: np.random.Generator, lattice: AnyLattice) -> AnyLattice:
    """An n-best list in place of the lattice, in any order."""
    all_scored = list(enumerate_all(lattice))
    if not all_scored:
        return lattice
    some = rng.permutation(len(all_scored))[: int(rng.integers(1, 8))]
    return GraphLattice.from_nbest(
        [all_scored[index] for index in some],
        labels=lattice.labels,
        tokens=lattice.tokens,
        context=lattice.context,
    )
