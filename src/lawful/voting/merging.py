"""Several taggers' canonical graphs as one, whose states are tuples of theirs (Loper 6.4.3)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Literal

import numpy as np
import numpy.typing as npt

from lawful import _core
from lawful.errors import InputError, LabelSetError, ProductTooLargeError
from lawful.lattice.arrays import Floats
from lawful.support.limits import Limits
from lawful.voting.grouped_states import DEAD, GroupedStates, Ints

__all__ = ["as_numbers", "merge_states", "require_same_shape", "supported_states"]

BYTES_A_CELL = 40  # of one step, for a tuple, a label and a tagger: scores, states, their numbers


def merge_states(
    graphs: Sequence[GroupedStates], *, keep: Literal["all", "any"] = "all", limits: Limits | None = None
) -> GroupedStates:
    """One graph that follows all of them at once: a state for each tuple of theirs that some labels lead to.

    Parameters
    ----------
    graphs : sequence of GroupedStates
        Over the same labels and tokens.
    keep : "all" or "any"
        The label sequences that all of them give a chance, as a product of scores needs them; or that any of them does, as a sum
        of probabilities needs them.
    limits : Limits, optional
        For making it: there can be as many tuples as there are label sequences. Raises `ProductTooLargeError` at one of them.

    Examples
    --------
    >>> from lawful.lattice import Lattice
    >>> from lawful.voting import canonical_states
    >>> first = Lattice([[1.0, 0.0], [0.0, 2.0]], labels=["A", "B"])
    >>> second = Lattice([[0.5, float("-inf")], [0.0, 0.0]], labels=["A", "B"])
    >>> both = [canonical_states(first), canonical_states(second)]
    >>> merge_states(both).score(["A", "B"]), merge_states(both, keep="any").score(["B", "B"])
    (array([3. , 0.5]), array([  2., -inf]))
    """
    require_same_shape(graphs)
    first, limits = graphs[0], (Limits() if limits is None else limits).started()
    memory = _core.default_memory() if limits.max_memory is None else limits.max_memory
    held = made = 0

    def too_large(limit: str) -> ProductTooLargeError:
        value = float(memory if limit == "max_memory" else getattr(limits, limit))
        during = f"token {position} of {first.length}"
        return ProductTooLargeError(
            limit, value, made, during, what="the graph of the vote", advice="let fewer taggers vote"
        )

    def check() -> None:
        if limits.seconds_left == 0:
            raise too_large("timeout")

    states = np.zeros((2, len(graphs)), dtype=np.int32)
    states[DEAD] = DEAD
    following: list[Ints] = []
    weights: list[Floats] = []
    for position in range(first.length):
        made += len(states)
        cells = len(states) * len(first.labels)
        if limits.max_states is not None and made > limits.max_states:
            raise too_large("max_states")
        if held + cells * len(graphs) * BYTES_A_CELL > memory:
            raise too_large("max_memory")
        held += cells * (len(graphs) * 8 + 4)  # of what stays
        check()
        following_rows, weight_rows = [], []
        for i, graph in enumerate(graphs):
            check()
            following_rows.append(graph.following[position][states[:, i]])
            weight_rows.append(graph.weights[position][states[:, i]])
        after, weight = np.stack(following_rows, axis=2), np.concatenate(weight_rows, axis=2)
        alive = (after != DEAD).all(axis=2) if keep == "all" else (after != DEAD).any(axis=2)
        tuples = after[alive]
        # The group is part of what tells states apart: a tagger may have one state for two labels.
        keys = np.column_stack([np.nonzero(alive)[1], tuples])
        chosen, number = as_numbers(keys, check=check)
        table = np.full(alive.shape, DEAD, dtype=np.int32)
        table[alive] = number
        weight[~alive] = -np.inf
        following.append(table)
        weights.append(weight)
        states = np.vstack([tuples[chosen], np.full((1, len(graphs)), DEAD, dtype=np.int32)])
    final = np.column_stack([graph.final[states[:, i]] for i, graph in enumerate(graphs)])
    return GroupedStates(first.labels, tuple(following), tuple(weights), final, first.tokens, first.context)


def supported_states(
    graphs: Sequence[GroupedStates], scores: Floats, *, limits: Limits | None = None
) -> GroupedStates:
    """The label sequences that any of the taggers gives a chance, with scores (T, K) of their labels instead.

    Examples
    --------
    >>> from lawful.lattice import Lattice
    >>> from lawful.voting import canonical_states
    >>> one_way = canonical_states(Lattice([[0.0, float("-inf")]], labels=["A", "B"]))
    >>> [float(supported_states([one_way], np.array([[1.0, 2.0]])).score([label])[0]) for label in "AB"]
    [1.0, -inf]
    """
    merged = merge_states(graphs, keep="any", limits=limits)
    weights = tuple(
        np.where(following != DEAD, row, -np.inf)[:, :, None]
        for following, row in zip(merged.following, scores, strict=True)
    )
    # A tagger that died on the way does not end anywhere.
    final = np.where((merged.final > -np.inf).any(axis=1, keepdims=True), 0.0, -np.inf)
    return GroupedStates(merged.labels, merged.following, weights, final, merged.tokens, merged.context)


def require_same_shape(graphs: Sequence[GroupedStates]) -> None:
    """Refuse graphs of different lengths or labels.

    Examples
    --------
    >>> from lawful.lattice import Lattice
    >>> from lawful.voting import canonical_states
    >>> require_same_shape([canonical_states(Lattice([[0.0]] * length)) for length in (1, 2)])
    Traceback (most recent call last):
    lawful.errors.InputError: the first tagger has scored 1 token, the second one 2: taggers vote on the same sequence
    """
    for number, graph in enumerate(graphs[1:], start=2):
        if graph.length != graphs[0].length:
            count = f"{graphs[0].length} token{'' if graphs[0].length == 1 else 's'}"
            which = "second one" if number == 2 else f"one numbered {number}"
            raise InputError(
                f"the first tagger has scored {count}, the {which} {graph.length}: taggers vote on the same sequence"
            )
        if graph.labels != graphs[0].labels:
            raise LabelSetError(graphs[0].labels, graph.labels)


def as_numbers(
    rows: npt.NDArray[np.integer], *, check: Callable[[], None] = lambda: None
) -> tuple[npt.NDArray[np.intp], npt.NDArray[np.intp]]:
    """Equal rows by one number: where each distinct row is met first, and the number of each row.

    `check` is called between columns; it may raise, at a limit.

    Examples
    --------
    >>> as_numbers(np.array([[3, 1], [2, 2], [3, 1]]))
    (array([1, 0]), array([1, 0, 1]))
    """
    # One column after the other, so that numbers stay small however many columns there are.
    number = np.zeros(len(rows), dtype=np.intp)
    chosen = np.zeros(min(1, len(rows)), dtype=np.intp)
    for column in rows.T:
        check()
        shifted = column.astype(np.intp) + 1  # DEAD is -1
        size = int(shifted.max(initial=0)) + 1
        _, chosen, number = np.unique(number * size + shifted, return_index=True, return_inverse=True)
    return chosen, number
