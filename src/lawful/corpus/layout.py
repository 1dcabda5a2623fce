"""The columns of a file: their names, which one holds tokens and labels, and the separator."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from lawful.errors import InputError
from lawful.errors.wording import ordinal

__all__ = ["LAYOUTS", "UNUSED", "Layout", "expand_names", "guess_separator", "make_layout", "parse_separator"]

LAYOUTS = {
    "conll2000": ("word", "pos", "chunk"),
    "conll2003": ("word", "pos", "chunk", "ner"),
    "conllu": ("id", "form", "lemma", "upos", "xpos", "feats", "head", "deprel", "deps", "misc"),
}


UNUSED = "_"  # the name, or how the name starts, of columns that neither models nor rules see

_SPELLED = {"tab": "\t", "\\t": "\t", "space": " ", "whitespace": " ", "comma": ","}


@dataclass(frozen=True, slots=True)
class Layout:
    r"""The columns of a file, in order.

    Attributes
    ----------
    names : tuple of str
    token : str
        The name of the column that holds the tokens.
    label : str or None
        The name of the column that holds the labels.
    separator : str
        What stands between two columns: a character such as a tab; a space stands for any run of blanks and tabs.
    sequence : str or None
        The name of one more column of a table (CSV) that names each token's sequence.

    Examples
    --------
    >>> Layout(("word", "pos", "chunk"), token="word", label="chunk")
    Layout(names=('word', 'pos', 'chunk'), token='word', label='chunk', separator='\t', sequence=None)
    """

    names: tuple[str, ...]
    token: str
    label: str | None
    separator: str = "\t"
    sequence: str | None = None

    def __post_init__(self) -> None:
        if len(set(self.names)) != len(self.names):
            twice = min(name for name in self.names if self.names.count(name) > 1)
            raise InputError(f"column {twice!r} appears twice among {', '.join(self.names)}")
        for role, name in (("token", self.token), ("label", self.label)):
            if name is not None and name not in self.names:
                raise InputError(
                    f"the {role} column {name!r} is not among the columns {', '.join(self.names)}"
                )
        if self.token == self.label:
            raise InputError(f"column {self.token!r} cannot hold both the tokens and the labels")

    @property
    def others(self) -> tuple[str, ...]:
        """The columns that hold neither tokens nor labels."""
        return tuple(name for name in self.names if name not in (self.token, self.label))


def make_layout(
    columns: Sequence[str] | str | None,
    width: int,
    *,
    token: str | int,
    label: str | int | None,
    separator: str,
) -> Layout:
    """The layout of a file whose rows have `width` columns.

    Parameters
    ----------
    columns : sequence of str, str or None
        Names, in order; or names with commas between them; or one of `LAYOUTS`; or None: the token's column is
        called `token`, the label's `label`, and the others by their number. A last name that ends in `*` stands
        for any number of columns: `args*` gives `args.1`, `args.2`, ... Columns called `_` are kept, but neither models
        nor rules see them.
    width : int
    token, label : str or int
        A column's name or index; negative ones count from the end. No column is the label if `label` is None,
        or if it is -1 and there is only one.

    Examples
    --------
    >>> make_layout(None, 3, token=0, label=-1, separator=" ").names
    ('token', '2', 'label')
    >>> make_layout("word,verb,args*", 4, token="word", label=None, separator=" ").names
    ('word', 'verb', 'args.1', 'args.2')
    """
    if label == -1 and width == 1:
        label = None
    if columns is None:
        names = [str(number) for number in range(1, width + 1)]
        for role, column in (("token", token), ("label", label)):
            if isinstance(column, int) and -width <= column < width:
                names[column] = role
    else:
        names = list(expand_names(columns, width))
    named = [_name_of(names, column, role) for role, column in (("token", token), ("label", label))]
    return Layout(tuple(names), named[0] or "", named[1], separator)


def expand_names(columns: Sequence[str] | str, width: int) -> tuple[str, ...]:
    """Names as `make_layout` takes them, with a starred last name expanded and a number after each `_`.

    Examples
    --------
    >>> expand_names("conll2000", 3), expand_names("word,_,chunk", 3)
    (('word', 'pos', 'chunk'), ('word', '_2', 'chunk'))
    """
    if isinstance(columns, str):
        columns = LAYOUTS.get(columns) or [name.strip() for name in columns.split(",")]
    names = tuple(f"{UNUSED}{number}" if name == UNUSED else name for number, name in enumerate(columns, 1))
    if not names or not all(names):
        raise InputError(f"columns must be names with commas between them, got {columns!r}")
    if not names[-1].endswith("*"):
        return names
    first = len(names) - 1
    return (*names[:-1], *(f"{names[-1][:-1]}.{number}" for number in range(1, width - first + 1)))


def _name_of(names: Sequence[str], column: str | int | None, role: str) -> str | None:
    if column is None or isinstance(column, str):
        return column
    if not -len(names) <= column < len(names):
        which = f"{ordinal(column + 1)} column" if column >= 0 else f"{ordinal(-column)} column from the end"
        raise InputError(f"the {role} is to be the {which}, but there are {len(names)} ({', '.join(names)})")
    return names[column]


def parse_separator(separator: str | None) -> str | None:
    r"""A separator as users spell it; None for "auto", which is guessed from the file.

    Examples
    --------
    >>> parse_separator("tab"), parse_separator("|"), parse_separator("auto")
    ('\t', '|', None)
    """
    if separator is None or separator == "auto":
        return None
    if not separator or "\n" in separator:
        raise InputError(f"separator must be 'tab', 'whitespace' or one character, got {separator!r}")
    return _SPELLED.get(separator, separator)


def guess_separator(line: str) -> str:
    r"""A tab if the line has one, else blanks.

    Examples
    --------
    >>> guess_separator("New York\tB-LOC"), guess_separator("in IN B-PP")
    ('\t', ' ')
    """
    return "\t" if "\t" in line else " "
