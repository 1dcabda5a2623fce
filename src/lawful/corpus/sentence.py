"""One sequence of tokens, with its labels, its other columns, and the location that it was read from."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any, cast

from lawful import _core
from lawful.corpus.layout import UNUSED, Layout
from lawful.errors import InputError

__all__ = ["CutColumns", "Sentence", "unchecked_sentence"]

Sequence.register(_core.TokenRows)


class CutColumns(Mapping[str, tuple[str, ...]]):
    r"""The columns of some rows, which are cut when one of them is asked for: few readers of a corpus want all of them.

    Examples
    --------
    >>> columns = CutColumns("1\ta\tDT\n2\tman\tNN", 2, ("id", "word", "pos"), ("id", "pos"), _core.ColumnCutter("\t"))
    >>> columns["pos"], columns == {"id": ("1", "2"), "pos": ("DT", "NN")}
    (('DT', 'NN'), True)
    """

    __slots__ = ("_cutter", "_found", "_names", "_rows", "count", "names")

    def __init__(
        self,
        rows: str,
        count: int,
        all_names: Sequence[str],
        names: Sequence[str],
        cutter: _core.ColumnCutter,
    ) -> None:
        self._rows, self.count, self._names, self.names, self._cutter = rows, count, all_names, names, cutter
        self._found: dict[str, tuple[str, ...]] | None = None

    def _columns(self) -> dict[str, tuple[str, ...]]:
        if self._found is None:
            cut = self._cutter.cut(self._rows, len(self._names), [self.count], [False] * len(self._names))
            assert cut is not None  # noqa: S101  # for the type checker: the rows were looked at before
            found = dict(zip(self._names, cut[0], strict=True))
            self._found, self._rows = {name: found[name] for name in self.names}, ""
        return self._found

    def __getitem__(self, name: str) -> tuple[str, ...]:
        return self._columns()[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self.names)

    def __len__(self) -> int:
        return len(self.names)

    def __repr__(self) -> str:
        return repr(self._columns())

    def __reduce__(self) -> tuple[Any, ...]:
        """As a dict."""
        return dict, (self._columns(),)


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sequence of tokens, perhaps labelled.

    Attributes
    ----------
    tokens : tuple of str
    labels : tuple of str, or None
    columns : mapping of name to tuple of str
        The other columns of each token: part of speech, lemma, ...
    context : mapping of str to anything
        Named facts about the whole sequence, which rules can use.
    source : str
        The file that it was read from.
    lines : sequence of int
        The line of each token in that file, counted from 1. Empty if it was not read from a file.
    layout : Layout or None
        The columns of that file, so that it can be written as it was.
    between : tuple of (int, str)
        Lines of that file that are not tokens (comments, multiword tokens, empty nodes), each with the position of the
        token after it.

    Examples
    --------
    >>> sentence = Sentence(["Confidence", "in"], ["B-NP", "B-PP"], {"pos": ["NN", "IN"]})
    >>> sentence.tokens, sentence.columns["pos"], len(sentence)
    (('Confidence', 'in'), ('NN', 'IN'), 2)
    >>> sentence.rows()
    [{'token': 'Confidence', 'pos': 'NN'}, {'token': 'in', 'pos': 'IN'}]
    >>> sentence.with_labels(["B-NP", "O"]).labels
    ('B-NP', 'O')
    """

    tokens: tuple[str, ...]
    labels: tuple[str, ...] | None = None
    columns: Mapping[str, tuple[str, ...]] = field(default_factory=dict, hash=False)
    context: Mapping[str, object] = field(default_factory=dict, hash=False)
    source: str = field(default="", compare=False)
    lines: Sequence[int] = field(default=(), compare=False)
    layout: Layout | None = field(default=None, compare=False, repr=False)
    between: tuple[tuple[int, str], ...] = field(default=(), repr=False)

    def __post_init__(self) -> None:
        put, length = object.__setattr__, len(self.tokens)
        if type(self.tokens) is not tuple or not set(map(type, self.tokens)) <= _STR:
            put(self, "tokens", _strings(self.tokens, "tokens"))
        if self.labels is not None:
            if type(self.labels) is not tuple or not set(map(type, self.labels)) <= _STR:
                put(self, "labels", _strings(self.labels, "labels"))
            if len(self.labels) != length:
                raise InputError(f"{self.location()}{length} tokens, but {len(self.labels)} labels")
        if type(self.columns) is CutColumns and self.columns.count == length:
            return
        for name, column in self.columns.items():
            if type(column) is not tuple or not set(map(type, column)) <= _STR:
                fixed = {key: _strings(values, f"column {key!r}") for key, values in self.columns.items()}
                put(self, "columns", fixed)
            if len(column) != length:
                raise InputError(f"{self.location()}{length} tokens, but {len(column)} in column {name!r}")

    def __len__(self) -> int:
        return len(self.tokens)

    def location(self, position: int | None = None) -> str:
        """The file and line of a token, or of the whole sequence, to begin an error message with; "" if they are unknown.

        Examples
        --------
        >>> Sentence(("a", "b"), source="gold.conll", lines=range(7, 9)).location(1)
        'gold.conll, line 8: '
        """
        if not self.lines:
            return f"{self.source}: " if self.source else ""
        return f"{self.source or 'the text'}, line {self.lines[position or 0]}: "

    def rows(self) -> list[dict[str, str]]:
        """Each token with its other columns, by name; never with its label.

        The key of the token itself is its column's name if that is text, word or token, where rules look for it;
        else it is "token". Columns whose names start with `_` are left out.

        Examples
        --------
        >>> Sentence(("a",), ("O",), {"pos": ("DT",)}).rows()
        [{'token': 'a', 'pos': 'DT'}]
        """
        return list(self._lazy_rows(self._used_columns()))

    def _used_columns(self) -> list[str]:
        return [name for name in self.columns if not name.startswith(UNUSED)]

    def _lazy_rows(self, used: Sequence[str]) -> Sequence[dict[str, str]]:
        """The same, made when somebody looks at one: what only reads columns never does."""
        name, columns = "token" if self.layout is None else self.layout.token, self.columns
        named = {name if name in _TOKEN_NAMES else "token": self.tokens}
        for column in used:
            named[column] = columns[column]
        rows: Any = _core.TokenRows(_shared(tuple(named)), tuple(named.values()))
        return cast("Sequence[dict[str, str]]", rows)

    def inputs(self) -> Sequence[Any]:
        """What models and rules see of each token: its columns by name, or its text alone if it has no others.

        Examples
        --------
        >>> Sentence(("a",)).inputs(), Sentence(("a",), columns={"pos": ("DT",)}).inputs()
        (('a',), [{'token': 'a', 'pos': 'DT'}])
        """
        used = self._used_columns()
        return self._lazy_rows(used) if used else self.tokens

    def with_labels(self, labels: Sequence[str] | None) -> Sentence:
        """The same sentence with other labels.

        Examples
        --------
        >>> Sentence(("a", "b")).with_labels(("X", "Y")).labels
        ('X', 'Y')
        """
        return replace(self, labels=labels if labels is None else tuple(labels))

    def with_column(self, name: str, values: Sequence[str]) -> Sentence:
        """The same sentence with one more column, the last one of its file.

        Examples
        --------
        >>> Sentence(("a",)).with_column("guess", ["X"]).columns["guess"]
        ('X',)
        """
        layout = self.layout
        if layout is not None and name not in layout.names:
            layout = replace(layout, names=(*layout.names, name))
        return replace(self, columns={**self.columns, name: tuple(values)}, layout=layout)


