"""Read CoNLL-style columns: a token a line, a blank line between sequences."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from lawful.corpus.formats.columns.even import even_stretch
from lawful.corpus.formats.columns.table import ColumnTable
from lawful.corpus.paragraphs import cut_paragraphs, read_stretches
from lawful.corpus.sentence import Sentence
from lawful.corpus.separators import guess_separator, parse_separator
from lawful.corpus.sources import MAX_LINE, MAX_TOKENS, Source, name_of
from lawful.errors import InputError

__all__ = ["read_columns", "set_aside"]

DOCSTART = "-DOCSTART-"


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
        gzip is unpacked.
    columns : sequence of str, str or None
        Names of the columns, as `make_layout` takes them: `"word,pos,chunk"`, `"conll2003"`, `"word,args*"`.
        None: the first row says how many there are.
    token, label : str or int
        Which column holds them, by name or place. `label=None`: none does.
    separator : str or None
        "tab", "whitespace" or a character. None: a tab if the first row has one, else whitespace.
    comment : str or None
        Lines that start with it are comments. (None is right for files in which "#" can be a word.)
    docstart : "skip" or "keep"
        What to do with `-DOCSTART-` lines: keep them as tokens, or let them count the documents
        (`context["document"]`).
    encoding : str
    max_line, max_tokens : int
        The longest line (characters) and sequence (lines) to accept.

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
        raise InputError("comment must be what comment lines start with, got ''")
    name = name_of(source)
    table: ColumnTable | None = None
    wanted = parse_separator(separator)
    document, carried = -1, list[tuple[int, str]]()
    special = tuple(mark for mark in (comment, DOCSTART if docstart == "skip" else None) if mark)
    for stretch in read_stretches(source, encoding=encoding, max_line=max_line, max_lines=max_tokens):
        even = None if carried else even_stretch(stretch, special, max_tokens)
        if even is not None:
            if table is None:
                begin = wanted or guess_separator(stretch.lines[even.spans[0][0]])
                table = ColumnTable(name, columns, token, label, begin)
            whole = table.sentences(even, {"document": document} if document >= 0 else {})
            if whole is not None:
                yield from whole
                continue
        for first, lines in cut_paragraphs(stretch, name, max_tokens):
            numbers: Sequence[int] = range(first, first + len(lines))
            between = carried
            if comment is not None:
                lines, numbers, found = set_aside(lines, numbers, comment)
                between = between + found
            if docstart == "skip" and lines and lines[0].startswith(DOCSTART):
                document += 1
                between = [*between, (0, lines[0])]
                lines, numbers = lines[1:], numbers[1:]
                if not lines:
                    between.append((0, ""))
            if not lines:
                carried = between
                continue
            carried = []
            if table is None:
                table = ColumnTable(name, columns, token, label, wanted or guess_separator(lines[0]))
            context = {"document": document} if document >= 0 else {}
            yield table.sentence(lines, numbers, tuple(between), context)


def set_aside(
    lines: list[str], numbers: Sequence[int], comment: str
) -> tuple[list[str], Sequence[int], list[tuple[int, str]]]:
    """Lines without the comments, their numbers, and the comments with the token before which each stood.

    Examples
    --------
    >>> set_aside(["# text", "a", "b"], range(7, 10), "#")
    (['a', 'b'], range(8, 10), [(0, '# text')])
    """
    at = 0
    while at < len(lines) and lines[at].startswith(comment):
        at += 1
    found = [(0, line) for line in lines[:at]]
    lines, numbers = lines[at:], numbers[at:]
    if any(line.startswith(comment) for line in lines):
        kept: list[str] = []
        kept_numbers = []
        for number, line in zip(numbers, lines, strict=True):
            if line.startswith(comment):
                found.append((len(kept), line))
            else:
                kept.append(line)
                kept_numbers.append(number)
        lines, numbers = kept, tuple(kept_numbers)
    return lines, numbers, found
