"""Printing in colour, and showing progress, where the output is a terminal."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Iterator, Sized
from contextlib import contextmanager
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from rich.console import Console

    from lawful.models.linear.progress import Progress as TrainingProgress

__all__ = [
    "make_console",
    "print_heading",
    "print_shown",
    "show_iterations",
    "show_progress",
    "track",
    "wants_colour",
]

Item = TypeVar("Item")


def wants_colour(*, stderr: bool = False) -> bool:
    """Whether to print in colour: on a terminal, unless NO_COLOR is set or the terminal is dumb.

    Examples
    --------
    >>> wants_colour()  # the output of this example goes to no terminal
    False
    """
    stream = sys.stderr if stderr else sys.stdout
    if os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb":
        return False
    return stream.isatty()


def make_console(*, stderr: bool = False) -> Console:
    """A rich console that follows `wants_colour`; anything but a terminal gets plain text and long lines.

    Examples
    --------
    >>> make_console().print("[bold]plain[/bold]")
    plain
    """
    from rich.console import Console

    stream = sys.stderr if stderr else sys.stdout
    colour = wants_colour(stderr=stderr)
    width = None if stream.isatty() or "COLUMNS" in os.environ else 10_000
    return Console(
        file=stream, no_color=not colour, highlight=False, width=width, soft_wrap=width is not None
    )


def print_shown(shown: object) -> None:
    """Print an explanation, with its colours where they are wanted.

    Examples
    --------
    >>> print_shown("plain")
    plain
    """
    if wants_colour():
        make_console().print(shown, soft_wrap=True)
    else:
        print(shown)


def print_heading(number: int, location: str, *, first: bool) -> None:
    """Print which sequence is meant, after an empty line unless it is the first.

    Examples
    --------
    >>> print_heading(3, "test.conll, line 12: ", first=True)
    sequence 3 (test.conll, line 12)
    """
    location = location.removesuffix(": ")
    head = ("" if first else "\n") + f"sequence {number}" + (f" ({location})" if location else "")
    if wants_colour():
        make_console().print(head, style="bold")
    else:
        print(head)


def track(items: Iterable[Item], what: str, *, total: int | None = None) -> Iterator[Item]:
    """The items, with a progress bar on stderr while they are processed; no bar if stderr is not a terminal.

    Examples
    --------
    >>> list(track([1, 2], "counting"))
    [1, 2]
    """
    if total is None and isinstance(items, Sized):
        total = len(items)
    with show_progress(what) as show:
        for done, item in enumerate(items, start=1):
            yield item
            if show is not None:
                show(done, total)


@contextmanager
def show_progress(what: str) -> Iterator[Callable[[int, int | None], None] | None]:
    """A function that shows on stderr how many items of how many are done; None if stderr is not a terminal.

    Examples
    --------
    >>> with show_progress("counting") as show:
    ...     print(show)
    None
    """
    if not _is_watched():
        yield None
        return
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=make_console(stderr=True), transient=True, redirect_stdout=False) as bar:
        task = bar.add_task(what, total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)


@contextmanager
def show_iterations() -> Iterator[Callable[[TrainingProgress], None] | None]:
    """A function that shows each iteration of training on one line of stderr; None if stderr is not a terminal.

    Examples
    --------
    >>> with show_iterations() as show:
    ...     print(show)
    None
    """
    if not _is_watched():
        yield None
        return
    from rich.live import Live

    with Live(console=make_console(stderr=True), refresh_per_second=8, transient=True) as line:
        yield lambda progress: line.update(str(progress))


def _is_watched() -> bool:
    """Whether somebody may watch stderr: a terminal on which a line can be written over."""
    return sys.stderr.isatty() and os.environ.get("TERM") != "dumb"
