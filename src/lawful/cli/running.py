"""Running one command: its module is imported, and typer reads its options."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Any

from lawful.cli.boundary import BAD_INPUT, DONE, INTERRUPTED
from lawful.cli.command_table import COMMANDS

if TYPE_CHECKING:
    import typer

__all__ = ["make_app", "run_command"]


def make_app(name: str) -> typer.Typer:
    """The typer application of one command.

    Examples
    --------
    >>> type(make_app("demo")).__name__
    'Typer'
    """
    import typer

    from lawful.cli.options.groups import one_by_one

    command = COMMANDS[name]
    function: Callable[..., Any] = getattr(import_module(command.module), command.function)
    # Plain help: typer's boxes would import rich for every --help.
    app = typer.Typer(add_completion=False, pretty_exceptions_enable=False, rich_markup_mode=None)
    app.command(name)(one_by_one(function))
    return app


def run_command(name: str, arguments: Sequence[str]) -> int:
    """Run a command; its exit code. Wrong options are told on stderr, other errors are raised."""
    import typer

    # click's ClickException, which typer may have inside itself
    wrong_usage: Any = typer.BadParameter.__mro__[2]
    try:
        found = typer.main.get_command(make_app(name)).main(
            args=list(arguments), prog_name=f"lawful {name}", standalone_mode=False
        )
    except typer.Exit as ending:
        return int(ending.exit_code)
    except typer.Abort:
        raise KeyboardInterrupt from None
    except wrong_usage as error:
        error.show()
        return BAD_INPUT
    if found == INTERRUPTED:  # typer's way to say Ctrl-C
        raise KeyboardInterrupt
    return found if isinstance(found, int) else DONE
