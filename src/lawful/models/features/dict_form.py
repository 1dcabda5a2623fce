"""Templates as plain data, for JSON and TOML files, and back, with errors that name the wrong entry."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from lawful.errors import FeatureError
from lawful.errors.wording import nearest
from lawful.models.features import vocabulary
from lawful.models.features.templates.template import Template

__all__ = ["template_from_data", "template_to_data"]

MOST_NESTED = 32
NOTHING: dict[str, Any] = {}


def template_to_data(template: Template) -> Any:
    """A template as strings, numbers, lists and dicts.

    Examples
    --------
    >>> from lawful.models.features import at, join, kinds, word
    >>> template_to_data(join(word(), at(-1, kinds("is_roman", both=True))))
    {'join': ['word', {'at': {'offset': -1, 'template': {'kinds': {'names': ['is_roman'], 'both': True}}}}]}
    """
    arguments = {name: _plain(value) for name, value in template.arguments().items()}
    if not arguments:
        return template.kind
    if template.unpacked is not None and list(arguments) == [template.unpacked]:
        return {template.kind: arguments[template.unpacked]}
    return {template.kind: arguments}


def _plain(value: Any) -> Any:
    if isinstance(value, Template):
        return template_to_data(value)
    return [_plain(item) for item in value] if isinstance(value, tuple) else value


def template_from_data(
    data: Any, where: str, functions: Mapping[str, Callable[..., Any]], depth: int = 0
) -> Template:
    """The template that plain data describes; `where` is the location of the entry in its file, for errors.

    Examples
    --------
    >>> template_from_data({"at": [-1, {"suffix": 2}]}, "templates[0]", {})
    at(-1, suffix(2, 2))
    """
    if depth > MOST_NESTED:
        raise FeatureError(f"{where}: templates are nested more than {MOST_NESTED} deep", key=where)
    if isinstance(data, str):
        kind, arguments = data, NOTHING
    elif isinstance(data, Mapping) and len(data) == 1:
        kind, arguments = next(iter(data.items()))
    else:
        expected = (
            'expected a template: a name such as "word", or a table with one entry such as {prefix = [1, 3]}'
        )
        raise FeatureError(f"{where}: {expected}, got {data!r}", key=where)
    if kind not in vocabulary.__all__:
        close = nearest(str(kind), vocabulary.__all__)
        hint = f"did you mean {close!r}?" if close else f"there are {', '.join(vocabulary.__all__)}"
        raise FeatureError(f"{where}: there is no template {kind!r}; {hint}", key=f"{where}.{kind}")
    where = f"{where}.{kind}"
    make = getattr(vocabulary, kind)
    positional, named = _arguments(kind, arguments, where, inspect.signature(make), functions, depth)
    try:
        template: Template = make(*positional, **named)
    except FeatureError as error:
        key = f"{where}.{error.key}" if error.key else where
        raise FeatureError(f"{key}: {error}", key=key) from None
    except TypeError:
        parameters = ", ".join(
            str(p) for p in inspect.signature(make).parameters.values() if p.name != "function"
        )
        raise FeatureError(
            f"{where}: {kind} takes ({_readable(parameters)}), got {arguments!r}", key=where
        ) from None
    return template


def _arguments(
    kind: str,
    arguments: Any,
    where: str,
    signature: inspect.Signature,
    functions: Mapping[str, Callable[..., Any]],
    depth: int,
) -> tuple[list[Any], dict[str, Any]]:
    parameters = list(signature.parameters.values())
    spread = next((p.name for p in parameters if p.kind is p.VAR_POSITIONAL), None)
    nested = {p.name for p in parameters if "Template" in str(p.annotation)}

    def read(name: str, value: Any, location: str) -> Any:
        return template_from_data(value, location, functions, depth + 1) if name in nested else value

    positional: list[Any] = []
    named: dict[str, Any] = {}
    if isinstance(arguments, Mapping):
        for name, value in arguments.items():
            if name not in signature.parameters:
                known = ", ".join(p for p in signature.parameters if p != "function")
                raise FeatureError(
                    f"{where}: {kind} has no argument {name!r}; it has {known}", key=f"{where}.{name}"
                )
            if name == spread:
                if isinstance(value, str) or not isinstance(value, Sequence):
                    raise FeatureError(
                        f"{where}.{name}: expected a list, got {value!r}", key=f"{where}.{name}"
                    )
                positional = [read(name, item, f"{where}.{name}[{i}]") for i, item in enumerate(value)]
            else:
                named[name] = read(name, value, f"{where}.{name}")
    else:
        values = (
            list(arguments)
            if isinstance(arguments, Sequence) and not isinstance(arguments, str)
            else [arguments]
        )
        names = (
            [spread] * len(values)
            if spread
            else [p.name for p in parameters if p.kind is p.POSITIONAL_OR_KEYWORD]
        )
        if len(values) > len(names):
            raise FeatureError(
                f"{where}: {kind} takes {len(names)} arguments in a list, got {arguments!r}", key=where
            )
        pairs = zip(names, values, strict=False)
        positional = [read(str(name), value, f"{where}[{i}]") for i, (name, value) in enumerate(pairs)]
    if kind == "function":
        name = str(named.get("name", positional[0] if positional else None))
        if name not in functions:
            raise FeatureError(
                f"{where}: these features use your function {name!r}: pass functions={{{name!r}: ...}}",
                key=where,
            )
        named["function"] = functions[name]
    return positional, named


def _readable(parameters: str) -> str:
    return parameters.replace("ColumnName | None", "column").replace("'", "")
