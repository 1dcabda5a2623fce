"""Warnings that point at the caller's own code."""

from __future__ import annotations

import sys
import warnings
from pathlib import Path

__all__ = ["warn"]

PACKAGE = str(Path(__file__).parents[1])


def warn(warning: Warning) -> None:
    """Warn, with the location of the nearest caller outside of this package.

    Examples
    --------
    >>> with warnings.catch_warnings(record=True) as caught:
    ...     warnings.simplefilter("always")
    ...     warn(UserWarning("not what it should be"))
    >>> caught[0].filename.startswith(PACKAGE)
    False
    """
    level, frame = 2, sys._getframe(1)
    while frame.f_back is not None and frame.f_code.co_filename.startswith(PACKAGE):
        level, frame = level + 1, frame.f_back
    warnings.warn(warning, stacklevel=level)
