"""Labels that say a numbered role and a thematic one, such as `A2:recipient`: which share features, and sums over them (Loper 2008, section 3.7)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Literal

import numpy as np

from lawful.errors import InputError
from lawful.lattice.arrays import Floats

__all__ = ["SubdividedLabels", "summed"]

Part = Literal["number", "theme"]
SEPARATOR = ":"


@dataclass(frozen=True)
class SubdividedLabels:
    """Numbered roles, each divided by thematic roles.

    Attributes
    ----------
    labels : tuple of str
        `A2:recipient`, or a label without a thematic role: `A2`, `AM-TMP`.

    Examples
    --------
    >>> labels = SubdividedLabels(("A1:theme", "A2:theme", "A2:recipient", "AM-TMP"))
    >>> labels.groups("number")
    {'A1:*': ['A1:theme'], 'A2:*': ['A2:theme', 'A2:recipient'], 'AM-TMP:*': ['AM-TMP']}
    >>> labels.groups("theme")["*:theme"]
    ['A1:theme', 'A2:theme']
    """

    labels: tuple[str, ...]
    _parts: dict[str, dict[Part, str]] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        parts: dict[str, dict[Part, str]] = {}
        for label in self.labels:
            number, _, theme = label.partition(SEPARATOR)
            parts[label] = {"number": number, "theme": theme or number}
        object.__setattr__(self, "_parts", parts)

    @classmethod
    def of(cls, labels: Iterable[str]) -> SubdividedLabels:
        """Those that occur, in alphabetical order."""
        return cls(tuple(sorted(set(labels))))

    def part(self, label: str, part: Part) -> str:
        """The numbered role of a label, or its thematic one; a label without a thematic role stands for itself."""
        return self._parts[label][part]

    def groups(self, *parts: Part) -> dict[str, list[str]]:
        """The groups of labels with one numbered role, or with one thematic role, or both: `groups` of a model."""
        found: dict[str, list[str]] = {}
        for part in parts:
            for label in self.labels:
                name = self._parts[label][part]
                found.setdefault(f"{name}:*" if part == "number" else f"*:{name}", []).append(label)
        return found

    @staticmethod
    def join(number: str, theme: str | None) -> str:
        """The label of a numbered role with a thematic one.

        Examples
        --------
        >>> SubdividedLabels.join("A2", "recipient"), SubdividedLabels.join("AM-TMP", None)
        ('A2:recipient', 'AM-TMP')
        """
        return number if theme is None else f"{number}{SEPARATOR}{theme}"


def summed(
    log_probabilities: Floats, labels: Sequence[str], subdivided: SubdividedLabels, part: Part
) -> tuple[list[str], Floats]:
    """The log-probabilities of numbered or of thematic roles: sums over all labels that have them (Eq. 3.3).

    Parameters
    ----------
    log_probabilities : array (T, K)
    labels : sequence of K str
        The labels of its columns.
    subdivided : SubdividedLabels
    part : "number" or "theme"

    Examples
    --------
    >>> labels = SubdividedLabels(("A1:theme", "A2:theme", "A2:recipient"))
    >>> names, found = summed(np.log([[0.4, 0.3, 0.3]]), labels.labels, labels, "number")
    >>> names, np.exp(found).round(2).tolist()
    (['A1', 'A2'], [[0.4, 0.6]])
    """
    scores = np.asarray(log_probabilities, dtype=np.float64)
    if scores.ndim != 2 or scores.shape[1] != len(labels):
        raise InputError(
            f"expected an array (T, {len(labels)}) of log-probabilities, got shape {scores.shape}"
        )
    names = list(dict.fromkeys(subdivided.part(label, part) for label in labels))
    column = np.array([names.index(subdivided.part(label, part)) for label in labels])
    result = np.full((len(scores), len(names)), -np.inf)
    for index in range(len(names)):
        result[:, index] = np.logaddexp.reduce(scores[:, column == index], axis=1)
    return names, result
