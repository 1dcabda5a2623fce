"""What a change of labels does to their scores: both outputs read once."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import chain

import numpy as np
import numpy.typing as npt

from lawful.evaluation.comparison import Comparison, compare_numbered
from lawful.evaluation.evaluating import evaluate_numbered
from lawful.evaluation.numbered import Numbered
from lawful.evaluation.pairs import pair_up
from lawful.evaluation.result import Evaluation
from lawful.schemes import guess_scheme

__all__ = ["Outcome", "evaluate_change", "evaluate_change_of_numbers"]

Labels = Sequence[tuple[str, ...]]
Numbers = npt.NDArray[np.int64]
Outcome = tuple[Evaluation, Evaluation, Comparison | None]


def evaluate_change(gold: Labels, before: Labels, after: Labels, *, rounds: int) -> Outcome:
    """The scores before and after, and their comparison; None if nothing changed.

    Parameters
    ----------
    gold, before, after : sequences of label tuples
    rounds : int
        Of the comparison's tests.

    Examples
    --------
    >>> earlier, later, compared = evaluate_change([("A", "B")] * 3, [("A", "A")] * 3, [("A", "B")] * 3, rounds=99)
    >>> earlier.token_accuracy, later.token_accuracy, compared.difference
    (0.5, 1.0, 1.0)
    """
    for output in (before, after):
        if list(map(len, gold)) != list(map(len, output)):
            pair_up(gold, output)  # says what differs
    numbers: dict[str, int] = {}

    def flat(output: Labels) -> Numbers:
        labels: Iterable[str] = chain.from_iterable(output)
        return np.array([numbers.setdefault(label, len(numbers)) for label in labels], dtype=np.int64)

    right, earlier, later = (flat(output) for output in (gold, before, after))
    lengths = np.array(list(map(len, gold)), dtype=np.int64)
    return evaluate_change_of_numbers(right, earlier, later, lengths, list(numbers), rounds=rounds)


def evaluate_change_of_numbers(
    gold: Numbers, before: Numbers, after: Numbers, lengths: Numbers, names: Sequence[str], *, rounds: int
) -> Outcome:
    """The same for labels that are numbers, those of all sequences end to end.

    Parameters
    ----------
    gold, before, after : arrays of R int
    lengths : array of N int
    names : sequence of str
        What the numbers stand for; names that do not occur count as if they were not there.
    rounds : int

    Examples
    --------
    >>> gold, before = np.array([2, 0] * 3), np.array([2, 2] * 3)
    >>> labels = evaluate_change_of_numbers(gold, before, gold, np.array([2] * 3), ["B", "C", "A"], rounds=99)[0].labels
    >>> sorted(labels)
    ['A', 'B']
    """
    times = sum(np.bincount(output, minlength=len(names)) for output in (gold, before, after))
    order = sorted(np.flatnonzero(times).tolist(), key=names.__getitem__)
    place = np.zeros(len(names), dtype=np.int64)
    place[order] = np.arange(len(order))
    occurring = [names[number] for number in order]
    scheme = guess_scheme([occurring])
    right, earlier, later = place[gold], place[before], place[after]
    first = Numbered.of_arrays(right, earlier, lengths, occurring, scheme)
    second = Numbered.of_arrays(right, later, lengths, occurring, scheme, like=first)
    changed = not np.array_equal(earlier, later)
    compared = compare_numbered(first, second, rounds=rounds) if changed else None
    return evaluate_numbered(first), evaluate_numbered(second), compared
