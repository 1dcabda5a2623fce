"""Results as lines of styled text, plain or with colours. Colours need rich, which is imported when it is needed."""

from __future__ import annotations

import math
import unicodedata
from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from typing import IO, TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from rich.text import Text

__all__ = ["Line", "Shown", "StyledRun", "columns", "figures", "finite", "times"]

MOST_DECIMALS = 3


class StyledRun(NamedTuple):
    """Text in one style of rich's: "bold", "dim", "green", "bold red", ..."""

    text: str
    style: str = ""


Line = tuple[StyledRun, ...]


class Shown(ABC):
    """A result that prints as plain text, and with colours in a terminal or under rich."""

    @abstractmethod
    def lines(self) -> list[Line]:
        """The text, line by line."""

    def text(self, *, color: bool = False) -> str:
        """All of it as one string; with `color`, with the codes that colour a terminal."""
        if not color:
            return "\n".join("".join(span.text for span in line) for line in self.lines())
        from rich.console import Console

        console = Console(force_terminal=True, color_system="standard", no_color=False, legacy_windows=False)
        with console.capture() as capture:
            console.print(self, soft_wrap=True, end="")
        return capture.get()

    def print(self, *, file: IO[str] | None = None) -> None:
        """Print it, with colours if the output is a terminal that supports them."""
        from rich.console import Console

        Console(file=file, highlight=False).print(self, soft_wrap=True)

    def __str__(self) -> str:
        return self.text()

    def __rich__(self) -> Text:
        from rich.text import Text

        return Text("\n").join(Text.assemble(*line) for line in self.lines())


def columns(rows: Sequence[Sequence[StyledRun]], *, right: Iterable[int] = (), indent: int = 2) -> list[Line]:
    """Rows of cells as lines with aligned columns.

    The last cell of a row may be of any length; columns that are empty in every row are left out.

    Parameters
    ----------
    rows : sequence of sequences of StyledRun
    right : iterable of int
        The columns that are aligned to the right.
    indent : int
        Blanks before each line.

    Examples
    --------
    >>> for line in columns([[StyledRun("a"), StyledRun("1.5")], [StyledRun("long"), StyledRun("10")]], right=[1], indent=0):
    ...     print("".join(span.text for span in line))
    a     1.5
    long   10
    """
    printable = [[StyledRun(_printable(text), style) for text, style in row] for row in rows]
    count = max((len(row) for row in printable), default=0)
    widths = [
        max((_width(row[c].text) for row in printable if c < len(row)), default=0) for c in range(count)
    ]
    lines = []
    for row in printable:
        line = [StyledRun(" " * indent)]
        for c, cell in enumerate(row):
            if not widths[c]:
                continue
            padding = StyledRun(" " * (widths[c] - _width(cell.text)))
            line += [StyledRun("  ")] if len(line) > 1 else []
            line += [padding, cell] if c in set(right) else [cell, padding]
        while line and not line[-1].text.strip():
            line.pop()
        lines.append(tuple(span for span in line if span.text))
    return lines


def figures(values: Iterable[float]) -> list[str]:
    """Numbers with equally many decimals, as few as they need.

    Examples
    --------
    >>> figures([1.0, 0.25, float("inf")]), figures([3.0])
    (['1.00', '0.25', 'inf'], ['3'])
    """
    numbers = list(values)
    finite_numbers = (number for number in numbers if math.isfinite(number))
    decimals = max((_decimals(number) for number in finite_numbers), default=0)
    return [f"{number:.{decimals}f}" if math.isfinite(number) else str(number) for number in numbers]


def times(count: int) -> str:
    """A number of times, in words.

    Examples
    --------
    >>> times(1), times(2), times(7)
    ('once', 'twice', '7 times')
    """
    return {1: "once", 2: "twice"}.get(count, f"{count} times")


def finite(number: float) -> float | None:
    """A number for JSON, which has no infinities: None instead.

    Examples
    --------
    >>> finite(1.5), finite(float("-inf"))
    (1.5, None)
    """
    return number if math.isfinite(number) else None


def _decimals(value: float) -> int:
    for decimals in range(MOST_DECIMALS):
        if abs(round(value, decimals) - value) <= 1e-9 * max(1.0, abs(value)):
            return decimals
    return MOST_DECIMALS


def _width(text: str) -> int:
    return sum(
        0 if unicodedata.combining(letter) else 2 if unicodedata.east_asian_width(letter) in "WF" else 1
        for letter in text
    )


def _printable(text: str) -> str:
    """The text without anything that moves a terminal's cursor: tokens come from anywhere."""
    return "".join(letter if letter.isprintable() else repr(letter)[1:-1] for letter in text)
