"""The local vote: each token takes the label that most taggers give it (Shen & Sarkar 2005; Loper 6.1)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from lawful.errors import InputError
from lawful.labels import LabelSet
from lawful.lattice import AnyLattice, Lattice
from lawful.lattice.arrays import Floats
from lawful.support.limits import Limits
from lawful.voting.grouped_states import canonical_states
from lawful.voting.merging import supported_states

__all__ = ["count_votes", "local_lattice", "repaired_lattice"]

FIRST = (
    1e-9  # what being the earlier of two taggers counts: enough to settle a draw, too little to settle more
)


def count_votes(answers: Sequence[Sequence[str]], weights: Sequence[float], labels: LabelSet) -> Floats:
    """The weight (T, K) of the taggers that give each label to each token. A draw goes to the earlier tagger.

    Examples
    --------
    >>> count_votes([["A", "B"], ["A", "A"]], [1.0, 1.0], LabelSet(["A", "B"])).round(6).tolist()
    [[2.0, 0.0], [1.0, 1.0]]
    """
    lengths = sorted({len(answer) for answer in answers})
    if len(lengths) > 1:
        raise InputError(
            f"the taggers have labelled {' and '.join(map(str, lengths))} tokens: they vote on the same sequence"
        )
    votes = np.zeros((len(answers[0]), len(labels)))
    for rank, (answer, weight) in enumerate(zip(answers, weights, strict=True)):
        votes[np.arange(len(answer)), list(labels.encode(answer))] += weight * (1.0 - FIRST * rank)
    return votes


def local_lattice(
    votes: Floats,
    labels: LabelSet,
    tokens: Sequence[Any] | None = None,
    context: Mapping[str, Any] | None = None,
) -> Lattice:
    """The votes as scores: without rules each token takes its winner, under rules the most votes win that obey them.

    Examples
    --------
    >>> import lawful
    >>> lattice = local_lattice(np.array([[2.0, 1.0], [2.0, 1.0]]), LabelSet(["A", "B"]))
    >>> lawful.decode(lattice).labels, lawful.decode(lattice, lawful.at_most(1, "A")).score
    (('A', 'A'), 3.0)
    """
    return Lattice(votes, labels=labels, tokens=tokens, context=context)


def repaired_lattice(
    votes: Floats, lattices: Sequence[AnyLattice], labels: LabelSet, *, limits: Limits | None = None
) -> AnyLattice:
    """The same, among label sequences that at least one of the taggers gives a chance.

    Examples
    --------
    >>> import lawful
    >>> either = [lawful.GraphLattice.from_nbest([(answer, 0.0)]) for answer in (["A", "B", "A"], ["B", "A", "A"], ["A", "A", "B"])]
    >>> labels = LabelSet(["A", "B"])
    >>> votes = count_votes([["A", "B", "A"], ["B", "A", "A"], ["A", "A", "B"]], [1, 1, 1], labels)
    >>> lawful.decode(local_lattice(votes, labels)).labels, lawful.decode(repaired_lattice(votes, either, labels)).labels
    (('A', 'A', 'A'), ('A', 'B', 'A'))
    """
    graphs = [canonical_states(lattice, labels, limits=limits) for lattice in lattices]
    return supported_states(graphs, votes, limits=limits).to_lattice([1.0])
