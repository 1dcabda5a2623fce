"""What a decoder does when things get large, contradictory or costly."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, fields
from inspect import signature
from typing import Literal, TypedDict

from lawful.errors import InputError
from lawful.errors.wording import suggestion
from lawful.solvers.choice import SOLVERS
from lawful.solvers.problem import Limits

__all__ = ["DecoderOptions", "OnExceed", "OnInfeasible", "OnLimit", "Options", "require_known_options"]

OnLimit = Literal["raise", "bounded"]
OnInfeasible = Literal["raise", "least_bad"]
OnExceed = Literal["plain", "raise"]


@dataclass(frozen=True, kw_only=True)
class Options:
    """The options of a decoder, checked. See `Decoder` for what they mean.

    Examples
    --------
    >>> Options(on_limit="bounded", timeout=1.5).limits.timeout
    1.5
    >>> Options(on_limit="ignore")
    Traceback (most recent call last):
    lawful.errors.InputError: on_limit must be 'raise' or 'bounded', got 'ignore'
    """

    max_states: int | None = None
    timeout: float | None = None
    max_memory: int | None = None
    on_limit: OnLimit = "raise"
    on_infeasible: OnInfeasible = "raise"
    max_loss: float | None = None
    on_exceed: OnExceed = "plain"

    def __post_init__(self) -> None:
        _require_one_of("on_limit", self.on_limit, ("raise", "bounded"))
        _require_one_of("on_infeasible", self.on_infeasible, ("raise", "least_bad"))
        _require_one_of("on_exceed", self.on_exceed, ("plain", "raise"))
        for name in ("max_states", "timeout", "max_memory"):
            value = getattr(self, name)
            if value is not None and not value > 0:
                raise InputError(f"{name} must be more than 0, got {value!r}")
        if self.max_loss is not None and (math.isnan(self.max_loss) or self.max_loss < 0):
            raise InputError(f"max_loss must be 0 or more, got {self.max_loss!r}")

    @property
    def limits(self) -> Limits:
        """The part of them that a solver sees."""
        return Limits(self.max_states, self.timeout, self.max_memory, self.on_limit)


class DecoderOptions(TypedDict, total=False):
    """The keyword arguments of a `Decoder`, for calls that pass them on; those after `on_exceed` are of single solvers.

    Examples
    --------
    >>> options: DecoderOptions = {"solver": "beam", "width": 4}
    """

    solver: str
    max_states: int | None
    timeout: float | None
    max_memory: int | None
    on_limit: OnLimit
    on_infeasible: OnInfeasible
    max_loss: float | None
    on_exceed: OnExceed
    at_once: bool
    completion: str
    early_exit: bool
    finish: bool
    iterations: int
    order: str
    per_position: float | None
    prune: str | bool
    seed: int
    width: int | None


def require_known_options(solver: str, given: Iterable[str]) -> None:
    """Refuse options that neither a decoder nor its solver has: a misspelt one would change nothing, silently.

    Examples
    --------
    >>> require_known_options("auto", ["max_los"])
    Traceback (most recent call last):
    lawful.errors.InputError: unknown option 'max_los'; did you mean 'max_loss'?
    """
    own = [
        name for name, one in signature(SOLVERS[solver]).parameters.items() if one.kind == one.KEYWORD_ONLY
    ]
    for name in given:
        if name not in own:
            known = [field.name for field in fields(Options)] + ["solver", *own]
            raise InputError(f"unknown option {name!r}; {suggestion(name, known, 'options')}")


def _require_one_of(name: str, value: str, known: tuple[str, ...]) -> None:
    if value not in known:
        raise InputError(f"{name} must be {' or '.join(map(repr, known))}, got {value!r}")
