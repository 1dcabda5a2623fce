"""Options about the model that is trained."""

from __future__ import annotations

from typing import Annotated

import typer

from lawful.cli.work.training.recipe import KINDS

__all__ = ["KindOption"]

KindOption = Annotated[
    str,
    typer.Option(
        "--kind",
        "-k",
        metavar="|".join(KINDS),
        help="Kind of model to train; auto chooses by folds if there is little data.",
    ),
]
