"""Packages that only some functions need."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from lawful.errors import MissingExtraError

__all__ = ["require"]


def require(what: str, module: str, extra: str) -> Any:
    """The module, or an error that says what to install.

    Examples
    --------
    >>> require("reading", "json", "nothing").loads("[1]")
    [1]
    """
    try:
        return import_module(module)
    except ModuleNotFoundError as error:
        if (error.name or "").split(".")[0] != module.split(".")[0]:
            raise  # it is installed, but something that it needs is not
        raise MissingExtraError(what, module, extra) from None
