"""The attributes of the items of a sequence, and their values, as python-crfsuite reads them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from lawful.errors import TokenError

__all__ = ["AttributeReader", "items_of"]


class AttributeReader:
    """Turns items into numbers of attributes and values; attributes that the model does not know are left out.

    An item is a list of attributes, each of value 1, or a dict. In a dict, a number (or True, False) is the value of
    its key; a string makes one attribute "key:string" of value 1; a dict, list or set inside puts "key:" before its own
    attributes. Names are bytes to CRFsuite: strings are taken as UTF-8, and end at their first zero byte.

    Parameters
    ----------
    attributes : sequence of str
        All names of the model, in the order of their numbers.

    Examples
    --------
    >>> reader = AttributeReader(["word:old", "caps", "next:caps"])
    >>> reader.read([["caps", "unknown"], {"word": "old", "next": {"caps": 0.5}}])
    ([1, 0, 2], [1.0, 1.0, 0.5], [1, 2])
    """

    def __init__(self, attributes: Sequence[str]) -> None:
        self._numbers = {name: number for number, name in enumerate(attributes)}

    def read(self, items: Iterable[Any]) -> tuple[list[int], list[float], list[int]]:
        """Attribute numbers, their values, and how many of them each item has."""
        numbers: list[int] = []
        values: list[float] = []
        counts: list[int] = []
        before = 0
        for position, item in enumerate(items):
            try:
                self._add(item, "", numbers, values)
            except TokenError as error:
                raise TokenError(f"item {position}: {error}", position=position) from None
            counts.append(len(numbers) - before)
            before = len(numbers)
        return numbers, values, counts

    def _add(self, item: Any, prefix: str, numbers: list[int], values: list[float]) -> None:
        if not isinstance(item, (dict, Mapping)):  # dict first: the faster check
            before = len(numbers)
            self._add_names(item, prefix, numbers)
            values.extend([1.0] * (len(numbers) - before))
            return
        find = self._numbers.get
        for key, value in item.items():
            name = prefix + (key if type(key) is str else _text(key))
            kind = type(value)  # most values have one of these types; isinstance takes longer
            if kind is bool or kind is float:
                if not value:
                    continue  # a value of 0 adds nothing
            elif kind is str:
                name, value = f"{name}:{value}", 1.0
            elif isinstance(value, (str, bytes)):
                name, value = f"{name}:{_text(value)}", 1.0
            elif isinstance(value, (dict, list, set)):
                self._add(value, name + ":", numbers, values)
                continue
            else:
                value = _number(value, name)
            number = find(name)
            if number is None:
                number = self._find_cut(name)
            if number is not None:
                numbers.append(number)
                values.append(value)

    def _add_names(self, names: Any, prefix: str, numbers: list[int]) -> None:
        if isinstance(names, (str, bytes)) or not isinstance(names, Iterable):
            raise TokenError(f"an item is a list of attributes or a dict, got {names!r}")
        find = self._numbers.get
        for key in names:
            name = prefix + (key if type(key) is str else _text(key))
            number = find(name)
            if number is None:
                number = self._find_cut(name)
            if number is not None:
                numbers.append(number)

    def _find_cut(self, name: str) -> int | None:
        """The attribute that CRFsuite, for which a name ends at its first zero byte, takes this name for."""
        start, zero, _ = name.partition("\0")
        return self._numbers.get(start) if zero else None


def items_of(sequence: Any) -> Sequence[Any]:
    """The items of a sequence: a list of them, or a `pycrfsuite.ItemSequence`.

    An `ItemSequence` does not record how often an item had an attribute: it counts once.

    Examples
    --------
    >>> import pycrfsuite
    >>> items_of(pycrfsuite.ItemSequence([["caps"], {"word": "old"}]))
    [{'caps': 1.0}, {'word:old': 1.0}]
    """
    items = getattr(sequence, "items", None)
    if items is not None and not isinstance(sequence, Mapping):
        listed: list[Any] = items()
        return listed
    if isinstance(sequence, (str, bytes, Mapping)):
        raise TokenError(f"a sequence is a list of items, got {sequence!r}")
    return sequence if isinstance(sequence, (list, tuple)) else list(sequence)


def _number(value: Any, name: str) -> float:
    try:
        return float(value)
    except (TypeError, ValueError):
        raise TokenError(
            f"attribute {name!r} has the value {value!r}; expected a number, True, False, a string, or a dict, list "
            "or set of more attributes"
        ) from None


def _text(name: object) -> str:
    if isinstance(name, str):
        return name
    if isinstance(name, bytes):
        return name.decode("utf-8", "surrogateescape")
    raise TokenError(f"an attribute must be a string, got {name!r}")
