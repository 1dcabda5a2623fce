"""The compiled readers of strings: what they take from a package, and whether they know that package."""

from __future__ import annotations

import hashlib
import inspect
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple, TypedDict

import numpy as np
import numpy.typing as npt

from lawful.adapters.crfsuite.tagger import CrfsuiteTagger

__all__ = ["CoreArguments", "FieldTable", "core_arguments", "reads_like"]


class FieldTable(NamedTuple):
    """Which field of the answer each label fills.

    Attributes
    ----------
    names : sequence of sequence of str
        Of each label, at each level.
    levels : mapping
        The labels that switch to a level, for good; the highest counts.
    only_repeated : bool
        Whether a level counts only for labels that have filled their own field before.
    interrupting : iterable of str
        The fields that may be filled again at any time, and after which others may.
    signs : mapping
        The labels that say what kind of string it is, with a bit each.
    kinds : sequence of str
        The kind of string, by the sum of its signs.
    """

    names: Sequence[Sequence[str]]
    levels: Mapping[str, int]
    only_repeated: bool
    interrupting: Iterable[str]
    signs: Mapping[str, int]
    kinds: Sequence[str]


class CoreArguments(TypedDict):
    """What both compiled readers take."""

    labels: tuple[str, ...]
    attributes: tuple[str, ...]
    transitions: npt.NDArray[np.float64]
    row_starts: npt.NDArray[np.int64]
    targets: npt.NDArray[np.int64]
    weights: npt.NDArray[np.float64]
    field_names: tuple[str, ...]
    fields: npt.NDArray[np.int32]
    levels: npt.NDArray[np.uint8]
    interrupts: npt.NDArray[np.uint8]
    signs: npt.NDArray[np.uint8]
    kinds: tuple[str, ...]
    only_repeated: bool


def core_arguments(tagger: CrfsuiteTagger, table: FieldTable) -> CoreArguments:
    """A model and its fields as arrays.

    Examples
    --------
    >>> import usaddress
    >>> tagger = CrfsuiteTagger.read(usaddress.MODEL_PATH)
    >>> table = FieldTable([tuple(tagger.labels)], {}, False, (), {}, ["any"])
    >>> core_arguments(tagger, table)["fields"].shape
    (1, 29)
    """
    weights, labels = tagger.weights, tuple(tagger.labels)
    names = tuple(dict.fromkeys(name for level in table.names for name in level))
    numbers = {name: number for number, name in enumerate(names)}
    interrupting = set(table.interrupting)
    return CoreArguments(
        labels=labels,
        attributes=tuple(weights.attributes),
        transitions=weights.transitions,
        row_starts=weights.row_starts.astype(np.int64),
        targets=weights.targets,
        weights=weights.weights,
        field_names=names,
        fields=np.array([[numbers[name] for name in level] for level in table.names], dtype=np.int32),
        levels=np.array([table.levels.get(label, 0) for label in labels], dtype=np.uint8),
        interrupts=np.array([name in interrupting for name in names], dtype=np.uint8),
        signs=np.array([table.signs.get(label, 0) for label in labels], dtype=np.uint8),
        kinds=tuple(table.kinds),
        only_repeated=table.only_repeated,
    )


def reads_like(digest: str, functions: Iterable[Any]) -> bool:
    """Whether a package's functions are those that the compiled reader was written after, to the letter.

    Parameters
    ----------
    digest : str
        Of the source text of those functions.
    functions : iterable of functions
        Those of the package that is installed.

    Examples
    --------
    >>> reads_like("0" * 64, [inspect.getdoc])
    False
    """
    return _digest(tuple(functions)) == digest


@lru_cache(maxsize=8)
def _digest(functions: tuple[Callable[..., Any], ...]) -> str:
    try:
        source = "".join(inspect.getsource(function) for function in functions)
    except (OSError, TypeError):  # without its source, nobody knows
        return ""
    return hashlib.sha256(source.encode()).hexdigest()
