"""A line on the terminal while a model is trained."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from lawful.cli.console import make_console

if TYPE_CHECKING:
    from lawful.models.linear.progress import Progress

__all__ = ["showing_iterations"]


@contextmanager
def showing_iterations() -> Iterator[Callable[[Progress], None] | None]:
    """A function that shows each iteration on stderr, in a line that is written over; None where nobody watches.

    Examples
    --------
    >>> with showing_iterations() as show:
    ...     print(show)
    None
    """
    if not sys.stderr.isatty() or os.environ.get("TERM") == "dumb":
        yield None
        return
    from rich.live import Live

    with Live(console=make_console(stderr=True), refresh_per_second=8, transient=True) as line:
        yield lambda progress: line.update(str(progress))
