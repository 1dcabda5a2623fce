"""Read CoNLL-style columns: one token per line, a blank line between sequences."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from lawful import _core
from lawful.corpus.formats.columns.rows import EvenStretch, RowReader, even_stretch
from lawful.corpus.layout import Layout, expand_names, guess_separator, make_layout, parse_separator
from lawful.corpus.paragraphs import cut_paragraphs, read_stretches
from lawful.corpus.sentence import CutColumns, Sentence, unchecked_sentence
from lawful.corpus.sources import MAX_LINE, MAX_TOKENS, Source, name_of
from lawful.errors import CorpusError, InputError, RaggedRowError

__all__ = ["ColumnTable", "Rows", "read_columns", "set_aside"]

DOCSTART = "-DOCSTART-"
MOST_COLUMNS = 1 << 12


def read_columns(
    source: Source,
    *,
    columns: Sequence[str] | str | None = None,
    token: str | int = 0,
    label: str | int | None = -1,
    separator: str | None = None,
    comment: str | None = None,
    docstart: str = "skip",
    encoding: str = "utf-8",
    max_line: int = MAX_LINE,
    max_tokens: int = MAX_TOKENS,
) -> Iterator[Sentence]:
    r"""Read sentences from columns, one at a time.

    Parameters
    ----------
    source : path, "-" or open file
        gzip is decompressed.
    columns : sequence of str, str or None
        Names of the columns, as `make_layout` takes them: `"word,pos,chunk"`, `"conll2003"`, `"word,args*"`.
        None: the first row says how many there are.
    token, label : str or int
        Which column holds them, by name or number, counted from 0 or from -1 at the end. `label=None`: none does.
    separator : str or None
        "tab", "whitespace" or one character. None: a tab if the first row has one, else whitespace.
    comment : str or None
        Lines that start with it are comments. Keep None for files in which "#" can be a word.
    docstart : "skip" or "keep"
        Whether `-DOCSTART-` lines are tokens ("keep"), or only number the documents ("skip":
        `context["document"]`).
    encoding : str
    max_line, max_tokens : int
        Maximum length of a line in characters, and of a sequence in lines.

    Examples
    --------
    >>> import io
    >>> text = "Confidence NN B-NP\nin IN B-PP\n\nBut CC O\n"
    >>> for sentence in read_columns(io.StringIO(text), columns="word,pos,chunk"):
    ...     print(sentence.tokens, sentence.labels, sentence.columns["pos"], sentence.lines)
    ('Confidence', 'in') ('B-NP', 'B-PP') ('NN', 'IN') range(1, 3)
    ('But',) ('O',) ('CC',) range(4, 5)
    """
    if docstart not in ("skip", "keep"):
        raise InputError(f"docstart must be 'skip' or 'keep', got {docstart!r}")
    if comment == "":
        raise InputError("comment must be the text that comment lines start with, got ''")
    name = name_of(source)
    table: ColumnTable | None = None
    chosen = parse_separator(separator)
    document, waiting = -1, list[tuple[int, str]]()
    special = tuple(mark for mark in (comment, DOCSTART if docstart == "skip" else None) if mark)
    for stretch in read_stretches(source, encoding=encoding, max_line=max_line, max_lines=max_tokens):
        even = None if waiting else even_stretch(stretch, special, max_tokens)
        if even is not None:
            if table is None:
                first_separator = chosen or guess_separator(stretch.lines[even.spans[0][0]])
                table = ColumnTable(name, columns, token, label, first_separator)
            sentences = table.sentences(even, {"document": document} if document >= 0 else {})
            if sentences is not None:
                yield from sentences
                continue
        for first, lines in cut_paragraphs(stretch, name, max_tokens):
            numbers: Sequence[int] = range(first, first + len(lines))
            between = waiting
            if comment is not None:
                lines, numbers, comments = set_aside(lines, numbers, comment)
                between = between + comments
            if docstart == "skip" and lines and lines[0].startswith(DOCSTART):
                document += 1
                between = [*between, (0, lines[0])]
                lines, numbers = lines[1:], numbers[1:]
                if not lines:
                    between.append((0, ""))
            if not lines:
                waiting = between
                continue
            waiting = []
            if table is None:
                table = ColumnTable(name, columns, token, label, chosen or guess_separator(lines[0]))
            context = {"document": document} if document >= 0 else {}
            yield table.sentence(lines, numbers, tuple(between), context)


def set_aside(
    lines: list[str], numbers: Sequence[int], comment: str
) -> tuple[list[str], Sequence[int], list[tuple[int, str]]]:
    """The lines without comments, their numbers, and the comments, each with the position of the token after it.

    Examples
    --------
    >>> set_aside(["# text", "a", "b"], range(7, 10), "#")
    (['a', 'b'], range(8, 10), [(0, '# text')])
    """
    first = 0
    while first < len(lines) and lines[first].startswith(comment):
        first += 1
    comments = [(0, line) for line in lines[:first]]
    lines, numbers = lines[first:], numbers[first:]
    if any(line.startswith(comment) for line in lines):
        kept: list[str] = []
        kept_numbers = []
        for number, line in zip(numbers, lines, strict=True):
            if line.startswith(comment):
                comments.append((len(kept), line))
            else:
                kept.append(line)
                kept_numbers.append(number)
        lines, numbers = kept, tuple(kept_numbers)
    return lines, numbers, comments


class Rows(NamedTuple):
    """What one sentence is made of.

    Attributes
    ----------
    lines : list of str
        Its rows, none of which is blank.
    numbers : sequence of int
        Their places in the file.
    between : tuple of (int, str)
        The lines that are no rows.
    context : mapping
    """

    lines: list[str]
    numbers: Sequence[int]
    between: tuple[tuple[int, str], ...]
    context: Mapping[str, object]


class ColumnTable:
    """Turns the lines of one file into sentences. All have the same columns, and equal strings are shared."""

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
        """The sentence on these lines, none of which is blank."""
        rows = self.reader.rows(lines)
        layout = self.layouts.get(len(rows[0]))
        if layout is None or len(set(map(len, rows))) != 1:
            layout = self._check(rows, numbers, lines)
        fields = dict(zip(layout.names, zip(*rows, strict=True), strict=True))
        tokens = fields.pop(layout.token)
        labels = None if layout.label is None else fields.pop(layout.label)
        if "" in tokens or (labels is not None and "" in labels):
            self._refuse_empty(tokens, labels, numbers)
        return unchecked_sentence(tokens, labels, fields, context, self.source, numbers, layout, between)

    def sentences(self, even: EvenStretch, context: Mapping[str, object]) -> list[Sentence] | None:
        """All sentences of a stretch at once; None if its rows differ in width, or contain something to be refused.

        `sentence` reads the same sentences one by one, and its errors name the line.
        """
        if self.cutter is None or (self.separator == " " and "\t" in even.text):
            return None
        lines, spans = even.lines, even.spans
        start, stop = spans[0]
        first_rows = self.reader.rows(lines[start:stop])
        width = len(first_rows[0])
        layout = self.layouts.get(width)
        if layout is None:
            numbers = range(even.first + start, even.first + stop)
            layout = self._check(first_rows, numbers, lines[start:stop])
        needed = (layout.token, layout.label)
        filled = [self.separator == " " or name in needed for name in layout.names]
        runs = self.cutter.cut(even.text, width, [stop - start for start, stop in spans], filled)
        if runs is None:
            return None
        names, source, sentences = layout.names, self.source, []
        for (start, stop), run in zip(spans, runs, strict=True):
            columns = dict(zip(names, run, strict=True))
            tokens = columns.pop(layout.token)
            labels = None if layout.label is None else columns.pop(layout.label)
            numbers = range(even.first + start, even.first + stop)
            sentences.append(
                unchecked_sentence(tokens, labels, columns, dict(context), source, numbers, layout, ())
            )
        return sentences

    def sentences_of_conllu(self, text: str, first: int, max_rows: int) -> Iterator[Sentence] | None:
        """All sentences of a stretch of CoNLL-U at once; None if there is anything in it that must be read line by line.

        Only tokens and labels are cut here; other columns when they are asked for.
        """
        if self.cutter is None:
            return None
        layout = self.layouts.get(self.width or 0)
        if layout is None:
            if self.width is None:
                return None
            layout = self.layouts[self.width] = make_layout(
                self.columns, self.width, token=self.token, label=self.label, separator=self.separator
            )
        wanted = [name for name in (layout.token, layout.label) if name is not None]
        indices = [layout.names.index(name) for name in wanted]
        cut = self.cutter.cut_conllu(text, len(layout.names), indices, max_rows)
        return None if cut is None else self._sentences_of_cut(cut, first, layout)

    def _sentences_of_cut(
        self, cut: Iterable[tuple[Any, ...]], first: int, layout: Layout
    ) -> Iterator[Sentence]:
        names, others, source = layout.names, layout.others, self.source
        assert self.cutter is not None  # noqa: S101  # for the type checker
        for line, between, context, apart, count, rows, (tokens, *labels) in cut:
            start = first + line
            numbers = range(start, start + count) if apart is None else tuple(first + row for row in apart)
            columns = CutColumns(rows, count, names, others, self.cutter)
            yield unchecked_sentence(
                tokens, labels[0] if labels else None, columns, context, source, numbers, layout, between
            )

    def sentences_of(self, found: Sequence[Rows]) -> Iterator[Sentence]:
        """The sentences on these rows, cut at once where that is possible; an error comes after the sentences before it."""
        runs = self._cut_at_once(found)
        if not runs:
            yield from (self.sentence(*rows) for rows in found)
            return
        layout = self.layouts[len(runs[0])]
        for (_, numbers, between, context), run in zip(found, runs, strict=True):
            columns = dict(zip(layout.names, run, strict=True))
            tokens = columns.pop(layout.token)
            labels = None if layout.label is None else columns.pop(layout.label)
            yield unchecked_sentence(tokens, labels, columns, context, self.source, numbers, layout, between)

    def _cut_at_once(self, found: Sequence[Rows]) -> list[tuple[tuple[str, ...], ...]] | None:
        """The columns of each sentence; None if one of them has something to be refused, or there are none."""
        if self.cutter is None or not found:
            return None
        layout = self.layouts.get(self.width or 0)
        if layout is None:
            try:
                layout = self.sentence(*found[0]).layout
            except CorpusError:  # raised again when its turn comes
                return None
        if layout is None:
            return None
        needed = (layout.token, layout.label)
        filled = [self.separator == " " or name in needed for name in layout.names]
        text = "\n".join([line for rows in found for line in rows.lines])
        return self.cutter.cut(text, len(layout.names), [len(rows.lines) for rows in found], filled)

    def _check(self, rows: list[Sequence[str]], numbers: Sequence[int], lines: list[str]) -> Layout:
        # The first row of a file sets the width of all; with a starred column, the first row of each sentence does.
        expected = self.width or len(rows[0])
        separator = "whitespace" if self.separator == " " else repr(self.separator)
        if len(rows[0]) > MOST_COLUMNS:
            raise CorpusError(
                self.source,
                numbers[0],
                f"{len(rows[0]):,} columns, more than {MOST_COLUMNS:,}: there must be one token per line, and the separator "
                f"must be right (it is {separator})",
            )
        for row, number, line in zip(rows, numbers, lines, strict=True):
            if len(row) != expected or len(row) < self.least:
                plural = "" if expected == 1 else "s"
                expectation = (
                    f"{expected} column{plural}"
                    if expected >= self.least
                    else f"at least {self.least} columns"
                )
                if self.columns is not None:
                    expectation += f" ({', '.join(expand_names(self.columns, expected))})"
                advice = "pass separator='whitespace'" if len(line.split()) == expected else ""
                raise RaggedRowError(
                    self.source, number, f"{expectation} separated by {separator}", len(row), line, advice
                )
        if self.columns is None:
            self.width = expected
        layout = self.layouts.get(expected)
        if layout is None:
            try:
                layout = make_layout(
                    self.columns, expected, token=self.token, label=self.label, separator=self.separator
                )
            except InputError as error:
                raise CorpusError(self.source, numbers[0], str(error)) from None
            self.layouts[expected] = layout
        return layout

    def _refuse_empty(
        self, tokens: tuple[str, ...], labels: tuple[str, ...] | None, numbers: Sequence[int]
    ) -> None:
        for what, column in (("token", tokens), ("label", labels or ())):
            if "" in column:
                raise CorpusError(self.source, numbers[column.index("")], f"the {what} is empty")
