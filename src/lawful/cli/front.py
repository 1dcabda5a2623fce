"""What happens first: answer `--version` and `--help`, or load the one command that is asked for.

Typer and rich take longer to import than all of this, so they wait until a command needs them.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence

from lawful.cli.boundary import BAD_INPUT, DONE, guarded
from lawful.cli.command_table import COMMANDS

__all__ = ["overview", "run"]


def run(arguments: Sequence[str]) -> int:
    """Run the command line with these arguments; the exit code.

    Examples
    --------
    >>> run(["--version"])  # doctest: +ELLIPSIS
    lawful ...
    0
    """
    return guarded(lambda: _dispatch(list(arguments)))


def overview() -> str:
    """What `lawful --help` prints.

    Examples
    --------
    >>> overview().splitlines()[0]
    'Usage: lawful COMMAND [OPTIONS] ...'
    """
    width = max(map(len, COMMANDS))
    listed = "\n".join(f"  {name:<{width}}  {command.summary}" for name, command in COMMANDS.items())
    return (
        "Usage: lawful COMMAND [OPTIONS] ...\n\n"
        "Exact, fast, explainable sequence labelling under rules.\n\n"
        f"Commands:\n{listed}\n\n"
        "Options:\n"
        "  --version  Print the version.\n"
        "  --help     Print this.\n\n"
        "`lawful COMMAND --help` tells more, with examples.\n"
        "Exit codes: 0 done, 1 something infeasible or failing, 2 bad input."
    )


def _dispatch(arguments: list[str]) -> int:
    if not arguments:
        print(overview())
        return BAD_INPUT
    first = arguments[0]
    if first in ("--help", "-h", "help"):
        print(overview())
        return DONE
    if first in ("--version", "-V"):
        import lawful

        print(f"lawful {lawful.__version__}")
        return DONE
    if first in COMMANDS:
        from lawful.cli.running import run_command

        return run_command(first, arguments[1:])
    from difflib import get_close_matches

    close = get_close_matches(first, COMMANDS, n=1)
    hint = f"did you mean {close[0]!r}?" if close else "`lawful --help` lists the commands"
    what = "option" if first.startswith("-") else "command"
    print(f"lawful: unknown {what} {first!r}; {hint}", file=sys.stderr)
    return BAD_INPUT
