"""Options about how a command runs and what it prints."""

from __future__ import annotations

from typing import Annotated

from lawful.cli.options.declarations import Option
from lawful.errors import InputError
from lawful.support.threads import thread_count

__all__ = ["JobsOption", "JsonOption", "SeedOption", "count_jobs", "split_names"]

JobsOption = Annotated[
    int | None, Option("--jobs", "-j", metavar="N", help="Number of cores to use; all by default.")
]
JsonOption = Annotated[bool, Option("--json", help="Print JSON.")]
SeedOption = Annotated[int, Option("--seed", metavar="N", min=0, help="Seed for random choices.")]


def count_jobs(jobs: int | None) -> int:
    """How many cores to use.

    Examples
    --------
    >>> count_jobs(3)
    3
    """
    if jobs is not None and jobs < 1:
        raise InputError(f"--jobs must be 1 or more, got {jobs}")
    return thread_count(jobs)


def split_names(text: str) -> list[str]:
    """The names in an option's value, which commas separate.

    Examples
    --------
    >>> split_names("O, City")
    ['O', 'City']
    """
    return [name.strip() for name in text.split(",") if name.strip()]
