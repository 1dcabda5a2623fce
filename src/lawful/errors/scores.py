"""Labels, arrays and graphs that cannot be used as they are."""

from __future__ import annotations

from collections.abc import Sequence

from lawful.errors.base import InputError
from lawful.errors.wording import listing, suggestion

__all__ = [
    "AttFormatError",
    "DtypeError",
    "DuplicateLabelError",
    "EmptyLabelSetError",
    "EmptySequenceError",
    "GraphError",
    "LabelSetError",
    "ScoreError",
    "ShapeError",
    "UnboundedError",
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
