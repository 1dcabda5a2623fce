"""Lines into sentences: the same columns throughout a file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from lawful import _core
from lawful.corpus.formats.columns.even import EvenStretch
from lawful.corpus.formats.columns.rows import RowReader
from lawful.corpus.layout import Layout, expand_names, make_layout
from lawful.corpus.sentence import Sentence, unchecked_sentence
from lawful.errors import CorpusError, RaggedRowError

__all__ = ["ColumnTable"]

MOST_COLUMNS = 1 << 12


class ColumnTable:
    """Turns the lines of one file into sentences: the same columns throughout, equal strings shared."""

    def __init__(
        self,
        source: str,
        columns: Sequence[str] | str | None,
        token: str | int,
        label: str | int | None,
        separator: str,
    ) -> None:
        self.source, self.columns, self.token, self.label = source, columns, token, label
        self.separator, self.reader = separator, RowReader(separator)
        self.cutter = _core.ColumnCutter(separator) if len(separator) == 1 and separator.isascii() else None
        self.layouts: dict[int, Layout] = {}
        self.width: int | None = None
        self.least = 1
        if columns is not None:
            names = expand_names(columns, 0)
            starred = (columns if isinstance(columns, str) else columns[-1]).endswith("*")
            self.width, self.least = None if starred else len(names), len(names)

    def sentence(
        self,
        lines: list[str],
        numbers: Sequence[int],
        between: tuple[tuple[int, str], ...],
        context: Mapping[str, object],
    ) -> Sentence:
        """The sentence on these lines, none of them blank."""
        rows = self.reader.rows(lines)
        layout = self.layouts.get(len(rows[0]))
        if layout is None or len(set(map(len, rows))) != 1:
            layout = self._check(rows, numbers, lines)
        found = dict(zip(layout.names, zip(*rows, strict=True), strict=True))
        tokens = found.pop(layout.token)
        labels = None if layout.label is None else found.pop(layout.label)
        if "" in tokens or (labels is not None and "" in labels):
            self._refuse_empty(tokens, labels, numbers)
        return unchecked_sentence(tokens, labels, found, context, self.source, numbers, layout, between)

    def sentences(self, even: EvenStretch, context: Mapping[str, object]) -> list[Sentence] | None:
        """All sentences of a stretch at once; None if its rows are not alike, or hold what must be refused.

        What this gives, `sentence` gives too, one by one, and it says what is wrong with which line.
        """
        if self.cutter is None or (self.separator == " " and "\t" in even.text):
            return None
        lines, spans = even.lines, even.spans
        start, stop = spans[0]
        head = self.reader.rows(lines[start:stop])
        width = len(head[0])
        layout = self.layouts.get(width)
        if layout is None:
            numbers = range(even.first + start, even.first + stop)
            layout = self._check(head, numbers, lines[start:stop])
        needed = (layout.token, layout.label)
        filled = [self.separator == " " or name in needed for name in layout.names]
        runs = self.cutter.cut(even.text, width, [stop - start for start, stop in spans], filled)
        if runs is None:
            return None
        names, source, found = layout.names, self.source, []
        for (start, stop), run in zip(spans, runs, strict=True):
            columns = dict(zip(names, run, strict=True))
            tokens = columns.pop(layout.token)
            labels = None if layout.label is None else columns.pop(layout.label)
            numbers = range(even.first + start, even.first + stop)
            found.append(
                unchecked_sentence(tokens, labels, columns, dict(context), source, numbers, layout, ())
            )
        return found

    def _check(self, rows: list[Sequence[str]], numbers: Sequence[int], lines: list[str]) -> Layout:
        # What the first row of a file has, or of a sentence where the number may differ, is expected of the rest.
        expected = self.width or len(rows[0])
        split = "whitespace" if self.separator == " " else repr(self.separator)
        if len(rows[0]) > MOST_COLUMNS:
            raise CorpusError(
                self.source,
                numbers[0],
                f"{len(rows[0]):,} columns, more than {MOST_COLUMNS:,}: there must be a token a line, and the separator "
                f"must be right (it is {split})",
            )
        for row, number, line in zip(rows, numbers, lines, strict=True):
            if len(row) != expected or len(row) < self.least:
                plural = "" if expected == 1 else "s"
                told = (
                    f"{expected} column{plural}"
                    if expected >= self.least
                    else f"at least {self.least} columns"
                )
                if self.columns is not None:
                    told += f" ({', '.join(expand_names(self.columns, expected))})"
                raise RaggedRowError(self.source, number, f"{told} parted by {split}", len(row), line)
        if self.columns is None:
            self.width = expected
        layout = self.layouts.get(expected)
        if layout is None:
            layout = make_layout(
                self.columns, expected, token=self.token, label=self.label, separator=self.separator
            )
            self.layouts[expected] = layout
        return layout

    def _refuse_empty(
        self, tokens: tuple[str, ...], labels: tuple[str, ...] | None, numbers: Sequence[int]
    ) -> None:
        for what, column in (("token", tokens), ("label", labels or ())):
            if "" in column:
                raise CorpusError(self.source, numbers[column.index("")], f"the {what} is empty")
