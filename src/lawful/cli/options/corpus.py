"""Options that describe the format and the columns of a corpus file."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any

from lawful.cli.options.declarations import Option
from lawful.cli.options.groups import OptionGroup
from lawful.corpus.layout import expand_names
from lawful.corpus.registry import FORMATS, READABLE
from lawful.corpus.texts.tokenizer import CONVENTIONS
from lawful.errors import InputError

__all__ = ["CorpusOptions"]


@dataclass(frozen=True, kw_only=True)
class CorpusOptions(OptionGroup):
    """The options of one file, as typed; None where an option was not given."""

    format: Annotated[
        str | None,
        Option(
            "--format",
            metavar="FORMAT",
            help=f"File format: {', '.join(READABLE)}. Guessed by default.",
        ),
    ] = None
    columns: Annotated[
        str | None,
        Option(
            "--columns",
            metavar="A,B,C",
            help="Column names, in order; conll2000 and conll2003 name known layouts, _ is a column not to use.",
        ),
    ] = None
    token: Annotated[
        str | None,
        Option("--token", metavar="COLUMN", help="Column of the tokens: a name, or 1, 2, ..."),
    ] = None
    label: Annotated[
        str | None,
        Option(
            "--label",
            metavar="COLUMN",
            help="Column of the labels: a name, 1, 2, ..., -1 for the last, or none.",
        ),
    ] = None
    separator: Annotated[
        str | None,
        Option(
            "--separator",
            metavar="CHAR",
            help="Column separator: tab, whitespace or one character.",
        ),
    ] = None
    comment: Annotated[
        str | None,
        Option("--comment", metavar="TEXT", help="Skip lines that start with this text."),
    ] = None
    sequence: Annotated[
        str | None,
        Option(
            "--sequence",
            metavar="COLUMN",
            help="CSV and Parquet: column that identifies the sequence of a token, or none.",
        ),
    ] = None
    tokenizer: Annotated[
        str | None,
        Option(
            "--tokenizer",
            metavar="NAME",
            help=f"How texts are cut into tokens: {', '.join(CONVENTIONS)} or a regular expression. "
            "By default as the tokens that the model was trained on.",
        ),
    ] = None
    outside: Annotated[
        str | None,
        Option("--outside", metavar="LABEL", help="Label of text that nothing marks; not a field."),
    ] = None
    label_names: Annotated[
        str | None,
        Option("--label-names", metavar="A,B,C", help="huggingface: names of numbered labels, in order."),
    ] = None
    encoding: Annotated[
        str | None,
        Option("--text-encoding", metavar="NAME", help="Encoding of the text; UTF-8 by default."),
    ] = None

    def for_reader(self, format: str) -> dict[str, Any]:
        """The arguments for the reader of a format; an option that the format does not have is refused.

        Examples
        --------
        >>> CorpusOptions(token="1", label="none", columns="word,pos").for_reader("columns")
        {'columns': 'word,pos', 'token': 0, 'label': None}
        """
        names = FORMATS[format].options
        arguments: dict[str, Any] = {}
        for option, value in vars(self).items():
            if option == "format" or value is None:
                continue
            if option in ("tokenizer", "outside") and option not in names:
                continue  # what comes after reading needs them too: texts to come, and what is a field
            if option not in names:
                known = ", ".join(map(_flag, names)) or "none"
                raise InputError(
                    f"{_flag(option)} is not an option of the format {format!r}, whose options are: {known}. If the format was "
                    "guessed wrong, pass --format"
                )
            arguments[names[option]] = value
        for role in ("token", "label"):
            if getattr(self, role) is not None and role in names:
                arguments[names[role]] = self._column(role, format)
        if arguments.get("sequence") == "none":
            arguments["sequence"] = None
        return arguments

    def _column(self, role: str, format: str) -> str | int | None:
        column: str = getattr(self, role)
        if role == "label" and column == "none":
            return None
        named = self.columns is not None and column in expand_names(self.columns, 0)
        if named or not FORMATS[format].numbered or not column.lstrip("-").isdecimal():
            return column
        number = int(column)
        if number == 0:
            raise InputError(f"--{role} 0: columns are counted from 1, or from -1 for the last")
        return number - 1 if number > 0 else number


def _flag(option: str) -> str:
    """An option as it is typed; `--encoding` is for output encodings."""
    return "--text-encoding" if option == "encoding" else f"--{option.replace('_', '-')}"
