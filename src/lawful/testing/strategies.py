"""Hypothesis strategies for lattices, rules, and both together. Only this module needs hypothesis.

Failures shrink: to fewer and simpler rules, fewer tokens and labels, and small whole scores.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from hypothesis import strategies as st

from lawful.labels import LabelSet
from lawful.lattice import GraphLattice, Lattice
from lawful.rules import Rule, Rules
from lawful.testing.generators.graphs import GraphShape, random_graph
from lawful.testing.generators.rules import RULE_KINDS, random_rule
from lawful.testing.generators.surroundings import random_context, random_tokens

__all__ = ["graphs", "label_sets", "lattices", "problems", "rule_sets", "rules", "scores"]

LETTERS = list("ABCDEFGHIJKLMNOPQRSTUVWXYZ")
SEEDS = st.integers(0, 2**32 - 1)


def scores(*, forbid: bool = True) -> st.SearchStrategy[float]:
    """Scores: small whole numbers, other numbers, and (with `forbid`) -inf.

    Examples
    --------
    >>> scores()  # doctest: +ELLIPSIS
    one_of(...)
    """
    finite = st.integers(-3, 3).map(float) | st.floats(-100, 100, allow_subnormal=False)
    return finite | st.just(float("-inf")) if forbid else finite


def label_sets(*, min_size: int = 1, max_size: int = 4) -> st.SearchStrategy[LabelSet]:
    """Label sets "A", "B", ...

    Examples
    --------
    >>> from hypothesis import find
    >>> len(find(label_sets(), lambda labels: len(labels) > 1)) > 1
    True
    """
    return st.integers(min_size, max_size).map(lambda size: LabelSet(LETTERS[:size]))


@st.composite
def lattices(
    draw: st.DrawFn, *, labels: LabelSet | None = None, min_length: int = 1, max_length: int = 6
) -> Lattice:
    """Trellises with tokens and context.

    Examples
    --------
    >>> from hypothesis import find
    >>> find(lattices(), lambda lattice: lattice.length > 1).length > 1
    True
    """
    names = draw(label_sets()) if labels is None else labels
    length, count = draw(st.integers(min_length, max_length)), len(names)
    row = st.lists(scores(), min_size=count, max_size=count)
    matrix = st.lists(row, min_size=count, max_size=count)
    steps: Any = [st.none(), matrix]
    if length > 1:
        steps.append(st.lists(matrix, min_size=length - 1, max_size=length - 1))
    rng = np.random.default_rng(draw(SEEDS))
    return Lattice(
        draw(st.lists(row, min_size=length, max_size=length)),
        draw(st.one_of(steps)),
        labels=names,
        start=draw(st.none() | row),
        end=draw(st.none() | row),
        tokens=random_tokens(rng, length),
        context=random_context(rng, length, names),
    )


@st.composite
def graphs(
    draw: st.DrawFn, *, labels: LabelSet | None = None, shape: GraphShape = "levelled", max_size: int = 5
) -> GraphLattice:
    """Graph lattices, as `random_graph` makes them.

    Examples
    --------
    >>> from hypothesis import Phase, find, settings
    >>> unshrunk = settings(phases=[Phase.generate], database=None)
    >>> type(find(graphs(), lambda graph: True, settings=unshrunk)).__name__
    'GraphLattice'
    """
    names = draw(label_sets()) if labels is None else labels
    size = draw(st.integers(1, max_size))
    return random_graph(np.random.default_rng(draw(SEEDS)), labels=names, shape=shape, size=size)


@st.composite
def rules(draw: st.DrawFn, labels: LabelSet, *, length: int = 1, depth: int = 2) -> Rule:
    """Rules of every kind, hard, soft or counted, for sequences of at least `length` tokens.

    Examples
    --------
    >>> from hypothesis import find
    >>> find(rules(LabelSet(["A"])), lambda rule: rule.price == "hard").price
    'hard'
    """
    kind = draw(st.sampled_from(RULE_KINDS))
    return random_rule(np.random.default_rng(draw(SEEDS)), labels, kind=kind, depth=depth, length=length)


def rule_sets(
    labels: LabelSet, *, max_size: int = 4, length: int = 1, depth: int = 2
) -> st.SearchStrategy[Rules]:
    """Rule sets of `rules`.

    Examples
    --------
    >>> from hypothesis import find
    >>> len(find(rule_sets(LabelSet(["A", "B"])), lambda found: len(found) > 1)) > 1
    True
    """
    return st.lists(rules(labels, length=length, depth=depth), max_size=max_size).map(Rules)


@st.composite
def problems(draw: st.DrawFn, *, max_length: int = 6, max_rules: int = 4) -> tuple[Lattice, Rules]:
    """A trellis and rules for it.

    Examples
    --------
    >>> from hypothesis import Phase, find, settings
    >>> unshrunk = settings(phases=[Phase.generate], database=None)
    >>> lattice, found = find(problems(), lambda problem: True, settings=unshrunk)
    >>> lattice.length > 0
    True
    """
    labels = draw(label_sets())
    lattice = draw(lattices(labels=labels, max_length=max_length))
    return lattice, draw(rule_sets(labels, max_size=max_rules, length=lattice.length))
