"""Arguments and options that name the files of a command."""

from __future__ import annotations

from typing import Annotated

import typer

__all__ = [
    "FeaturesOption",
    "GoldArgument",
    "ModelOption",
    "RuleFileArgument",
    "RulesOption",
    "SequencesArgument",
]

GoldArgument = Annotated[str, typer.Argument(metavar="GOLD", help="Labelled sequences; - for stdin.")]
SequencesArgument = Annotated[str, typer.Argument(metavar="FILE", help="Sequences to label; - for stdin.")]
RuleFileArgument = Annotated[str, typer.Argument(metavar="RULES", help="Rule file (TOML); - for stdin.")]
ModelOption = Annotated[
    str,
    typer.Option(
        "--model",
        "-m",
        metavar="FILE",
        help="Model file (lawful or CRFsuite), or a JSON file with the labels of precomputed scores.",
    ),
]
RulesOption = Annotated[
    str | None, typer.Option("--rules", "-r", metavar="FILE", help="Rule file (TOML); no rules by default.")
]
FeaturesOption = Annotated[
    str | None,
    typer.Option(
        "--features",
        metavar="FILE",
        help="Feature templates (TOML) that make the attributes a CRFsuite model was trained on.",
    ),
]