@lru_cache(maxsize=1 << 6)
def _shared(names: tuple[str, ...]) -> tuple[str, ...]:
    """Equal names as one tuple for all sentences of a corpus, which keeps many rows."""
    return names


def unchecked_sentence(
    tokens: tuple[str, ...],
    labels: tuple[str, ...] | None,
    columns: Mapping[str, tuple[str, ...]],
    context: Mapping[str, object],
    source: str,
    lines: Sequence[int],
    layout: Layout | None,
    between: tuple[tuple[int, str], ...],
) -> Sentence:
    """The same as `Sentence(...)`, for callers that guarantee tuples of strings of equal length.

    Checking them again would take half of the time of reading a corpus.

    Examples
    --------
    >>> unchecked_sentence(("a",), ("X",), {}, {}, "", (), None, ()) == Sentence(("a",), ("X",))
    True
    """
    sentence, put = object.__new__(Sentence), object.__setattr__
    put(sentence, "tokens", tokens)
    put(sentence, "labels", labels)
    put(sentence, "columns", columns)
    put(sentence, "context", context)
    put(sentence, "source", source)
    put(sentence, "lines", lines)
    put(sentence, "layout", layout)
    put(sentence, "between", between)
    return sentence


_TOKEN_NAMES = ("text", "word")  # where rules look for the token itself
_STR = {str}  # the types of all values are compared at once: a corpus has many sentences


def _strings(values: Sequence[str], what: str) -> tuple[str, ...]:
    if isinstance(values, str):
        raise InputError(f"{what} must be a list of str, got the string {values!r}")
    strings = tuple(values)
    for index, value in enumerate(strings):
        if not isinstance(value, str):
            raise InputError(f"{what} must be strings, but at position {index} is {value!r}")
    return strings
