"""Yes-or-no tests of the characters of a token.

The core applies them to whole corpora (`cpp/core/features/text.cpp`); this is the reference. Upper, lower, digit,
letter and space are what Python's `str.isupper`, `islower`, `isdecimal`, `isalpha`, `isalnum` and `isspace` say of
one character.
"""

from __future__ import annotations

import re
from collections.abc import Callable

__all__ = ["KINDS", "shape_of", "shorten"]

DASHES = frozenset("-\u2010\u2011\u2012\u2013\u2014\u2015\u2212")
ROMAN = re.compile(r"(?=[MDCLXVI])M{0,3}(CM|CD|D?C{0,3})(XC|XL|L?X{0,3})(IX|IV|V?I{0,3})")
NUMBER = re.compile(r"[+-]?[0-9]+([.,][0-9]+)*")


def _is_mark(character: str) -> bool:
    return not (character.isalnum() or character.isspace())


KINDS: dict[str, Callable[[str], bool]] = {
    "has_upper": lambda text: any(c.isupper() for c in text),
    "has_lower": lambda text: any(c.islower() for c in text),
    "has_digit": lambda text: any(c.isdecimal() for c in text),
    "has_hyphen": lambda text: any(c in DASHES for c in text),
    "has_punctuation": lambda text: any(map(_is_mark, text)),
    "starts_upper": lambda text: text[:1].isupper(),
    "starts_digit": lambda text: text[:1].isdecimal(),
    "all_caps": lambda text: any(c.isupper() for c in text) and not any(c.islower() for c in text),
    "all_lower": lambda text: any(c.islower() for c in text) and not any(c.isupper() for c in text),
    "initial_cap": lambda text: (
        text[:1].isupper() and any(c.islower() for c in text) and not any(c.isupper() for c in text[1:])
    ),
    "inner_cap": lambda text: any(c.isupper() for c in text[1:]) and any(c.islower() for c in text),
    "is_initial": lambda text: len(text) == 2 and text[0].isupper() and text[1] == ".",
    "is_alphabetic": lambda text: bool(text) and all(c.isalpha() for c in text),
    "is_alphanumeric": lambda text: bool(text) and all(c.isalnum() for c in text),
    "is_digits": lambda text: bool(text) and all(c.isdecimal() for c in text),
    "is_number": lambda text: NUMBER.fullmatch(text) is not None,
    "is_punctuation": lambda text: bool(text) and all(map(_is_mark, text)),
    "is_roman": lambda text: ROMAN.fullmatch(text) is not None,
    "is_dna": lambda text: bool(text) and set(text) <= set("GCAT"),
    "is_rna": lambda text: bool(text) and set(text) <= set("GCAU"),
}


def shape_of(text: str) -> str:
    """Upper-case letters as A, lower-case ones as a, digits as 0, other letters and numbers as x, the rest as -.

    Examples
    --------
    >>> shape_of("IL-2Rα"), shape_of("東京")
    ('AA-0Aa', 'xx')
    """
    return "".join(map(_shape, text))


def shorten(shape: str) -> str:
    """The shape with each run of one character written once.

    Examples
    --------
    >>> shorten("AAaa-00")
    'Aa-0'
    """
    return "".join(c for i, c in enumerate(shape) if i == 0 or c != shape[i - 1])


def _shape(c: str) -> str:
    if c.isupper():
        return "A"
    if c.islower():
        return "a"
    if c.isdecimal():
        return "0"
    return "x" if c.isalnum() else "-"
