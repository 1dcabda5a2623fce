"""Many sentences of one layout as one text: what is asked of a sentence is asked of all of them at once."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain

from lawful.corpus.layout import Layout
from lawful.corpus.sentence import Sentence

__all__ = ["format_together"]


def format_together(sentences: Sequence[Sentence], layout: Layout, names: Sequence[str]) -> str | None:
    r"""The lines of all sentences, a blank line after each; None if any of them must be looked at by itself.

    That is one with lines that are no tokens, or with a value that cannot be written in such columns.

    Examples
    --------
    >>> layout = Layout(("token", "label"), "token", "label", " ")
    >>> format_together([Sentence(("a", "b"), ("X", "Y")), Sentence(("c",), ("X",))], layout, layout.names)
    'a X\nb Y\n\nc X\n\n'
    >>> format_together([Sentence(("a b",), ("X",))], layout, layout.names) is None
    True
    """
    mark = layout.separator
    if any(one.between or not one.tokens for one in sentences) or len(mark) != 1:
        return None
    try:
        columns = [_column(sentences, layout, name) for name in names]
    except (KeyError, TypeError):  # a column, or labels, that a sentence does not have
        return None
    rows, width = len(columns[0]), 2 * len(columns)
    ends, last = ["\n"] * rows, -1
    for one in sentences:
        last += len(one.tokens)
        ends[last] = "\n\n"
    laid_out = [mark] * (rows * width)
    for place, column in enumerate((*columns, ends)):
        laid_out[min(2 * place, width - 1) :: width] = column
    text = "".join(laid_out)
    # The counts tell that no value would be read as two, or as a line end.
    fits = text.count(mark) == rows * (len(columns) - 1) and text.count("\n") == rows + len(sentences)
    if not fits or "\r" in text or "\0" in text or (mark == " " and "\t" in text):
        return None
    filled = columns if mark == " " else [_column(sentences, layout, layout.token)]
    return None if any("" in column for column in filled) else text


def _column(sentences: Sequence[Sentence], layout: Layout, name: str) -> list[str]:
    if name == layout.token:
        return list(chain.from_iterable([one.tokens for one in sentences]))
    if name == layout.label:
        return list(chain.from_iterable([one.labels for one in sentences]))  # type: ignore[misc]
    return list(chain.from_iterable([one.columns[name] for one in sentences]))
