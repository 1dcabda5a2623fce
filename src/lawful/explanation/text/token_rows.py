"""A table of the tokens of a sequence with two labellings."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from types import MappingProxyType
from typing import Any

from lawful.errors import TokenError
from lawful.lattice import AnyLattice
from lawful.rules.tokens.values import text_of
from lawful.support.styled_text import Line, StyledRun, columns

__all__ = ["short_text", "token_rows", "token_text"]

AROUND = 2
"""Number of tokens that are shown on each side of one that differs."""

LONGEST_TOKEN = 24


def token_rows(
    lattice: AnyLattice,
    before: Sequence[str],
    after: Sequence[str],
    differ: Collection[int],
    *,
    heads: tuple[str, str],
    notes: Mapping[int, Sequence[str]] = MappingProxyType({}),
) -> list[Line]:
    """One line per token, with both labels where they differ, and notes; stretches without differences are cut out.

    Parameters
    ----------
    lattice : Lattice or GraphLattice
        For its tokens, if it has any.
    before, after : sequences of label names
    differ : collection of int
        The positions at which they differ.
    heads : pair of str
        The names of both labellings.
    notes : mapping from position to lines of text
        Shown at the end of the line; further lines go below.
    """
    if not differ:
        return []
    length = max(len(before), len(after))
    near = {-1, length} | {t for d in differ for t in range(d - AROUND, d + AROUND + 1)}
    # A single token is shown rather than cut out: the dots would take its place anyway.
    shown = [t for t in range(length) if t in near or {t - 1, t + 1} <= near]
    head = ["", "" if lattice.tokens is None else "token", heads[0], "", heads[1]]
    rows = [[StyledRun(text, "dim") for text in head]]
    last = -1
    for t in shown:
        if t > last + 1:
            rows.append([StyledRun("..", "dim")])
        rows += _token(t, lattice.tokens, before, after, changed=t in differ, notes=notes.get(t, ()))
        last = t
    if last + 1 < length:
        rows.append([StyledRun("..", "dim")])
    return columns(rows, right=[0])


def token_text(token: Any) -> str:
    """The text of a token; a token without text is converted by `str`.

    Examples
    --------
    >>> token_text("Bonn"), token_text({"word": "Bonn"}), token_text(53113)
    ('Bonn', 'Bonn', '53113')
    """
    try:
        return text_of(token)
    except TokenError:
        return str(token)


def short_text(tokens: Sequence[Any] | None, position: int) -> str:
    """The text of a token, cut if it is long; empty if there is no token."""
    if tokens is None or position >= len(tokens):
        return ""
    text = token_text(tokens[position])
    return text if len(text) <= LONGEST_TOKEN else text[: LONGEST_TOKEN - 2] + ".."


def _token(
    position: int,
    tokens: Sequence[Any] | None,
    before: Sequence[str],
    after: Sequence[str],
    *,
    changed: bool,
    notes: Sequence[str],
) -> list[list[StyledRun]]:
    old, new = (labels[position] if position < len(labels) else "nothing" for labels in (before, after))
    number, text = StyledRun(str(position), "dim"), short_text(tokens, position)
    if not changed:
        return [[number, StyledRun(text), StyledRun(old, "dim")]]
    first = [
        number,
        StyledRun(text, "bold"),
        StyledRun(old, "red"),
        StyledRun("->", "dim"),
        StyledRun(new, "bold green"),
    ]
    below = [[StyledRun("")] * 5 + [StyledRun(note)] for note in notes[1:]]
    return [[*first, *(StyledRun(note) for note in notes[:1])], *below]
