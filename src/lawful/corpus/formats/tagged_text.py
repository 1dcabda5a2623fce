"""Read running text with SGML-like tags around its fields: `Time: <stime>3:30</stime> PM`."""

from __future__ import annotations

import re
from collections.abc import Collection

from lawful.corpus.sentence import Sentence
from lawful.corpus.sources import MAX_LINE, Source, name_of, read_lines
from lawful.errors import CorpusError

__all__ = ["read_tagged_text"]

_TOKEN = re.compile(r"[^\W\d_]+|\d+|[^\w\s]|_")


def read_tagged_text(
    source: Source,
    *,
    fields: Collection[str],
    ignored: Collection[str] = (),
    encoding: str = "utf-8",
    max_characters: int = MAX_LINE,
) -> Sentence:
    """Read one text whose fields are marked by tags; everything else in angle brackets is text.

    Tokens are runs of letters, runs of digits, and single other characters. Labels are IOB2. The column `space` says
    what precedes each token: "" (nothing), "_" (blanks), "|" (a line end) or "||" (a blank line).

    Parameters
    ----------
    source : path or open file
    fields : collection of str
        The tags whose content is a field.
    ignored : collection of str
        Tags that are dropped.
    encoding : str
    max_characters : int

    Examples
    --------
    >>> import io
    >>> found = read_tagged_text(io.StringIO("at <stime>3:30</stime>"), fields=["stime"])
    >>> found.tokens, found.labels
    (('at', '3', ':', '30'), ('O', 'B-stime', 'I-stime', 'I-stime'))
    """
    name = name_of(source)
    mark = re.compile(f"<(/?)({'|'.join(map(re.escape, [*fields, *ignored]))})>", re.IGNORECASE)
    lines = [line for _, line in read_lines(source, encoding=encoding, max_line=max_characters)]
    text = "\n".join(lines)
    if len(text) > max_characters:
        raise CorpusError(name, None, f"a text of more than {max_characters:,} characters")
    known = {field.lower(): field for field in fields}
    tokens: list[str] = []
    labels: list[str] = []
    spaces: list[str] = []
    numbers: list[int] = []
    inside: str | None = None
    begins, line, position, space = False, 1, 0, "\n"
    for tag in [*mark.finditer(text), None]:
        piece = text[position : tag.start() if tag else len(text)]
        last = 0
        for match in _TOKEN.finditer(piece):
            gap = piece[last : match.start()]
            space += gap
            line += gap.count("\n")
            tokens.append(match.group())
            spaces.append(_kind(space))
            labels.append("O" if inside is None else f"{'B' if begins else 'I'}-{inside}")
            numbers.append(line)
            begins, space, last = False, "", match.end()
        space += piece[last:]
        line += piece.count("\n", last)
        if tag is None:
            break
        position = tag.end()
        closing, field = bool(tag.group(1)), known.get(tag.group(2).lower())
        if field is None:
            continue
        if closing != (inside is not None) or (closing and inside != field):
            raise CorpusError(
                name, line, f"{tag.group()} where {f'</{inside}>' if inside else 'no end'} was expected"
            )
        inside, begins = (None, False) if closing else (field, True)
    if inside is not None:
        raise CorpusError(name, line, f"<{inside}> has no end")
    return Sentence(tuple(tokens), tuple(labels), {"space": tuple(spaces)}, {}, name, tuple(numbers))


def _kind(space: str) -> str:
    ends = space.count("\n")
    return "||" if ends > 1 else "|" if ends else "_" if space else ""
