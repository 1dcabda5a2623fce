"""What `pickle` can send of a user's functions: their names, and no code."""

from __future__ import annotations

import sys
from types import FrameType, FunctionType

__all__ = ["has_importable_name", "sends_functions_by_value"]


def has_importable_name(function: object) -> bool:
    """Whether another process can import the function by its name; True for anything but a function written in Python.

    Examples
    --------
    >>> has_importable_name(has_importable_name), has_importable_name(str.isdigit), has_importable_name(lambda token: True)
    (True, True, False)
    """
    if not isinstance(function, FunctionType):
        return True
    found: object = sys.modules.get(function.__module__)
    for name in function.__qualname__.split("."):
        found = getattr(found, name, None)
    return found is function


def sends_functions_by_value() -> bool:
    """Whether the pickler at work sends the code of functions too, as cloudpickle does for Dask and joblib.

    Examples
    --------
    >>> sends_functions_by_value()
    False
    """
    frame: FrameType | None = sys._getframe(1)
    while frame is not None:
        name = frame.f_globals.get("__name__") or ""
        if "cloudpickle" in name or name.split(".")[0] == "dill":
            return True
        frame = frame.f_back
    return False
