"""Plain text: one sequence a line, cut into tokens by a tokenizer."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from lawful.corpus.sentence import Sentence
from lawful.corpus.sources import MAX_LINE, MAX_TOKENS, Source, name_of, read_lines
from lawful.corpus.texts.tokenizer import Tokenizer, TokenizerLike, text_sentence
from lawful.errors import CorpusError

__all__ = ["could_be_text", "cut_text", "looks_like_text", "read_text"]

LOOKED_AT = 50  # lines


def looks_like_text(start: bytes) -> bool:
    r"""Whether the first bytes of a file are lines of text rather than columns: lines of different widths, or only one.

    Examples
    --------
    >>> looks_like_text(b"Lee, A. On rules.\nOh, B. (1999).\n"), looks_like_text(b"12 Main St\n")
    (True, True)
    >>> looks_like_text(b"in IN\nit PRP\n"), looks_like_text(b"in\tIN")
    (False, False)
    """
    lines = start.decode("utf-8-sig", errors="replace").splitlines()[: LOOKED_AT + 1]
    if len(lines) > LOOKED_AT or (lines and not start.endswith(b"\n") and len(lines) > 1):
        lines.pop()  # it may be half a line
    filled = [line for line in lines if line.strip()]
    if any("\t" in line for line in filled):
        return False
    widths = {len(line.split()) for line in filled}
    return len(widths) > 1 if len(filled) > 1 else max(widths, default=0) > 2


def could_be_text(start: bytes) -> bool:
    r"""Whether the first bytes of a file, which look like columns, may be texts that happen to have as many words each.

    Columns have a blank line after each sequence, and mostly two columns.

    Examples
    --------
    >>> could_be_text(b"2 cups flour\n3 cups milk\n"), could_be_text(b"in IN O\n\nit PRP O\n"), could_be_text(b"a X\nb Y\n")
    (True, False, False)
    """
    lines = start.decode("utf-8-sig", errors="replace").splitlines()[:LOOKED_AT]
    widths = {len(line.split()) for line in lines}
    return not any("\t" in line for line in lines) and len(lines) > 1 and min(widths) > 2


def read_text(
    source: Source,
    *,
    tokenizer: TokenizerLike = "words",
    encoding: str = "utf-8",
    max_line: int = MAX_LINE,
    max_tokens: int = MAX_TOKENS,
) -> Iterator[Sentence]:
    r"""Read a text, one sequence a line, one at a time; empty lines are skipped.

    The text and the place of each token are in the context, as `text` and `offsets`.

    Parameters
    ----------
    source : path, "-" or open file
    tokenizer : Tokenizer or str
        How to cut a line into tokens: "words", "blanks", ... or a regular expression; see `Tokenizer`. For a model's
        sake take its own: `model.tokenizer`.
    encoding, max_line, max_tokens
        As in `read_columns`.

    Examples
    --------
    >>> import io
    >>> [sentence] = read_text(io.StringIO("12 Main St.\n"))
    >>> sentence.tokens, sentence.context["offsets"]
    (('12', 'Main', 'St', '.'), [[0, 2], [3, 7], [8, 10], [10, 11]])
    """
    cutter, name = Tokenizer.of(tokenizer), name_of(source)
    for number, line in read_lines(source, encoding=encoding, max_line=max_line):
        if line and not line.isspace():
            yield cut_text(line, cutter, name, number, max_tokens)


def cut_text(
    text: str, tokenizer: Tokenizer, source: str, line: int, max_tokens: int = MAX_TOKENS
) -> Sentence:
    """The sentence of a text on a line of a file.

    Examples
    --------
    >>> cut_text("to Bonn", Tokenizer(), "refs.txt", 3).location()
    'refs.txt, line 3: '
    """
    spans = tokenizer.spans(text)
    if len(spans) > max_tokens:
        raise CorpusError(
            source, line, f"a text of {len(spans):,} tokens, more than max_tokens={max_tokens:,}; raise it"
        )
    return text_sentence(text, spans, source=source, lines=(line,) * len(spans))


def beside_text(record: Mapping[str, Any], known: Mapping[str, Any]) -> dict[str, Any]:
    """What a record says besides its text, and what is `known` of the text; a name that both have ends in _ for the former.

    Examples
    --------
    >>> beside_text({"id": 7, "text": "a note"}, {"text": "to Bonn"})
    {'id': 7, 'text_': 'a note', 'text': 'to Bonn'}
    """
    return {f"{name}_" if name in known else name: value for name, value in record.items()} | dict(known)
