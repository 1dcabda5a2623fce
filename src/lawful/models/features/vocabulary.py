"""The templates, as users write them: `lawful.features.window(lawful.features.word(), -2, 2)`."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from lawful.errors import FeatureError
from lawful.models.features.templates import of_sequence, of_text
from lawful.models.features.templates.template import Template

__all__ = [
    "at",
    "bias",
    "column",
    "first",
    "folded",
    "function",
    "in_list",
    "join",
    "kinds",
    "last",
    "length",
    "lower",
    "matches",
    "prefix",
    "shape",
    "suffix",
    "window",
    "word",
]

ColumnName = str | int


def word(*, of: ColumnName | None = None) -> of_text.Word:
    """The token's text as it is. (`of`, here and below: read this column instead of the text.)

    Examples
    --------
    >>> from lawful import features
    >>> features.Features(word()).attributes(["The", "pound"])
    [['word=The'], ['word=pound']]
    """
    return of_text.Word(of)


def lower(*, of: ColumnName | None = None) -> of_text.Lower:
    """The text in lower case.

    Examples
    --------
    >>> from lawful import features
    >>> features.Features(lower()).attributes(["The"])
    [['lower=the']]
    """
    return of_text.Lower(of)


def folded(*, of: ColumnName | None = None) -> of_text.Folded:
    """The text with every digit written as 0.

    Examples
    --------
    >>> from lawful import features
    >>> features.Features(folded()).attributes(["1994-95"])
    [['folded=0000-00']]
    """
    return of_text.Folded(of)


def shape(*, short: bool = False, of: ColumnName | None = None) -> of_text.Shape:
    """Upper-case letters as A, lower-case ones as a, digits as 0, other letters as x, the rest as -.

    With `short`, each run of one of these is written once.

    Examples
    --------
    >>> from lawful import features
    >>> features.Features(shape(), shape(short=True)).attributes(["IL-2R"])
    [['shape=AA-0A', 'short_shape=A-0A']]
    """
    return of_text.Shape(short, of)


def prefix(shortest: int, longest: int | None = None, *, of: ColumnName | None = None) -> of_text.Prefix:
    """The first characters: as many as `shortest`, or one attribute for each number from there to `longest`.

    Examples
    --------
    >>> from lawful import features
    >>> features.Features(prefix(1, 3)).attributes(["to"])
    [['prefix1=t', 'prefix2=to']]
    """
    return of_text.Prefix(shortest, shortest if longest is None else longest, of)


def suffix(shortest: int, longest: int | None = None, *, of: ColumnName | None = None) -> of_text.Suffix:
    """The last characters: as many as `shortest`, or one attribute for each number from there to `longest`.

    Examples
    --------
    >>> from lawful import features
    >>> features.Features(suffix(2)).attributes(["pound"])
    [['suffix2=nd']]
    """
    return of_text.Suffix(shortest, shortest if longest is None else longest, of)


def length(*, most: int | None = None, of: ColumnName | None = None) -> of_text.Length:
    """The number of characters; from `most` on, `most` and a plus.

    Examples
    --------
    >>> from lawful import features
    >>> features.Features(length(most=10)).attributes(["pound", "Confidence"])
    [['length=5'], ['length=10+']]
    """
    return of_text.Length(most, of)


def kinds(*names: str, both: bool = False, of: ColumnName | None = None) -> of_text.Kinds:
    """Yes-or-no tests of the characters of the text; with `both`, a no is an attribute too.

    The tests: has_upper, has_lower, has_digit, has_hyphen, has_punctuation, starts_upper, starts_digit,
    all_caps, all_lower, initial_cap, inner_cap, is_initial, is_alphabetic, is_alphanumeric, is_digits, is_number,
    is_punctuation, is_roman, is_dna, is_rna.

    Examples
    --------
    >>> from lawful import features
    >>> features.Features(kinds("all_caps", "has_digit", "is_roman")).attributes(["XIV", "B2"])
    [['all_caps=yes', 'is_roman=yes'], ['all_caps=yes', 'has_digit=yes']]
    """
    return of_text.Kinds(names, both, of)


def in_list(
    name: str, words: Iterable[str], *, lower: bool = False, of: ColumnName | None = None
) -> of_text.InList:
    """Whether the text is in a list of words; with `lower`, ignoring case.

    Examples
    --------
    >>> from lawful import features
    >>> features.Features(in_list("cities", ["Bonn", "Rome"])).attributes(["in", "Bonn"])
    [[], ['cities=yes']]
    """
    if isinstance(words, str):
        raise FeatureError(
            f"in_list {name!r}: expected a list of words, got the string {words!r}", key="words"
        )
    return of_text.InList(name, tuple(sorted(set(words))), lower, of)


def matches(name: str, regex: str, *, both: bool = False, of: ColumnName | None = None) -> of_text.Matches:
    r"""Whether the whole text matches a regular expression; with `both`, a no is an attribute too.

    Examples
    --------
    >>> from lawful import features
    >>> features.Features(matches("year", r"(19|20)\d\d")).attributes(["in", "1994"])
    [[], ['year=yes']]
    """
    return of_text.Matches(name, regex, both, of)


def column(column: ColumnName, *, name: str | None = None) -> of_text.Column:
    """The value of a column of the token, by key for mappings, by index for rows; nothing where it is None.

    Examples
    --------
    >>> from lawful import features
    >>> features.Features(column(1, name="pos")).attributes([("the", "DT"), ("pound", "NN")])
    [['pos=DT'], ['pos=NN']]
    """
    return of_text.Column(column, name)


def bias() -> of_sequence.Bias:
    """The same attribute everywhere.

    Examples
    --------
    >>> from lawful import features
    >>> features.Features(bias()).attributes(["a", "b"])
    [['bias=yes'], ['bias=yes']]
    """
    return of_sequence.Bias()


def first() -> of_sequence.First:
    """Whether it is the first token of the sequence.

    Examples
    --------
    >>> from lawful import features
    >>> features.Features(first()).attributes(["a", "b"])
    [['first=yes'], []]
    """
    return of_sequence.First()


def last() -> of_sequence.Last:
    """Whether it is the last token of the sequence.

    Examples
    --------
    >>> from lawful import features
    >>> features.Features(last()).attributes(["a", "b"])
    [[], ['last=yes']]
    """
    return of_sequence.Last()


def at(offset: int, template: Template, *, pad: bool = False) -> of_sequence.At:
    r"""The template at the token `offset` positions to the right (if negative, to the left).

    Beyond the ends of the sequence there is no attribute; with `pad`, there are the values `\start` and `\end`.

    Examples
    --------
    >>> from lawful import features
    >>> features.Features(at(-1, word()), at(1, word(), pad=True)).attributes(["the", "pound"])
    [['word[+1]=pound'], ['word[-1]=the', 'word[+1]=\\end']]
    """
    return of_sequence.At(offset, template, pad)


def window(template: Template, first: int, last: int, *, pad: bool = False) -> of_sequence.Window:
    """The template at every offset from `first` to `last`; see `at`.

    Examples
    --------
    >>> from lawful import features
    >>> features.Features(window(word(), -1, 1)).attributes(["the", "pound"])
    [['word=the', 'word[+1]=pound'], ['word[-1]=the', 'word=pound']]
    """
    return of_sequence.Window(template, first, last, pad)


def join(*templates: Template) -> of_sequence.Join:
    """Several templates together: one attribute for the tuple of their values, if all of them have one.

    Examples
    --------
    >>> from lawful import features
    >>> features.Features(join(at(-1, lower()), lower())).attributes(["The", "pound", "is"])
    [[], ['lower[-1]|lower=the|pound'], ['lower[-1]|lower=pound|is']]
    """
    return of_sequence.Join(templates)


def function(name: str, function: Callable[..., Any]) -> of_sequence.Function:
    """The result of a function of your own: `function(tokens, position)` -> a string, a list or dict as CRFsuite takes
    them, a bool or None. A model file holds its name only: give the function again when you load the model.

    Examples
    --------
    >>> from lawful import features
    >>> def ends(tokens, position):
    ...     return {"vowel": tokens[position][-1] in "aeiou", "size": len(tokens[position])}
    >>> features.Features(function("ends", ends)).items(["the"])
    [[('ends=vowel', 1.0), ('ends=size', 3.0)]]
    """
    return of_sequence.Function(name, function)
