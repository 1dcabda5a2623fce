"""Normalisation of tokens by named steps, so that a model file can name them too."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Sequence
from functools import partial

from lawful.errors import InputError

__all__ = ["normaliser"]

_RUNS = re.compile(r"\d+")
_DIGIT = re.compile(r"\d")


def normaliser(steps: Sequence[str]) -> Callable[[str], str]:
    """A function that applies the steps to a text, one after another.

    Parameters
    ----------
    steps : sequence of str
        "lower"; "digits" (each digit becomes 0); "numbers" (each run of digits becomes one 0); "accents" (without
        them); "nfkc" (Unicode's compatible form); "shape" (X, x, 0 for capitals, small letters and digits, the rest
        as it is); "short-shape" (the same, repetitions left out); "prefix:n" and "suffix:n" (n letters).

    Examples
    --------
    >>> normaliser(["lower", "digits"])("SIGMOD-1998")
    'sigmod-0000'
    >>> normaliser(["short-shape"])("McCallum,"), normaliser(["lower", "suffix:3"])("Learning")
    ('XxXx,', 'ing')
    >>> normaliser(["uper"])
    Traceback (most recent call last):
    lawful.errors.InputError: no step of normalisation is called 'uper'; there are lower, digits, numbers, accents, nfkc, shape, short-shape, prefix:n, suffix:n
    """
    if isinstance(steps, str) or not isinstance(steps, Sequence):
        raise InputError(f"the steps of normalisation must be a list of names, got {steps!r}")
    functions = [_step(name) for name in steps]

    def normalise(text: str) -> str:
        for function in functions:
            text = function(text)
        return text

    return normalise


def _step(name: object) -> Callable[[str], str]:
    if isinstance(name, str):
        if name in _STEPS:
            return _STEPS[name]
        kind, _, size = name.partition(":")
        if kind in ("prefix", "suffix") and size.isdecimal() and int(size):
            return partial(_prefix if kind == "prefix" else _suffix, int(size))
    raise InputError(
        f"no step of normalisation is called {name!r}; there are {', '.join(_STEPS)}, prefix:n, suffix:n"
    )


def _prefix(size: int, text: str) -> str:
    return text[:size]


def _suffix(size: int, text: str) -> str:
    return text[-size:]


def _without_accents(text: str) -> str:
    return "".join(c for c in unicodedata.normalize("NFKD", text) if not unicodedata.combining(c))


def _shape(text: str) -> str:
    return "".join("X" if c.isupper() else "x" if c.isalpha() else "0" if c.isdigit() else c for c in text)


def _short_shape(text: str) -> str:
    return re.sub(r"(.)\1+", r"\1", _shape(text), flags=re.DOTALL)


_STEPS: dict[str, Callable[[str], str]] = {
    "lower": str.lower,
    "digits": partial(_DIGIT.sub, "0"),
    "numbers": partial(_RUNS.sub, "0"),
    "accents": _without_accents,
    "nfkc": partial(unicodedata.normalize, "NFKC"),
    "shape": _shape,
    "short-shape": _short_shape,
}
