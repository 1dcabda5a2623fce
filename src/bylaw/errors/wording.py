"""How messages say things."""

from __future__ import annotations

from collections.abc import Sequence

__all__ = ["listing"]


def listing(names: Sequence[str], most: int = 12) -> str:
    """The first names, quoted, and how many more there are.

    Examples
    --------
    >>> listing(["A", "B", "C"], most=2)
    "'A', 'B' and 1 more"
    """
    shown = ", ".join(repr(name) for name in names[:most])
    return shown + (f" and {len(names) - most} more" if len(names) > most else "")
