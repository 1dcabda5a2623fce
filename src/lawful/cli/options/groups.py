"""Options that several commands share: written down once, as the fields of a class, and taken as one parameter."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import fields
from functools import wraps
from typing import Any, get_type_hints

__all__ = ["OptionGroup", "one_by_one"]


class OptionGroup:
    """The base of dataclasses whose fields are options of a command line; each has a default."""


def one_by_one(command: Callable[..., Any]) -> Callable[..., Any]:
    """A command as typer must see it: where a parameter is a group, the group's options stand in its place.

    Examples
    --------
    >>> from dataclasses import dataclass
    >>> @dataclass(frozen=True)
    ... class Size(OptionGroup):
    ...     width: int = 80
    ...     height: int = 24
    >>> def draw(text: str, size: Size, dark: bool = False) -> str:
    ...     return f"{text}, {size}"
    >>> flat = one_by_one(draw)
    >>> print(*inspect.signature(flat).parameters)
    text width height dark
    >>> flat(text="a", width=7, height=24)
    'a, Size(width=7, height=24)'
    """
    signature = inspect.signature(command, eval_str=True)
    shown: list[inspect.Parameter] = []
    groups: dict[str, type[OptionGroup]] = {}
    for parameter in signature.parameters.values():
        group = parameter.annotation
        if not (isinstance(group, type) and issubclass(group, OptionGroup)):
            shown.append(parameter.replace(kind=inspect.Parameter.KEYWORD_ONLY))
            continue
        groups[parameter.name] = group
        shown += [
            inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=annotation)
            for name, default, annotation in _options(group)
        ]

    @wraps(command)
    def flat(**given: Any) -> Any:
        for name, group in groups.items():
            held = {option: given.pop(option) for option, *_ in _options(group) if option in given}
            given[name] = group(**held)
        return command(**given)

    vars(flat)["__signature__"] = signature.replace(parameters=shown)
    flat.__annotations__ = {parameter.name: parameter.annotation for parameter in shown}
    return flat


def _options(group: type[OptionGroup]) -> list[tuple[str, Any, Any]]:
    """Name, default and annotation of each."""
    hints = get_type_hints(group, include_extras=True)
    return [(field.name, field.default, hints[field.name]) for field in fields(group)]  # type: ignore[arg-type]
