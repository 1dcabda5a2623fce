"""Rows of one token each into sequences, by the name of the sequence in each row."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from lawful.corpus.layout import Layout
from lawful.corpus.sentence import Sentence
from lawful.errors import CorpusError

__all__ = ["group_rows", "require_keys"]

_REMEMBERED = 100_000  # names of the last sequences, to notice one that appears again


def group_rows(
    rows: Iterable[tuple[int, Mapping[str, str]]],
    source: str,
    *,
    sequence: str,
    token: str,
    label: str | None,
    max_tokens: int,
) -> Iterator[Sentence]:
    """Sentences from neighbouring rows that name the same sequence; a row that names none continues the sequence.

    Examples
    --------
    >>> rows = [(2, {"s": "1", "w": "a"}), (3, {"s": "", "w": "b"}), (4, {"s": "2", "w": "c"})]
    >>> [found.tokens for found in group_rows(rows, "x.csv", sequence="s", token="w", label=None, max_tokens=9)]
    [('a', 'b'), ('c',)]
    """
    seen: dict[str, None] = {}
    group: list[Mapping[str, str]] = []
    numbers: list[int] = []
    current = ""
    layout = Layout((token,), token, None)
    for number, row in rows:
        if not numbers and not seen:
            names = tuple(key for key in row if key != sequence)
            layout = Layout(names, token, label, sequence=sequence)
        name = row[sequence]
        if group and name and name != current:
            yield _sentence(group, numbers, source, current, layout)
            group, numbers = [], []
        if name and name != current:
            if name in seen:
                raise CorpusError(
                    source, number, f"sequence {name!r} appears again; sort the rows by {sequence!r}"
                )
            seen[name] = None
            if len(seen) > _REMEMBERED:
                del seen[next(iter(seen))]
            current = name
        group.append(row)
        numbers.append(number)
        if len(group) > max_tokens:
            raise CorpusError(
                source,
                numbers[0],
                f"sequence {current!r} has more than max_tokens={max_tokens:,} rows; raise it",
            )
    if group:
        yield _sentence(group, numbers, source, current, layout)


def _sentence(
    rows: Sequence[Mapping[str, str]],
    numbers: list[int],
    source: str,
    name: str,
    layout: Layout,
) -> Sentence:
    token, label, sequence = layout.token, layout.label, layout.sequence or ""
    for number, row in zip(numbers, rows, strict=True):
        for role, key in (("token", token), ("label", label)):
            if key is not None and not row[key]:
                raise CorpusError(source, number, f"the {role} (column {key!r}) is empty")
    return Sentence(
        tuple(row[token] for row in rows),
        None if label is None else tuple(row[label] for row in rows),
        {key: tuple(row[key] for row in rows) for key in layout.others},
        {sequence: name} if name else {},
        source,
        tuple(numbers),
        layout,
    )


def require_keys(keys: Sequence[str], required: Iterable[str | None], source: str, line: int | None) -> None:
    """Raise an error if a table lacks a column.

    Examples
    --------
    >>> require_keys(["a", "b"], ["a", None], "x.csv", 1)
    """
    for key in required:
        if key is not None and key not in keys:
            raise CorpusError(source, line, f"no column {key!r}; the columns are {', '.join(keys)}")
