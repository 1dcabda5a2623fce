"""Regular expressions of users."""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterator
from contextlib import contextmanager

__all__ = ["compile_regex", "without_warnings"]


@contextmanager
def without_warnings() -> Iterator[None]:
    """Without the warning about `[[a]`, which a later Python may read differently. Here it means what it means today."""
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
