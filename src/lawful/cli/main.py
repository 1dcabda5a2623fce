"""The commands, and the way from the arguments of `lawful` to the one that is asked for.

`--version` and `--help` are answered at once: typer and rich take longer to import than all of this, so they wait until
they are needed: an ordinary command line is read without them (`options/plain.py`). A command's own module is imported only
when that command runs.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Any, NamedTuple

from lawful.cli.boundary import (
    BAD_INPUT,
    COLLECTING,
    DONE,
    INTERRUPTED,
    guarded,
    keep_interrupts,
    open_closed_streams,
)

if TYPE_CHECKING:
    import typer

__all__ = ["COMMANDS", "Command", "main", "make_app", "overview", "run"]


class Command(NamedTuple):
    """A command: its module, the function in that module, and a one-line summary."""

    module: str
    function: str
    summary: str


WORDING = {  # pydantic's words, which typer passes on
    "Input should be a valid integer, unable to parse string as an integer": "expected a whole number",
    "Input should be a valid number, unable to parse string as a number": "expected a number",
    "Input should be": "expected a number",
}
FOLDERS = {"convert": "encodings.", "search": "encodings."}  # of commands that share one

COMMANDS: dict[str, Command] = {
    name: Command(f"lawful.cli.commands.{FOLDERS.get(name, '')}{name}", name, summary)
    for name, summary in {  # in the order in which `lawful --help` lists them
        "train": "Train a model on labelled sequences.",
        "decode": "Label sequences with a model, under rules.",
        "vote": "Let taggers vote, under rules.",
        "explain": "Explain what the rules changed, and why.",
        "evaluate": "Compare predicted labels with gold labels.",
        "mine": "Propose rules that labelled data obeys.",
        "lint": "Check rules against labelled data.",
        "rules": "Describe the rules of a file and draw their automata.",
        "check": "Find contradictory and redundant rules.",
        "report": "Write an HTML report of what the rules changed in a corpus.",
        "serve": "Open the playground: edit a text and its rules in the browser.",
        "convert": "Convert labels to another chunk scheme, or to the tags of an encoding and back.",
        "search": "Search for an output encoding in which a model does better.",
        "completion": "Print a script that completes commands and options in your shell.",
        "demo": "Show what lawful does, on built-in data.",
    }.items()
}


def main() -> None:
    """Run the `lawful` command and exit with its exit code.

    SIGTERM, which `timeout` and batch systems send, ends it the way Ctrl-C does: no half-written file is left.
    """
    import gc
    import os
    import signal

    # Before numpy is imported: its linear algebra would start a thread for each core, which costs more than a small file takes
    # to label. What is worth threads here runs in our own, and `--jobs` says how many; whoever sets it otherwise is obeyed.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    gc.set_threshold(*COLLECTING)
    open_closed_streams()
    keep_interrupts()
    signal.signal(signal.SIGTERM, lambda number, frame: sys.exit(128 + number))
    code = run(sys.argv[1:])
    if code == INTERRUPTED and hasattr(signal, "pthread_sigmask"):
        # An interrupt that passed through code made from text, as that of dataclasses is, makes `python -m` send the signal to
        # itself at the end, whatever exit code it was given.
        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    sys.exit(code)


def run(arguments: Sequence[str]) -> int:
    """Run the command line with these arguments and return the exit code.

    Examples
    --------
    >>> run(["--version"])  # doctest: +ELLIPSIS
    lawful ...
    0
    """
    return guarded(lambda: _dispatch(list(arguments)))


def overview() -> str:
    """The text of `lawful --help`.

    Examples
    --------
    >>> overview().splitlines()[0]
    'Usage: lawful COMMAND [OPTIONS] ...'
    """
    width = max(map(len, COMMANDS))
    summaries = "\n".join(f"  {name:<{width}}  {command.summary}" for name, command in COMMANDS.items())
    return (
        "Usage: lawful COMMAND [OPTIONS] ...\n\n"
        "Exact, fast, explainable sequence labelling under rules.\n\n"
        f"Commands:\n{summaries}\n\n"
        "Options:\n"
        "  --version   Print the version.\n"
        "  -h, --help  Print this help.\n\n"
        "Run `lawful help COMMAND` or `lawful COMMAND -h` for the options of a command and examples.\n"
        "Exit codes: 0 success, 1 infeasible or failed, 2 bad input."
    )


def make_app(name: str) -> typer.Typer:
    """The typer application of one command.

    Examples
    --------
    >>> type(make_app("demo")).__name__
    'Typer'
    """
    import typer

    from lawful.cli.options.groups import flattened, for_typer
    from lawful.cli.options.help_text import PlainHelp

    function = _function(name)
    # Plain help: typer's boxes would import rich for every --help.
    app = typer.Typer(add_completion=False, pretty_exceptions_enable=False, rich_markup_mode=None)
    app.command(name, cls=PlainHelp, context_settings={"help_option_names": ["-h", "--help"]})(
        for_typer(flattened(function))
    )
    return app


def _dispatch(arguments: list[str]) -> int:
    if not arguments:
        print(overview())
        return BAD_INPUT
    first = arguments[0]
    if first == "help" and len(arguments) > 1:
        arguments = [arguments[1], "--help"]
        first = arguments[0]
    if first in ("--help", "-h", "help"):
        print(overview())
        return DONE
    if first in ("--version", "-V"):
        import lawful

        print(f"lawful {lawful.__version__}")
        return DONE
    if first in COMMANDS:
        return _run_command(first, arguments[1:])
    from lawful.errors.wording import nearest

    close = nearest(first, COMMANDS)
    hint = f"did you mean {close!r}?" if close else "`lawful --help` lists the commands"
    what = "option" if first.startswith("-") else "command"
    print(f"lawful: unknown {what} {first!r}; {hint}", file=sys.stderr)
    return BAD_INPUT


def _function(name: str) -> Callable[..., Any]:
    function: Callable[..., Any] = getattr(import_module(COMMANDS[name].module), COMMANDS[name].function)
    return function


def _run_command(name: str, arguments: Sequence[str]) -> int:
    """Run a command and return its exit code; wrong options are reported on stderr, other errors are raised."""
    from lawful.cli.options.groups import flattened
    from lawful.cli.options.plain import read_plainly

    command = flattened(_function(name))
    options = read_plainly(command, arguments)
    if options is not None:
        code = command(**options)
        return code if isinstance(code, int) else DONE

    import typer

    # click's ClickException, which typer may ship a copy of its own of
    wrong_usage: Any = typer.BadParameter.__mro__[2]
    try:
        code = typer.main.get_command(make_app(name)).main(
            args=list(arguments), prog_name=f"lawful {name}", standalone_mode=False
        )
    except typer.Exit as ending:
        return int(ending.exit_code)
    except typer.Abort:
        raise KeyboardInterrupt from None
    except wrong_usage as error:
        print(f"lawful: {_as_said(error, name)}", file=sys.stderr)
        return BAD_INPUT
    if code == INTERRUPTED:  # how typer reports Ctrl-C
        raise KeyboardInterrupt
    return code if isinstance(code, int) else DONE


def _as_said(error: Any, name: str) -> str:
    """What is wrong with the options, in the style of all other messages."""
    message = str(error.format_message()).rstrip(".").replace("argument(s)", "arguments")
    for theirs, ours in WORDING.items():
        message = message.replace(theirs, ours)
    return f"{message[:1].lower()}{message[1:]}; `lawful {name} -h` shows the options"
