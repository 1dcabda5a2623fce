"""Options about the model that is trained."""

from __future__ import annotations

from typing import Annotated

import typer

__all__ = ["KINDS", "KindOption"]

KINDS = ("auto", "crf", "hmm", "blend")

KindOption = Annotated[
    str,
    typer.Option(
        "--kind",
        "-k",
        metavar="|".join(KINDS),
        help="Kind of model to train; auto chooses by folds if there is little data.",
    ),
]
