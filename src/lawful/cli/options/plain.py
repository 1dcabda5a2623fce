"""Ordinary command lines, read without typer: its import takes longer than a small file takes to label.

What is in any way out of the ordinary (`--help`, an option that is unknown, missing, wrong or has a check of its own) is
left to typer, which also finds the words for what is wrong. A test compares the two on many command lines.
"""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from types import NoneType, UnionType
from typing import Annotated, Any, Union, get_args, get_origin

from lawful.cli.options.declarations import Argument, Declaration

__all__ = ["read_plainly"]

PLAIN_SETTINGS = {"metavar", "help", "min", "max", "show_default", "hidden"}


class _NotPlain(Exception):
    """Something that typer should look at."""


class _Parameter:
    """One parameter of a command."""

    def __init__(self, parameter: inspect.Parameter) -> None:
        annotation = parameter.annotation
        declared = [each for each in getattr(annotation, "__metadata__", ()) if isinstance(each, Declaration)]
        if get_origin(annotation) is not Annotated or len(declared) != 1:
            raise _NotPlain
        (self.declared,) = declared
        self.name, self.default = parameter.name, parameter.default
        self.is_list, self.type = _type_of(get_args(annotation)[0])
        if not self.declared.settings.keys() <= PLAIN_SETTINGS:
            raise _NotPlain

    @property
    def options(self) -> dict[str, bool]:
        """What it is called, and whether that says yes: of `--gold/--no-gold` the second says no."""
        names = self.declared.names or (f"--{self.name.replace('_', '-')}",)
        if self.type is not bool:
            return dict.fromkeys(names, True)
        if not self.declared.names:  # typer makes a second one, --no-...
            raise _NotPlain
        halves = [name.partition("/") for name in names]
        return {yes: True for yes, _, _ in halves} | {no: False for _, _, no in halves if no}

    def value(self, text: str) -> Any:
        if self.type in (str, Path):
            return self.type(text)
        if not text.isascii() or text != text.strip() or "_" in text:
            raise _NotPlain  # typer and Python read some of these differently
        try:
            number = self.type(text)
        except ValueError:
            raise _NotPlain from None
        least, most = self.declared.settings.get("min"), self.declared.settings.get("max")
        if (
            (isinstance(number, float) and math.isnan(number))
            or (least is not None and number < least)
            or (most is not None and number > most)
        ):
            raise _NotPlain
        return number


def read_plainly(command: Callable[..., Any], arguments: Sequence[str]) -> dict[str, Any] | None:
    """The parameters of a command as an ordinary command line gives them; None: ask typer.

    Parameters
    ----------
    command : function
        Each parameter annotated with an `Option` or an `Argument`.
    arguments : sequence of str

    Examples
    --------
    >>> from lawful.cli.options.declarations import Option
    >>> def draw(file: Annotated[str, Argument()], size: Annotated[int, Option("--size", "-s")] = 3) -> None: ...
    >>> read_plainly(draw, ["a.svg", "-s", "7"])
    {'file': 'a.svg', 'size': 7}
    >>> read_plainly(draw, ["--size", "large"]) is None
    True
    """
    try:
        signature = inspect.signature(command, eval_str=True)
        return _read([_Parameter(each) for each in signature.parameters.values()], iter(arguments))
    except _NotPlain:
        return None


def _read(parameters: list[_Parameter], arguments: Iterator[str]) -> dict[str, Any]:
    places = [each for each in parameters if isinstance(each.declared, Argument)]
    options = {
        name: (each, says_yes)
        for each in parameters
        if not isinstance(each.declared, Argument)
        for name, says_yes in each.options.items()
    }
    found: dict[str, Any] = {}
    placed: list[str] = []
    for argument in arguments:
        if argument == "-" or not argument.startswith("-"):
            placed.append(argument)
            continue
        name, equals, value = argument.partition("=")
        if name not in options or (equals and not name.startswith("--")):
            raise _NotPlain
        option, says_yes = options[name]
        if option.type is bool:
            if equals or option.is_list:
                raise _NotPlain
            found[option.name] = says_yes
            continue
        if not equals:
            value = next(arguments, "--")
            if value.startswith("-") and value != "-":
                raise _NotPlain
        if option.is_list:
            found.setdefault(option.name, []).append(option.value(value))
        else:
            found[option.name] = option.value(value)
    if any(place.is_list or place.type is not str for place in places) or len(placed) > len(places):
        raise _NotPlain
    found.update({place.name: text for place, text in zip(places, placed, strict=False)})
    for each in parameters:
        if each.name not in found:
            if each.default is inspect.Parameter.empty or (each.is_list and each.default is None):
                raise _NotPlain
            found[each.name] = each.default
    return {each.name: found[each.name] for each in parameters}


def _type_of(annotation: Any) -> tuple[bool, Any]:
    """Whether there may be several values, and the type of one."""
    if get_origin(annotation) in (Union, UnionType):
        kinds = [kind for kind in get_args(annotation) if kind is not NoneType]
        if len(kinds) != 1:
            raise _NotPlain
        annotation = kinds[0]
    if get_origin(annotation) is list:
        return True, _type_of(get_args(annotation)[0])[1]
    if annotation not in (str, Path, int, float, bool):
        raise _NotPlain
    return False, annotation
