"""Options that say how a corpus file is laid out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any

import typer

from lawful.cli.options.groups import OptionGroup
from lawful.corpus.layout import expand_names
from lawful.corpus.registry import FORMATS
from lawful.errors import InputError

__all__ = ["CorpusOptions"]


@dataclass(frozen=True, kw_only=True)
class CorpusOptions(OptionGroup):
    """The options of one file, as they were typed; None where nothing was said."""

    format: Annotated[
        str | None,
        typer.Option(
            "--format",
            metavar="FORMAT",
            help=f"How it is written: {', '.join(FORMATS)}. Guessed if not given.",
        ),
    ] = None
    columns: Annotated[
        str | None,
        typer.Option(
            "--columns",
            metavar="A,B,C",
            help="Names of the columns, in order; conll2000 and conll2003 are known.",
        ),
    ] = None
    token: Annotated[
        str | None,
        typer.Option("--token", metavar="COLUMN", help="Where the tokens are: a name, or 1, 2, ..."),
    ] = None
    label: Annotated[
        str | None,
        typer.Option(
            "--label",
            metavar="COLUMN",
            help="Where the labels are: a name, 1, 2, ..., -1 (the last), or none.",
        ),
    ] = None
    separator: Annotated[
        str | None,
        typer.Option(
            "--separator", metavar="CHAR", help="What parts columns: tab, whitespace, or a character."
        ),
    ] = None
    comment: Annotated[
        str | None,
        typer.Option("--comment", metavar="TEXT", help="Lines that start with this are no tokens."),
    ] = None
    sequence: Annotated[
        str | None,
        typer.Option(
            "--sequence", metavar="COLUMN", help="In CSV and Parquet: what names a token's sequence, or none."
        ),
    ] = None
    encoding: Annotated[
        str | None, typer.Option("--encoding", help="Of a text file; UTF-8 if not given.")
    ] = None

    def for_reader(self, format: str) -> dict[str, Any]:
        """What the reader of a format takes; an option that it does not have is refused.

        Examples
        --------
        >>> CorpusOptions(token="1", label="none", columns="word,pos").for_reader("columns")
        {'columns': 'word,pos', 'token': 0, 'label': None}
        """
        names = FORMATS[format].options
        found: dict[str, Any] = {}
        for option, value in vars(self).items():
            if option == "format" or value is None:
                continue
            if option not in names:
                known = ", ".join(f"--{name}" for name in names) or "none"
                raise InputError(
                    f"--{option} is not for the format {format!r}; its options are {known}. If the format was guessed "
                    "wrong, say --format"
                )
            found[names[option]] = value
        for role in ("token", "label"):
            if getattr(self, role) is not None and role in names:
                found[names[role]] = self._place(role, format)
        if found.get("sequence") == "none":
            found["sequence"] = None
        return found

    def _place(self, role: str, format: str) -> str | int | None:
        given: str = getattr(self, role)
        if role == "label" and given == "none":
            return None
        named = self.columns is not None and given in expand_names(self.columns, 0)
        if named or not FORMATS[format].numbered or not given.lstrip("-").isdecimal():
            return given
        number = int(given)
        if number == 0:
            raise InputError(f"--{role} 0: columns are counted from 1, or from -1 for the last")
        return number - 1 if number > 0 else number
