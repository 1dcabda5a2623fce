"""The option that names the labels of a rule file."""

from __future__ import annotations

from typing import Annotated

from lawful.cli.options.declarations import Option
from lawful.cli.options.running import split_names
from lawful.labels import LabelSet

__all__ = ["LabelsOption", "parse_labels"]

LabelsOption = Annotated[
    str | None,
    Option(
        "--labels",
        metavar="A,B,C",
        help="Labels, separated by commas; by default those that the file declares.",
    ),
]


def parse_labels(text: str | None) -> LabelSet | None:
    """The labels in an option's value.

    Examples
    --------
    >>> parse_labels("O, City")
    LabelSet(['O', 'City'])
    """
    return None if text is None else LabelSet(split_names(text))
