"""N-best lists of any tagger as lattices, so that rules choose among its answers."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal

from lawful.errors import DtypeError, InputError, ShapeError
from lawful.labels import LabelSet
from lawful.lattice import GraphLattice

__all__ = ["from_nbest"]


def from_nbest(
    candidates: Iterable[tuple[Sequence[str], float]],
    *,
    labels: LabelSet | Iterable[str] | None = None,
    scores: Literal["log", "probability"] = "log",
    repeated: Literal["best", "sum"] = "best",
    tokens: Sequence[Any] | None = None,
    context: Mapping[str, Any] | None = None,
) -> GraphLattice:
    """The lattice whose label sequences are exactly the candidates, with their scores. Common beginnings are shared.

    Under rules the best legal candidate wins; if none is legal, that is an `InfeasibleError`, so give enough
    candidates, or set `max_loss` so that the best candidate is the fallback.

    Parameters
    ----------
    candidates : iterable of (labels, score)
        In any order; `lawful.nbest` gives such lists too.
    labels : LabelSet or iterable of str, optional
        All labels of the task; by default those of the candidates, in order of appearance.
    scores : "log" or "probability"
        What the scores are; probabilities become their logs.
    repeated : "best" or "sum"
        The score of a sequence that occurs twice: its best score, or the log of the sum, as when the tagger
        reaches one answer in several ways.
    tokens : sequence, optional
        Then every candidate needs one label per token.
    context : mapping, optional

    Examples
    --------
    >>> import lawful
    >>> from lawful.adapters.nbest import from_nbest
    >>> answers = [(["City", "Street", "City"], 0.6), (["City", "City", "City"], 0.3), (["Zip", "City", "City"], 0.1)]
    >>> lattice = from_nbest(answers, scores="probability")
    >>> best = lawful.decode(lattice, lawful.at_most_segments(1, "City"))
    >>> best.labels, round(best.loss, 3)
    (('City', 'City', 'City'), 0.693)
    """
    if scores not in ("log", "probability"):
        raise InputError(f"scores must be 'log' or 'probability', got {scores!r}")
    if repeated not in ("best", "sum"):
        raise InputError(f"repeated must be 'best' or 'sum', got {repeated!r}")
    merged: dict[tuple[str, ...], float] = {}
    for index, candidate in enumerate(candidates):
        names, score = _pair(candidate, index)
        sequence = _sequence(names, index, tokens)
        value = _log(score, index) if scores == "probability" else score
        if sequence not in merged:
            merged[sequence] = value
        elif repeated == "best":
            merged[sequence] = max(merged[sequence], value)
        else:
            merged[sequence] = _log_of_sum(merged[sequence], value)
    return GraphLattice.from_nbest(merged.items(), labels=labels, tokens=tokens, context=context)


def _pair(candidate: Any, index: int) -> tuple[Sequence[str], float]:
    """Labels and their score."""
    try:
        names, score = candidate
        return names if isinstance(names, str) else tuple(names), float(score)
    except (TypeError, ValueError):
        raise DtypeError(f"candidates[{index}]", "labels and their score", f"{candidate!r:.60}") from None


def _sequence(names: Sequence[str], index: int, tokens: Sequence[Any] | None) -> tuple[str, ...]:
    if isinstance(names, str):
        raise DtypeError(f"candidates[{index}]", "a sequence of labels", f"the string {names!r}")
    sequence = tuple(names)
    if tokens is not None and len(sequence) != len(tokens):
        raise ShapeError(
            f"candidates[{index}]", f"({len(tokens)},), one label for each token", (len(sequence),)
        )
    return sequence


def _log(probability: float, index: int) -> float:
    if not 0.0 <= probability <= 1.0 + 1e-6:
        raise InputError(f"candidates[{index}] has the probability {probability!r}: expected 0 to 1")
    return math.log(probability) if probability else -math.inf


def _log_of_sum(a: float, b: float) -> float:
    high, low = max(a, b), min(a, b)
    return high if low == -math.inf else high + math.log1p(math.exp(low - high))
