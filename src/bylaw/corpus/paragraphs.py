"""The lines between two blank lines."""

from __future__ import annotations

from collections.abc import Iterator

from bylaw.corpus.sources import MAX_LINE, MAX_TOKENS, Source, name_of, read_blocks
from bylaw.errors import CorpusError

__all__ = ["read_paragraphs"]


def read_paragraphs(
    source: Source, *, encoding: str = "utf-8", max_line: int = MAX_LINE, max_lines: int = MAX_TOKENS
) -> Iterator[tuple[int, list[str]]]:
    r"""Each run of lines that are not blank, with the number of its first line.

    Examples
    --------
    >>> import io
    >>> list(read_paragraphs(io.StringIO("a\nb\n\n \nc")))
    [(1, ['a', 'b']), (5, ['c'])]
    """
    name, began = name_of(source), 1
    waiting: list[str] = []  # the start of a paragraph that goes on in the next block
    for first, lines in read_blocks(source, encoding=encoding, max_line=max_line):
        start = 0
        for blank in [at for at, line in enumerate(lines) if not line or line.isspace()]:
            found = lines[start:blank]
            if waiting:
                waiting += found
                found, waiting, number = waiting, [], began
            else:
                number = first + start
            if found:
                _check(found, name, number, max_lines)
                yield number, found
            start = blank + 1
        if start < len(lines):
            if not waiting:
                began = first + start
            waiting += lines[start:]
            _check(waiting, name, began, max_lines)
    if waiting:
        yield began, waiting


def _check(lines: list[str], name: str, first: int, max_lines: int) -> None:
    if len(lines) > max_lines:
        raise CorpusError(
            name,
            first,
            f"a sequence of more than {max_lines:,} lines begins here; is a blank line missing between sequences? "
            "Raise max_tokens if that is right",
        )
