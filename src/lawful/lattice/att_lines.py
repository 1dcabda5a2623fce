"""The lines of OpenFst's text files, each with the place to name if it is wrong."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import Literal, TextIO

from lawful.errors import AttFormatError, FileError

__all__ = ["EPSILON", "Line", "name_of", "opened", "read_lines", "read_symbols"]

EPSILON = "<eps>"


def read_symbols(source: str | Path | TextIO, *, max_bytes: int = 1 << 28) -> dict[int, str]:
    r"""Read an OpenFst symbol table: `name number` a line.

    Examples
    --------
    >>> import io
    >>> read_symbols(io.StringIO("<eps> 0\nO 1\n"))
    {0: '<eps>', 1: 'O'}
    """
    table: dict[int, str] = {}
    for line in read_lines(source, max_bytes):
        if len(line.fields) != 2:
            raise line.error(f"expected 'name number', got {len(line.fields)} fields")
        number = line.state(1)
        if number in table:
            raise line.error(f"number {number} stands for {table[number]!r} already")
        table[number] = line.fields[0]
    return table


class Line:
    """One line of the file, which knows where it stands."""

    def __init__(self, source: str, number: int, fields: list[str]) -> None:
        self.source, self.number, self.fields = source, number, fields

    def error(self, message: str) -> AttFormatError:
        """What is wrong with this line."""
        return AttFormatError(self.source, self.number, message)

    def state(self, at: int) -> int:
        """A field that holds a number >= 0."""
        if not (self.fields[at].isascii() and self.fields[at].isdigit()):
            raise self.error(f"expected a number >= 0, got {self.fields[at]!r}")
        return int(self.fields[at])

    def label(self, *, transducer: bool, side: str | None) -> tuple[str, int]:
        """The label of an arc, and where its weight stands."""
        least = 4 if transducer else 3
        if len(self.fields) not in (least, least + 1):
            hint = (
                "" if transducer or len(self.fields) != 5 else "; pass transducer=True for two labels an arc"
            )
            raise self.error(f"an arc has {least} or {least + 1} fields, got {len(self.fields)}{hint}")
        if not transducer:
            return self.fields[2], 3
        read, written = self.fields[2:4]
        if read != written and side is None:
            raise self.error(f"input {read!r} differs from output {written!r}; choose one with side='output'")
        return (read if side == "input" else written), 4

    def symbol(self, number: str, table: Mapping[int, str]) -> str | None:
        """The name of a number in the symbol table; None for 0, which is always epsilon."""
        if number == "0":
            return None
        if not number.isdigit() or int(number) not in table:
            raise self.error(f"{number!r} is not a number of the symbol table")
        return table[int(number)]

    def score(self, at: int, *, negate: bool) -> float:
        """The weight as a score; 0 if the line has none."""
        if at >= len(self.fields):
            return 0.0
        try:
            weight = float(self.fields[at])
        except ValueError:
            raise self.error(f"expected a weight, got {self.fields[at]!r}") from None
        score = -weight if negate else weight
        if not score < float("inf"):
            raise self.error(f"weight {self.fields[at]} is no {'cost' if negate else 'score'}")
        return score


def read_lines(source: str | Path | TextIO, max_bytes: int) -> Iterator[Line]:
    """The lines that are not blank."""
    name, size, number = name_of(source), 0, 0
    with opened(source, "r") as file:
        try:
            # readline with a size: a file without line ends must not fill the memory.
            while text := file.readline(max_bytes + 1):
                number += 1
                size += len(text)
                if size > max_bytes:
                    raise AttFormatError(name, number, f"the file is longer than max_bytes={max_bytes}")
                if fields := text.split():
                    yield Line(name, number, fields)
        except UnicodeDecodeError:
            raise AttFormatError(name, number + 1, "the file is not UTF-8 text") from None


def opened(file: str | Path | TextIO, mode: Literal["r", "w"]) -> AbstractContextManager[TextIO]:
    """The file at a path, or an open one, which stays open."""
    if isinstance(file, str | Path):
        try:
            return Path(file).open(mode, encoding="utf-8")
        except OSError as error:
            raise FileError.of(file, "opened" if mode == "r" else "written", error) from error
    return nullcontext(file)


def name_of(file: str | Path | TextIO) -> str:
    """What to call a file in an error message."""
    return str(file) if isinstance(file, str | Path) else str(getattr(file, "name", "the text"))
