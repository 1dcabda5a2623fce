"""Printing with colours where they are welcome, and progress where somebody watches."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Iterator, Sized
from contextlib import contextmanager
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from rich.console import Console

__all__ = ["count_off", "make_console", "track", "wants_colour"]

Item = TypeVar("Item")


def wants_colour(*, stderr: bool = False) -> bool:
    """Whether colours are welcome: on a terminal, unless NO_COLOR is set or the terminal is a dumb one.

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
    """A rich console that follows `wants_colour`; what is not a terminal gets plain text and long lines.

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


def track(items: Iterable[Item], what: str, *, total: int | None = None) -> Iterator[Item]:
    """The items, with a progress bar on stderr while they are worked on; silent where stderr is no terminal.

    Examples
    --------
    >>> list(track([1, 2], "counting"))
    [1, 2]
    """
    if total is None and isinstance(items, Sized):
        total = len(items)
    with count_off(what) as tell:
        for done, item in enumerate(items, start=1):
            yield item
            if tell is not None:
                tell(done, total)


@contextmanager
def count_off(what: str) -> Iterator[Callable[[int, int | None], None] | None]:
    """A function that shows on stderr how many of how many are done; None where stderr is no terminal.

    Examples
    --------
    >>> with count_off("counting") as tell:
    ...     print(tell)
    None
    """
    if not sys.stderr.isatty() or os.environ.get("TERM") == "dumb":
        yield None
        return
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=make_console(stderr=True), transient=True, redirect_stdout=False) as bar:
        task = bar.add_task(what, total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)
