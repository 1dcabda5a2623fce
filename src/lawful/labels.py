"""The labels of a task, in a fixed order."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain

import numpy as np
import numpy.typing as npt

from lawful import _core
from lawful.errors import DtypeError, DuplicateLabelError, EmptyLabelSetError, UnknownLabelError

__all__ = ["LabelSet", "number_labels"]


def number_labels(numbers: dict[str, int], labellings: Sequence[Sequence[str]]) -> npt.NDArray[np.int64]:
    """The numbers of the labels of many sequences, end to end; a label without one raises KeyError.

    Examples
    --------
    >>> number_labels({"O": 0, "Name": 1}, [("Name", "O"), ("O",)]).tolist()
    [1, 0, 0]
    """
    found = _core.number_labels(numbers, list(map(tuple, labellings)))
    if found is None:  # one that has no number, or is a string of another type
        found = np.array([numbers[label] for label in chain.from_iterable(labellings)], dtype=np.int64)
    return found


class LabelSet(Sequence[str]):
    """The K labels of a task, in a fixed order. Frozen and hashable.

    Examples
    --------
    >>> labels = LabelSet(["O", "Name", "City"])
    >>> labels.index("City"), labels[1], len(labels)
    (2, 'Name', 3)
    >>> labels.decode([0, 2])
    ('O', 'City')
    """

    __slots__ = ("_absent", "_index", "_names")

    def __init__(self, names: Iterable[str]) -> None:
        if isinstance(names, str):
            raise DtypeError("a label set", "a list of label names", f"the string {names!r}")
        if isinstance(names, set | frozenset):  # columns of scores would mean another label in each run
            raise DtypeError(
                "a label set", "label names in the order of the scores", "a set, which has no order"
            )
        try:
            self._names = tuple(names)
        except TypeError:
            raise DtypeError("a label set", "a list of label names", f"{names!r:.60}") from None
        self._index: dict[str, int] = {}
        if not self._names:
            raise EmptyLabelSetError
        for position, name in enumerate(self._names):
            if not isinstance(name, str):
                raise DtypeError(f"label {position}", "a string", repr(name))
            if name in self._index:
                raise DuplicateLabelError(name, self._index[name], position)
            self._index[name] = position
        self._absent: frozenset[str] = frozenset()

    def knowing(self, names: Iterable[str]) -> LabelSet:
        """The same labels; others of these names are known to `present`, but never occur.

        Examples
        --------
        >>> labels = LabelSet(["O", "Name"]).knowing(["Name", "Editor"])
        >>> labels, labels.present(["Editor", "Name"])
        (LabelSet(['O', 'Name']), (1,))
        """
        absent = frozenset(names).difference(self._index)
        if absent <= self._absent:
            return self
        other = LabelSet(self._names)
        other._absent = self._absent | absent
        return other

    def present(self, names: Iterable[str], *, where: str | None = None) -> tuple[int, ...]:
        """The positions of those of the labels that can occur; a label that is not even known is refused."""
        known = [name for name in names if name not in self._absent]
        try:
            return self.encode(known, where=where)
        except UnknownLabelError as error:
            raise UnknownLabelError(error.label, (*self._names, *sorted(self._absent)), where) from None

    def index(self, name: str, *_: int, where: str | None = None) -> int:
        """The position of a label; `where` says in the error where an unknown label was found."""
        try:
            return self._index[name]
        except (KeyError, TypeError):
            raise UnknownLabelError(name, self._names, where) from None

    def encode(self, names: Iterable[str], *, where: str | None = None) -> tuple[int, ...]:
        """Label names to positions."""
        listed, index = tuple(names), self._index
        try:
            return tuple([index[name] for name in listed])
        except (KeyError, TypeError):
            return tuple(self.index(name, where=where) for name in listed)  # which says what is wrong

    def decode(self, indices: Iterable[int]) -> tuple[str, ...]:
        """Label positions to names."""
        names = self._names
        return tuple([names[i] for i in indices])

    def __getitem__(self, position: int) -> str:  # type: ignore[override]
        return self._names[position]

    def __len__(self) -> int:
        return len(self._names)

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __contains__(self, name: object) -> bool:
        return name in self._index

    def __eq__(self, other: object) -> bool:
        return isinstance(other, LabelSet) and self._names == other._names

    def __hash__(self) -> int:
        return hash(self._names)

    def __repr__(self) -> str:
        return f"LabelSet({list(self._names)!r})"
