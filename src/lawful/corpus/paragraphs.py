"""Paragraphs: the lines between two blank lines."""

from __future__ import annotations

import re
from collections.abc import Iterator

from lawful.corpus.sources import MAX_LINE, MAX_TOKENS, Block, Source, name_of, read_blocks, read_texts
from lawful.errors import CorpusError

__all__ = ["cut_paragraphs", "read_paragraphs", "read_stretches", "read_stretches_of_text"]


def read_paragraphs(
    source: Source, *, encoding: str = "utf-8", max_line: int = MAX_LINE, max_lines: int = MAX_TOKENS
) -> Iterator[Block]:
    r"""Each run of lines that are not blank, with the number of its first line.

    Examples
    --------
    >>> import io
    >>> for paragraph in read_paragraphs(io.StringIO("a\nb\n\n \nc")):
    ...     print(paragraph)
    Block(first=1, lines=['a', 'b'])
    Block(first=5, lines=['c'])
    """
    name = name_of(source)
    for stretch in read_stretches(source, encoding=encoding, max_line=max_line, max_lines=max_lines):
        yield from cut_paragraphs(stretch, name, max_lines)


def read_stretches(
    source: Source, *, encoding: str = "utf-8", max_line: int = MAX_LINE, max_lines: int = MAX_TOKENS
) -> Iterator[Block]:
    r"""The lines of a source, some thousand at a time, cut only after a blank line.

    Examples
    --------
    >>> import io
    >>> list(read_stretches(io.StringIO("a\n\nb\n\nc")))
    [Block(first=1, lines=['a', '', 'b', '']), Block(first=5, lines=['c'])]
    """
    name, began = name_of(source), 1
    waiting: list[str] = []  # the start of a paragraph that goes on in the next block
    for first, lines in read_blocks(source, encoding=encoding, max_line=max_line):
        end = len(lines)
        while end and lines[end - 1] and not lines[end - 1].isspace():
            end -= 1
        if end:
            yield Block(began, waiting + lines[:end])
            began, waiting = first + end, lines[end:]
        else:
            waiting += lines
        _check(waiting, name, began, max_lines)
    if waiting:
        yield Block(began, waiting)


def read_stretches_of_text(
    source: Source, *, encoding: str = "utf-8", max_line: int = MAX_LINE, max_lines: int = MAX_TOKENS
) -> Iterator[tuple[int, str]]:
    r"""The same before it is cut into lines: the number of the first line, and the text.

    Examples
    --------
    >>> import io
    >>> list(read_stretches_of_text(io.StringIO("a\n\nb\n\nc")))
    [(1, 'a\n\nb\n\n'), (5, 'c')]
    """
    name, began, waiting, lines = name_of(source), 1, "", 0
    whole, end = "", 0
    for first, text in read_texts(source, encoding=encoding, max_line=max_line):
        began = first - lines  # those that wait
        whole = waiting + text
        end = whole.rfind("\n\n") + 2
        if end == 1:  # blank lines may have blanks in them
            end = max((match.end() for match in _BLANK_LINE.finditer(whole)), default=0)
        if end:
            yield began, whole[:end]
        waiting = whole[end:]
        lines = waiting.count("\n")
        if lines > max_lines:
            _check(waiting.split("\n"), name, began + whole.count("\n", 0, end), max_lines)
    if waiting:
        yield began + whole.count("\n", 0, end), waiting


_BLANK_LINE = re.compile(r"^\s*\n", re.MULTILINE)


def cut_paragraphs(stretch: Block, name: str, max_lines: int = MAX_TOKENS) -> Iterator[Block]:
    """Each run of lines of a stretch that are not blank; `name` is for the error.

    Examples
    --------
    >>> list(cut_paragraphs(Block(7, ["", "a", " ", "b"]), "the text"))
    [Block(first=8, lines=['a']), Block(first=10, lines=['b'])]
    """
    first, lines = stretch
    start = 0
    for stop in [*(index for index, line in enumerate(lines) if not line or line.isspace()), len(lines)]:
        if start < stop:
            paragraph = lines[start:stop]
            _check(paragraph, name, first + start, max_lines)
            yield Block(first + start, paragraph)
        start = stop + 1


def _check(lines: list[str], name: str, first: int, max_lines: int) -> None:
    if len(lines) > max_lines:
        raise CorpusError(
            name,
            first,
            f"a sequence of more than {max_lines:,} lines begins here; is a blank line missing between sequences? "
            "Raise max_tokens if that is right",
        )
