"""Options about the sequences that a command writes."""

from __future__ import annotations

from typing import Annotated

from lawful.cli.options.declarations import Option

__all__ = ["LabelColumnOption", "OutputOption"]

OutputOption = Annotated[str, Option("--output", "-o", metavar="FILE", help="Output file; - for stdout.")]
LabelColumnOption = Annotated[
    str | None,
    Option(
        "--label-column",
        metavar="add|replace",
        help="Add the labels as a new column, or replace the labels in the input.",
    ),
]
