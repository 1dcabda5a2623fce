"""Long texts are read in overlapping windows, which are joined to one sequence here."""

from __future__ import annotations

from collections.abc import Hashable, Sequence

__all__ = ["join_windows"]


def join_windows(windows: Sequence[Sequence[Hashable]]) -> list[tuple[int, int]]:
    """Where to read each item of the whole sequence: (window, position in it).

    Of an overlap, the first half is read in the earlier window and the second half in the later one, so that
    every item is read where it has more context.

    Parameters
    ----------
    windows : sequence of sequences
        The items of each window in a form that can be compared: equal items of two neighbouring windows are
        the same item.

    Examples
    --------
    >>> join_windows(["abcde", "cdefg"])
    [(0, 0), (0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (1, 4)]
    """
    joined: list[tuple[int, int]] = []
    for number, window in enumerate(windows):
        shared = _overlap(windows[number - 1], window) if number else 0
        later = shared // 2
        if later:
            del joined[-later:]
        joined.extend((number, position) for position in range(shared - later, len(window)))
    return joined


def _overlap(before: Sequence[Hashable], after: Sequence[Hashable]) -> int:
    """The length of the longest end of one that is the beginning of the other."""
    for length in range(min(len(before), len(after)), 0, -1):
        start = len(before) - length
        if before[start] == after[0] and before[start:] == after[:length]:
            return length
    return 0
