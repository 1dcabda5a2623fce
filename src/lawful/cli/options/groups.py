"""Groups of options: declared once as the fields of a class, taken by a command as one parameter."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import fields
from functools import wraps
from typing import Annotated, Any, get_args, get_origin, get_type_hints

from lawful.cli.options.declarations import Argument, Declaration

__all__ = ["OptionGroup", "flattened", "for_typer"]


class OptionGroup:
    """The base of dataclasses whose fields are command-line options; each has a default."""


def flattened(command: Callable[..., Any]) -> Callable[..., Any]:
    """The command with each option group replaced by the options in it, which is what typer can read.

    Examples
    --------
    >>> from dataclasses import dataclass
    >>> @dataclass(frozen=True)
    ... class Size(OptionGroup):
    ...     width: int = 80
    ...     height: int = 24
    >>> def draw(text: str, size: Size, dark: bool = False) -> str:
    ...     return f"{text}, {size}"
    >>> flat = flattened(draw)
    >>> print(*inspect.signature(flat).parameters)
    text width height dark
    >>> flat(text="a", width=7, height=24)
    'a, Size(width=7, height=24)'
    """
    signature = inspect.signature(command, eval_str=True)
    parameters: list[inspect.Parameter] = []
    groups: dict[str, type[OptionGroup]] = {}
    for parameter in signature.parameters.values():
        group = parameter.annotation
        if not (isinstance(group, type) and issubclass(group, OptionGroup)):
            parameters.append(parameter.replace(kind=inspect.Parameter.KEYWORD_ONLY))
            continue
        groups[parameter.name] = group
        parameters += [
            inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=annotation)
            for name, default, annotation in _options(group)
        ]

    @wraps(command)
    def flat(**arguments: Any) -> Any:
        for name, group in groups.items():
            options = {option: arguments.pop(option) for option, *_ in _options(group) if option in arguments}
            arguments[name] = group(**options)
        return command(**arguments)

    vars(flat)["__signature__"] = signature.replace(parameters=parameters)
    flat.__annotations__ = {parameter.name: parameter.annotation for parameter in parameters}
    return flat


def for_typer(command: Callable[..., Any]) -> Callable[..., Any]:
    """The command with typer's own declarations instead of ours.

    Examples
    --------
    >>> from typing import Annotated
    >>> from lawful.cli.options.declarations import Option
    >>> def draw(size: Annotated[int, Option("--size", min=1)] = 3) -> None: ...
    >>> for_typer(draw).__annotations__["size"].__metadata__[0].min
    1
    """
    import typer

    def declared(annotation: Any) -> Any:
        if get_origin(annotation) is not Annotated:
            return annotation
        kind, *rest = get_args(annotation)
        return Annotated[kind, *(made(each) if isinstance(each, Declaration) else each for each in rest)]

    def made(declaration: Declaration) -> Any:
        make = typer.Argument if isinstance(declaration, Argument) else typer.Option
        return make(*declaration.names, **declaration.settings)

    signature = inspect.signature(command, eval_str=True)
    parameters = [
        each.replace(annotation=declared(each.annotation)) for each in signature.parameters.values()
    ]

    @wraps(command)
    def same(**arguments: Any) -> Any:
        return command(**arguments)

    vars(same)["__signature__"] = signature.replace(parameters=parameters)
    same.__annotations__ = {each.name: each.annotation for each in parameters}
    return same


def _options(group: type[OptionGroup]) -> list[tuple[str, Any, Any]]:
    """Name, default and annotation of each option in a group."""
    hints = get_type_hints(group, include_extras=True)
    return [(field.name, field.default, hints[field.name]) for field in fields(group)]  # type: ignore[arg-type]
