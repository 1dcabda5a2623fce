"""Options of the search for the best labels."""

from __future__ import annotations

from typing import Annotated, Any

from lawful.cli.options.declarations import Option

__all__ = [
    "MaxLossOption",
    "MaxStatesOption",
    "OnExceedOption",
    "OnInfeasibleOption",
    "OnLimitOption",
    "SolverOption",
    "TimeoutOption",
    "as_decoder_options",
]

SolverOption = Annotated[
    str | None,
    Option("--solver", metavar="NAME", help="Solver: auto (the default), relaxation, a_star, ilp, ..."),
]
TimeoutOption = Annotated[
    float | None, Option("--timeout", metavar="SECONDS", help="Time limit for one sequence.")
]
MaxStatesOption = Annotated[
    int | None,
    Option("--max-states", metavar="N", help="Maximum number of search states for one sequence."),
]
OnLimitOption = Annotated[
    str | None,
    Option(
        "--on-limit",
        metavar="raise|bounded",
        help="At a limit: stop (the default), or take the best labels found so far.",
    ),
]
OnInfeasibleOption = Annotated[
    str | None,
    Option(
        "--on-infeasible",
        metavar="raise|least-bad",
        help="If no labels obey all hard rules: stop (the default), or take those with the fewest violations.",
    ),
]
MaxLossOption = Annotated[
    float | None,
    Option("--max-loss", metavar="SCORE", help="Obey the rules only if that costs at most this score."),
]
OnExceedOption = Annotated[
    str | None,
    Option(
        "--on-exceed",
        metavar="plain|raise",
        help="If obeying costs more than --max-loss: take the labels without rules, or stop.",
    ),
]


def as_decoder_options(**options: Any) -> dict[str, Any]:
    """The options that were given, spelled as `Decoder` spells them.

    Examples
    --------
    >>> as_decoder_options(solver=None, on_infeasible="least-bad")
    {'on_infeasible': 'least_bad'}
    """
    return {
        name: value.replace("-", "_") if isinstance(value, str) else value
        for name, value in options.items()
        if value is not None
    }
