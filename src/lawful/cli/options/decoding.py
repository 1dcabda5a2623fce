"""Options of the search for the best labels."""

from __future__ import annotations

from typing import Annotated, Any

from lawful.cli.options.declarations import Option
from lawful.support.numbers import check_choice

__all__ = [
    "SKIP",
    "MaxLossOption",
    "MaxStatesOption",
    "OnExceedOption",
    "OnInfeasibleOption",
    "OnLimitOption",
    "SolverOption",
    "TimeoutOption",
    "as_decoder_options",
]

SKIP = "skip"
CHOICES = {
    "on_limit": ("raise", "bounded", SKIP),
    "on_infeasible": ("raise", "least-bad"),
    "on_exceed": ("plain", "raise"),
}

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
        metavar="raise|bounded|skip",
        help="At a limit: stop (the default), or take the best labels found so far. If there are none, bounded stops; skip "
        "leaves the sequence out, lists it at the end, and the command exits with 1.",
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
    >>> as_decoder_options(on_limit="skip")
    {'on_limit': 'bounded'}
    """
    for name, known in CHOICES.items():
        given = options.get(name)
        if given is not None and given.replace("_", "-") not in known:  # `Decoder` spells least_bad
            check_choice(f"--{name.replace('_', '-')}", given, known)
    # A decoder gives what it has; a command may leave out what is nothing.
    if options.get("on_limit") == SKIP:
        options["on_limit"] = "bounded"
    return {
        name: value.replace("-", "_") if isinstance(value, str) else value
        for name, value in options.items()
        if value is not None
    }
