"""The best label sequences under rules, one after another."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from lawful import _core
from lawful.decoding.answers.product import ProductBuilder
from lawful.errors import InternalError
from lawful.lattice.scoring import path_terms
from lawful.lattice.sums import add_up
from lawful.solvers.problem import Problem

__all__ = ["Scored", "ranked"]


class Scored(NamedTuple):
    """A label sequence and its score: the lattice's, less the prices of the soft rules that it breaks.

    Examples
    --------
    >>> Scored(("A", "B"), 1.5).score
    1.5
    """

    labels: tuple[str, ...]
    score: float


def ranked(problem: Problem) -> Iterator[Scored]:
    """The label sequences that obey the hard rules, best first, each once; equal scores in label order.

    The product is built at once; each sequence is searched for when it is asked for.

    Examples
    --------
    >>> from lawful.lattice import Lattice
    >>> list(ranked(Problem(Lattice([[0.0, 1.0]], labels=["A", "B"]))))
    [Scored(labels=('B',), score=1.0), Scored(labels=('A',), score=0.0)]
    """
    builder = ProductBuilder(problem)
    sequences = builder.best_sequences(builder.build())
    names = problem.lattice.labels
    return (Scored(names.decode(labels), _judged(problem, labels, score)) for score, labels in sequences)


def _judged(problem: Problem, labels: Sequence[int], search_score: float) -> float:
    """The score by the definition: every answer is judged by code that shares nothing with the search."""
    path = np.array(labels, dtype=np.int32)
    terms = path_terms(problem.lattice, labels)
    for part, kinds in zip(problem.rules.parts, problem.rules.kinds, strict=True):
        if violations := _core.count_violations(part, kinds, path):
            terms.append(-part.price * (violations if part.mode == "counted" else 1))
    earned = add_up(terms)
    if not earned.agrees(search_score):
        raise InternalError(
            f"the search gives {labels} the score {search_score!r}, the judge {earned.score!r}: a bug in lawful; "
            "please report it with the lattice and the rules"
        )
    return earned.score
