"""Tables of numbers as text."""

from __future__ import annotations

from collections.abc import Sequence

__all__ = ["format_table"]


def format_table(head: Sequence[str], rows: Sequence[Sequence[object]]) -> str:
    """A table as text: the first column to the left, the others to the right, fractions as percentages.

    Examples
    --------
    >>> print(format_table(("span", "F1", "gold"), [("NP", 0.9312, 12422)]))
    span     F1   gold
    NP    93.12  12422
    """
    texts = [list(head)] + [
        [f"{100 * cell:.2f}" if isinstance(cell, float) else str(cell) for cell in row] for row in rows
    ]
    widths = [max(map(len, column)) for column in zip(*texts, strict=True)]
    return "\n".join(
        "  ".join(
            cell.ljust(width) if at == 0 else cell.rjust(width)
            for at, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in texts
    )
