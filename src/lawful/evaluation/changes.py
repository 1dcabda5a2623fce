"""What a change of labels does to their scores: both outputs read once."""

from __future__ import annotations

from collections.abc import Sequence

from lawful.evaluation.comparison import Comparison, compare_numbered
from lawful.evaluation.evaluating import evaluate_numbered
from lawful.evaluation.numbered import Numbered, label_names
from lawful.evaluation.pairs import Pair, pair_up
from lawful.evaluation.result import Evaluation
from lawful.schemes import guess_scheme

__all__ = ["evaluate_change"]

Labels = Sequence[tuple[str, ...]]


def evaluate_change(
    gold: Labels, before: Labels, after: Labels, *, rounds: int
) -> tuple[Evaluation, Evaluation, Comparison | None]:
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
    names = label_names(labels for output in (gold, before, after) for labels in output)
    scheme = guess_scheme([names])
    outputs = [_paired(gold, output) for output in (before, after)]
    first = Numbered(outputs[0], names, scheme)
    second = Numbered(outputs[1], names, scheme, like=first)
    earlier, later = evaluate_numbered(outputs[0], first), evaluate_numbered(outputs[1], second)
    return earlier, later, None if before == after else compare_numbered(first, second, rounds=rounds)


def _paired(gold: Labels, output: Labels) -> list[Pair]:
    if list(map(len, gold)) != list(map(len, output)):
        return pair_up(gold, output)  # which says what differs
    return [Pair(right, guess, None, {}) for right, guess in zip(gold, output, strict=True)]
