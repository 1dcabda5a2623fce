"""Labels, arrays and graphs that cannot be used as they are."""

from __future__ import annotations

from collections.abc import Sequence

from lawful.errors.base import InputError, LawfulWarning
from lawful.errors.wording import listing, suggestion

__all__ = [
    "AttFormatError",
    "DtypeError",
    "DuplicateLabelError",
    "EmptyLabelSetError",
    "EmptySequenceError",
    "GraphError",
    "LabelSetError",
    "LargeScoreError",
    "ScoreError",
    "ShapeError",
    "UnboundedError",
    "UncalibratedScoresWarning",
    "UnknownLabelError",
]


class EmptyLabelSetError(InputError):
    """A label set needs at least one label."""

    def __init__(self) -> None:
        super().__init__("a label set needs at least one label, got none")


class DuplicateLabelError(InputError):
    """Two labels of a label set have the same name."""

    def __init__(self, label: str, first: int, second: int) -> None:
        self.label, self.first, self.second = label, first, second
        super().__init__(f"label {label!r} is at {first} and again at {second}: labels must differ")


class UnknownLabelError(InputError):
    """A label that the label set does not have."""

    def __init__(self, label: str, known: Sequence[str], where: str | None = None) -> None:
        self.label, self.known, self.where = label, tuple(known), where
        hint = suggestion(label, known, "labels")
        super().__init__(f"unknown label {label!r}{f' in {where}' if where else ''}; {hint}")


class LabelSetError(InputError):
    """A lattice and a decoder that have different labels."""

    def __init__(self, expected: Sequence[str], got: Sequence[str]) -> None:
        self.expected, self.got = tuple(expected), tuple(got)
        super().__init__(
            f"the decoder was made for the labels {listing(expected)}, but the lattice has {listing(got)}; "
            "give both the same LabelSet"
        )


class ShapeError(InputError):
    """An array has the wrong shape."""

    def __init__(self, array: str, expected: str, got: Sequence[int]) -> None:
        self.array, self.expected, self.got = array, expected, tuple(got)
        super().__init__(f"{array} must have shape {expected}, got {tuple(got)}")


class DtypeError(InputError):
    """An array or argument holds the wrong kind of values."""

    def __init__(self, array: str, expected: str, got: str) -> None:
        self.array, self.expected, self.got = array, expected, got
        super().__init__(f"{array} must hold {expected}, got {got}")


class ScoreError(InputError):
    """A score is NaN or +inf. (-inf is allowed: it forbids.)"""

    def __init__(self, array: str, index: Sequence[int], value: float, label: str | None = None) -> None:
        self.array, self.index, self.value, self.label = array, tuple(index), value, label
        location = f"{array}[{', '.join(map(str, index))}]"
        named = f" (label {label!r})" if label is not None else ""
        super().__init__(
            f"{location}{named} is {value}: scores are finite logs, or -inf for what is forbidden"
        )


class LargeScoreError(InputError):
    """Scores or prices so large that the sums of a path could overflow.

    Attributes
    ----------
    where : str
        The score or price that is largest.
    value, total : float
        What it is, and what scores or prices of one path could add up to, signs ignored.
    most : float
        What they may.

    Examples
    --------
    >>> import lawful
    >>> lawful.Lattice([[1.0, -1e308], [2.0, 3.0]], labels=["A", "B"])
    Traceback (most recent call last):
    lawful.errors.LargeScoreError: emissions[0, 1] (label 'B') is -1e+308: the scores of a path may add up to 1e+302, signs ignored, but these could reach 1e+308; forbid a label with -inf or a mask
    """

    def __init__(self, where: str, value: float, total: float, most: float) -> None:
        self.where, self.value, self.total, self.most = where, value, total, most
        priced = where.startswith("the price")
        what = "prices that a path pays" if priced else "scores of a path"
        advice = (
            "make the rule hard, or its price smaller" if priced else "forbid a label with -inf or a mask"
        )
        reach = f"reach {total:g}" if total < float("inf") else "overflow"
        super().__init__(
            f"{where} is {value:g}: the {what} may add up to {most:g}, signs ignored, but these could {reach}; {advice}"
        )


class EmptySequenceError(InputError):
    """A sequence without tokens, which has no labels to search for."""

    def __init__(self, where: str) -> None:
        self.where = where
        super().__init__(f"{where} is empty: a sequence needs at least one token; leave empty ones out")


class GraphError(InputError):
    """A graph lattice whose states or arcs do not fit together."""

    def __init__(self, message: str, *, arc: int | None = None, state: int | None = None) -> None:
        self.arc, self.state = arc, state
        super().__init__(message)


class UnboundedError(InputError):
    """A cycle of positive weight: going around it for ever raises the score for ever."""

    def __init__(self, cycle: Sequence[int], weight: float) -> None:
        self.cycle, self.weight = tuple(cycle), weight
        path = " -> ".join(map(str, cycle))
        super().__init__(
            f"the best path is infinite: the cycle through states {path} gains {weight:g} each time around; "
            "make its weight 0 or negative, or cut the cycle"
        )


class AttFormatError(InputError):
    """A line of an OpenFst/AT&T text file that cannot be read."""

    def __init__(self, source: str, line: int, message: str) -> None:
        self.source, self.line = source, line
        super().__init__(f"{source}, line {line}: {message}")


class UncalibratedScoresWarning(LawfulWarning):
    """Prices, which are nats, meet scores that are no log-probabilities, as those of perceptrons: they mean nothing there.

    `lawful.learning.calibrate` gives the same model at a temperature that was fitted to held-out data. Prices that were found
    beside the model itself, by method "perceptron" or "search" of `estimate_prices`, may stay as they are.

    Examples
    --------
    >>> import warnings
    >>> import lawful
    >>> model = lawful.models.StructuredPerceptron().fit([["a", "b"]], [["X", "Y"]])
    >>> with warnings.catch_warnings(record=True) as caught:
    ...     warnings.simplefilter("always")
    ...     labels = model.predict([["a", "b"]], rules=lawful.forbid("X").soft(2.0))
    >>> caught[0].category.__name__
    'UncalibratedScoresWarning'
    """
