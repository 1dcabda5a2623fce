"""How a command declares its options: as data, so that nothing has to be imported to read them."""

from __future__ import annotations

from typing import Any

__all__ = ["Argument", "Declaration", "Option"]


class Declaration:
    """What a parameter of a command is called on the command line, and what its help says.

    Parameters
    ----------
    *names : str
        "--output", "-o"; of an option without any, they follow from the parameter's name.
    **settings
        For typer: metavar, help, min, max and others.

    Examples
    --------
    >>> Option("--output", "-o", metavar="FILE").names
    ('--output', '-o')
    """

    def __init__(self, *names: str, **settings: Any) -> None:
        self.names, self.settings = names, settings


class Option(Declaration):
    """A parameter that is named: `--output FILE`."""


class Argument(Declaration):
    """A parameter that is known by its place."""
