"""The keyword arguments of decoders and solvers, typed, for calls that pass them on."""

from __future__ import annotations

from collections.abc import Iterable
from inspect import signature
from typing import Literal, TypedDict

from lawful.errors import InputError
from lawful.errors.wording import suggestion
from lawful.solvers.choice import SOLVERS
from lawful.solvers.published.a_star import Completion
from lawful.solvers.published.branch_and_bound import Prune
from lawful.solvers.published.relaxation import Order

__all__ = [
    "DecoderOptions",
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
            of_decoders = [
                known
                for known in DecoderOptions.__annotations__
                if known not in SolverOptions.__annotations__
            ]
            known = of_decoders + own
            raise InputError(f"unknown option {name!r}; {suggestion(name, known, 'options')}")
