"""What happened in each round of learning from unlabelled data."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

__all__ = ["Round", "share_changed"]


@dataclass(frozen=True)
class Round:
    """One round.

    Attributes
    ----------
    number : int
        0 is what was learned from the labelled data alone.
    changed : float
        The share of the pool's tokens whose label is another than a round before; 1 in the first.
    violations : dict of str to int
        How often each rule is broken in the labels of the pool.
    prices : dict of str to (float or "hard")
        What each rule costs from now on.
    objective : float or None
        What EM maximises; None for others.
    accuracy : float or None
        On the sequences that `fit` was told to watch.
    seconds : float

    Examples
    --------
    >>> Round(1, changed=0.25, seconds=2.0).changed
    0.25
    """

    number: int
    changed: float = 1.0
    violations: dict[str, int] = field(default_factory=dict)
    prices: Mapping[str, float | str] = field(default_factory=dict)
    objective: float | None = None
    accuracy: float | None = None
    seconds: float = 0.0

    def as_data(self) -> dict[str, Any]:
        """The same as JSON can say it."""
        return asdict(self) | {"prices": dict(self.prices)}

    def __str__(self) -> str:
        facts = [f"round {self.number}"]
        if self.number:
            facts.append(f"{self.changed:.1%} of the labels changed")
        if self.objective is not None:
            facts.append(f"objective {self.objective:.2f}")
        if self.accuracy is not None:
            facts.append(f"accuracy {self.accuracy:.2%}")
        return ", ".join([*facts, f"{self.seconds:.1f} s"])


def share_changed(before: Sequence[Sequence[str]] | None, after: Sequence[Sequence[str]]) -> float:
    """The share of labels that are not what they were; 1 if there were none.

    Examples
    --------
    >>> share_changed([["A", "B"], ["A"]], [["A", "A"], ["A"]]) == 1 / 3
    True
    """
    total = sum(map(len, after))
    if before is None or not total:
        return 1.0 if total else 0.0
    pairs = zip(before, after, strict=True)
    return (
        sum(
            before_label != after_label
            for old, new in pairs
            for before_label, after_label in zip(old, new, strict=True)
        )
        / total
    )
