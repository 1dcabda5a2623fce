"""Scores of semantic roles by the convention of the CoNLL-2004 and 2005 shared tasks (srl-eval.pl)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

from lawful.errors import InputError
from lawful.evaluation.scores import Score, micro_average
from lawful.evaluation.table import format_table
from lawful.schemes import Span

__all__ = ["RoleScores", "join_continuations", "score_roles"]

Argument = tuple[str, tuple[tuple[int, int], ...]]


@dataclass(frozen=True)
class RoleScores:
    """The scores of roles.

    Attributes
    ----------
    propositions : int
    perfect : int
        The number of propositions without any missed or excess argument.
    roles : dict of str to Score
        Of each role, in alphabetical order.
    overall : Score
        Of all of them together.
    """

    propositions: int
    perfect: int
    roles: dict[str, Score]
    overall: Score

    def __str__(self) -> str:
        head = ("", "correct", "excess", "missed", "precision", "recall", "F1")
        rows = [
            (name, s.correct, s.predicted - s.correct, s.gold - s.correct, s.precision, s.recall, s.f1)
            for name, s in [("overall", self.overall), *self.roles.items()]
        ]
        share = 100 * self.perfect / self.propositions if self.propositions else 0.0
        return (
            f"{self.propositions} propositions, {share:.2f} % of them perfect\n\n{format_table(head, rows)}"
        )


def score_roles(
    gold: Sequence[Iterable[tuple[str, int, int]]],
    predicted: Sequence[Iterable[tuple[str, int, int]]],
    *,
    roles: Collection[str] | None = None,
    excluded: Collection[str] = ("V",),
) -> RoleScores:
    """Score the predicted roles of propositions.

    An argument is correct if its role and all of its words are. Its continuations (C-A1) belong to it: they are no
    arguments of their own, and if one is missing or wrong, the argument is.

    Parameters
    ----------
    gold, predicted : sequences of iterables of (role, start, end)
        The spans of each proposition, in the same order.
    roles : collection of str, optional
        Score only these, in gold and predicted alike; by default all.
    excluded : collection of str
        Roles that do not count: the verb itself.

    Examples
    --------
    >>> gold = [[("A0", 0, 1), ("V", 1, 2), ("A1", 2, 3), ("C-A1", 4, 5)]]
    >>> print(score_roles(gold, [[("A0", 0, 1), ("V", 1, 2), ("A1", 2, 3)]]))
    1 propositions, 0.00 % of them perfect
    <BLANKLINE>
             correct  excess  missed  precision  recall      F1
    overall        1       1       1      50.00   50.00   50.00
    A0             1       0       0     100.00  100.00  100.00
    A1             0       1       1       0.00    0.00    0.00
    """
    if len(gold) != len(predicted):
        raise InputError(f"{len(gold)} gold propositions, but {len(predicted)} predicted ones")
    counts: dict[str, list[int]] = {}
    perfect = 0
    for right, guess in zip(gold, predicted, strict=True):
        sides = [
            Counter(
                argument
                for argument in join_continuations(side)
                if argument[0] not in excluded and (roles is None or argument[0] in roles)
            )
            for side in (right, guess)
        ]
        perfect += sides[0] == sides[1]
        for column, items in enumerate((sides[0] & sides[1], sides[1], sides[0])):
            for (role, _), times in items.items():
                counts.setdefault(role, [0, 0, 0])[column] += times
    scores = {role: Score(*counts[role]) for role in sorted(counts)}
    return RoleScores(len(gold), perfect, scores, micro_average(scores.values()))


def join_continuations(spans: Iterable[tuple[str, int, int]]) -> list[Argument]:
    """The arguments of a proposition: each role with its pieces, a continuation with the last argument of its role before it.

    A continuation of nothing is an argument of its own, of the role that it continues.

    Examples
    --------
    >>> join_continuations([("A1", 0, 1), ("V", 1, 2), ("C-A1", 2, 4), ("C-A2", 5, 6)])
    [('A1', ((0, 1), (2, 4))), ('V', ((1, 2),)), ('A2', ((5, 6),))]
    """
    arguments: list[tuple[str, list[tuple[int, int]]]] = []
    last: dict[str, int] = {}
    for span in sorted((Span(*span) for span in spans), key=lambda span: (span.start, -span.end)):
        role = span.type.removeprefix("C-")
        if role != span.type and role in last:
            arguments[last[role]][1].append((span.start, span.end))
            continue
        last[role] = len(arguments)
        arguments.append((role, [(span.start, span.end)]))
    return [(role, tuple(pieces)) for role, pieces in arguments]
