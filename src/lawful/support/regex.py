"""Regular expressions of users."""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterator
from contextlib import contextmanager

__all__ = ["compile_regex", "without_warnings"]


@contextmanager
def without_warnings() -> Iterator[None]:
    """Python warns of `[[a]`, which a later version may read otherwise. What it means today is what is meant."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FutureWarning)
        yield


def compile_regex(regex: str) -> re.Pattern[str]:
    """The same as `re.compile`, without warnings.

    Examples
    --------
    >>> compile_regex("[[(].*").match("[1]") is not None
    True
    """
    with without_warnings():
        return re.compile(regex)
