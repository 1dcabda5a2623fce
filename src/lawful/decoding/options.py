"""What a decoder does when things get large, contradictory or costly."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, fields
from inspect import signature
from typing import Literal, TypedDict

from lawful.errors import InputError
from lawful.errors.wording import suggestion
from lawful.solvers.a_star import Completion
from lawful.solvers.branch_and_bound import Prune
from lawful.solvers.choice import SOLVERS
from lawful.solvers.problem import Limits
from lawful.solvers.relaxation import Order

__all__ = [
    "DecoderOptions",
    "DecodingOptions",
    "OnExceed",
    "OnInfeasible",
    "OnLimit",
    "SearchLimits",
    "SolverOptions",
    "require_known_options",
]

OnLimit = Literal["raise", "bounded"]
OnInfeasible = Literal["raise", "least_bad"]
OnExceed = Literal["plain", "raise"]


class SearchLimits(TypedDict, total=False):
    """What the search for one sequence may use."""

    max_states: int | None
    timeout: float | None
    max_memory: int | None


class SolverOptions(TypedDict, total=False):
    """The options of single solvers; the pages of the solvers say what they mean."""

    prune: bool | Prune
    early_exit: bool
    order: Order
    seed: int
    at_once: bool
    completion: Completion
    width: int | None
    per_position: float | None
    iterations: int
    finish: bool


class DecoderOptions(SearchLimits, SolverOptions, total=False):
    """The keyword arguments of a `Decoder` besides its labels and tagger, for calls that pass them on.

    Examples
    --------
    >>> options: DecoderOptions = {"solver": "beam", "width": 4}
    """

    solver: str
    on_limit: OnLimit
    on_infeasible: OnInfeasible
    max_loss: float | None
    on_exceed: OnExceed


@dataclass(frozen=True, kw_only=True)
class DecodingOptions:
    """The options of a decoder, checked. See `Decoder` for what they mean.

    Examples
    --------
    >>> DecodingOptions(on_limit="bounded", timeout=1.5).limits.timeout
    1.5
    >>> DecodingOptions(on_limit="ignore")
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


def require_known_options(solver: str, names: Iterable[str]) -> None:
    """Refuse options that neither a decoder nor its solver has: a misspelt one would change nothing, silently.

    Examples
    --------
    >>> require_known_options("auto", ["max_los"])
    Traceback (most recent call last):
    lawful.errors.InputError: unknown option 'max_los'; did you mean 'max_loss'?
    """
    own = [
        name
        for name, parameter in signature(SOLVERS[solver]).parameters.items()
        if parameter.kind == parameter.KEYWORD_ONLY
    ]
    for name in names:
        if name not in own:
            known = [field.name for field in fields(DecodingOptions)] + ["solver", *own]
            raise InputError(f"unknown option {name!r}; {suggestion(name, known, 'options')}")


def _require_one_of(name: str, value: str, known: tuple[str, ...]) -> None:
    if value not in known:
        raise InputError(f"{name} must be {' or '.join(map(repr, known))}, got {value!r}")
