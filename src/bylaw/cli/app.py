"""The `bylaw` command and its options."""

from __future__ import annotations

from typing import Annotated

import typer

from bylaw.cli.demo import demo

__all__ = ["app"]

app = typer.Typer(no_args_is_help=True, add_completion=False, pretty_exceptions_enable=False)
app.command()(demo)


def _print_version(wanted: bool) -> None:
    if wanted:
        import bylaw

        typer.echo(f"bylaw {bylaw.__version__}")
        raise typer.Exit


@app.callback()
def bylaw_command(
    _version: Annotated[
        bool,
        typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version."),
    ] = False,
) -> None:
    """Exact, fast, explainable sequence labelling under rules."""
