"""Options about the model that is trained."""

from __future__ import annotations

from typing import Annotated

from lawful.cli.options.declarations import Option

__all__ = ["KINDS", "KindOption", "MaxIterationsOption", "TemplatesOption"]

KINDS = ("auto", "crf", "hmm", "blend")

KindOption = Annotated[
    str,
    Option(
        "--kind",
        "-k",
        metavar="|".join(KINDS),
        help="Kind of model to train; auto chooses by folds if there is little data.",
    ),
]
TemplatesOption = Annotated[
    str | None,
    Option(
        "--features",
        metavar="FILE",
        help="Feature templates (TOML); by default words, spelling and columns.",
    ),
]
MaxIterationsOption = Annotated[
    int | None,
    Option("--max-iterations", metavar="N", min=1, help="Maximum number of training iterations."),
]
