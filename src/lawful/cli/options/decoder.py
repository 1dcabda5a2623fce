"""Options of decoding that several commands have."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from lawful.cli.work.tagging import ModelFile, SentenceTagger
from lawful.errors import InputError
from lawful.rules.ruleset import Rules
from lawful.support.threads import thread_count

__all__ = [
    "FeaturesOption",
    "JobsOption",
    "MaxLossOption",
    "MaxStatesOption",
    "ModelOption",
    "OnExceedOption",
    "OnInfeasibleOption",
    "OnLimitOption",
    "RulesOption",
    "SeedOption",
    "SolverOption",
    "TimeoutOption",
    "chosen",
    "count_jobs",
    "open_model",
    "rules_for",
]

ModelOption = Annotated[
    str,
    typer.Option(
        "--model",
        "-m",
        metavar="FILE",
        help="A model of lawful's or of CRFsuite's, or JSON with the labels of given scores.",
    ),
]
RulesOption = Annotated[
    str | None, typer.Option("--rules", "-r", metavar="FILE", help="A rule file; none if not given.")
]
FeaturesOption = Annotated[
    str | None,
    typer.Option(
        "--features", metavar="FILE", help="Templates (TOML) for a CRFsuite model that was trained on them."
    ),
]
SolverOption = Annotated[
    str | None, typer.Option("--solver", metavar="NAME", help="auto, relaxation, a_star, ilp, ...")
]
TimeoutOption = Annotated[
    float | None, typer.Option("--timeout", metavar="SECONDS", help="At most this long for one sequence.")
]
MaxStatesOption = Annotated[
    int | None, typer.Option("--max-states", metavar="N", help="At most so many states for one sequence.")
]
OnLimitOption = Annotated[
    str | None, typer.Option("--on-limit", metavar="raise|bounded", help="Stop, or take the best so far.")
]
OnInfeasibleOption = Annotated[
    str | None,
    typer.Option(
        "--on-infeasible",
        metavar="raise|least-bad",
        help="If no labels keep the hard rules: stop, or take those that break them least often.",
    ),
]
MaxLossOption = Annotated[
    float | None,
    typer.Option("--max-loss", metavar="SCORE", help="Obey the rules only if that costs at most this score."),
]
OnExceedOption = Annotated[
    str | None,
    typer.Option("--on-exceed", metavar="plain|raise", help="Beyond that: rule-free labels, or stop."),
]
JobsOption = Annotated[
    int | None, typer.Option("--jobs", "-j", metavar="N", help="How many cores to use; all if not given.")
]
SeedOption = Annotated[int, typer.Option("--seed", metavar="N", min=0, help="For what is drawn at random.")]


def chosen(**options: Any) -> dict[str, Any]:
    """The options of a `Decoder` that were given, spelled as it spells them.

    Examples
    --------
    >>> chosen(solver=None, on_infeasible="least-bad")
    {'on_infeasible': 'least_bad'}
    """
    return {
        name: value.replace("-", "_") if isinstance(value, str) else value
        for name, value in options.items()
        if value is not None
    }


def count_jobs(jobs: int | None) -> int:
    """How many cores to use.

    Examples
    --------
    >>> count_jobs(3)
    3
    """
    if jobs is not None and jobs < 1:
        raise InputError(f"--jobs must be 1 or more, got {jobs}")
    return thread_count(jobs)


def rules_for(file: str | None, tagger: SentenceTagger) -> Rules:
    """The rules of a file, whose labels must be among the model's; none without a file."""
    if file is None:
        return Rules()
    from lawful.cli.options.rule_files import read_rules_for  # who has no rules need not wait for it

    return read_rules_for(file, tagger.labels)


def open_model(model: str, features: str | None = None, *, jobs: int | None = None) -> SentenceTagger:
    """The model in a file, ready to score."""
    return SentenceTagger(ModelFile.read(model, features), jobs=jobs)
