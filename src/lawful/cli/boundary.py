"""The one place where errors become messages and exit codes."""

from __future__ import annotations

import os
import re
import sys
import warnings
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

__all__ = [
    "BAD_INPUT",
    "COLLECTING",
    "DONE",
    "FAILED",
    "INTERRUPTED",
    "Failure",
    "guarded",
    "keep_interrupts",
    "open_closed_streams",
    "stop_if_interrupted",
]

DONE, FAILED, BAD_INPUT = 0, 1, 2
INTERRUPTED = 130  # the convention of shells: 128 + SIGINT

COLLECTING = (200_000, 20, 100)
"""Thresholds of the garbage collector, which finds next to nothing in what imports and readers make."""

# Error messages recommend arguments of functions; on the command line they are options.
_NUMBERS = "timeout|max_states|max_loss|c1|c2|held_out|min_support|max_exceptions|hard_support|seed|tolerance|max_paths"
_NAMED = re.compile(rf"\A({_NUMBERS})(?= must )|(?<=[:;] raise )(timeout|max_states|max_memory)(?=,|\Z)")
_ARGUMENTS = re.compile(r"\b(on_infeasible|on_limit|on_exceed|encoding|format|outside|separator)='([\w-]+)'")


class Failure(Exception):
    """Raised by a command to end with exit code 1 and a message on stderr; without a message, silently."""


_lost: list[type[BaseException]] = []  # interrupts that Python ignored


def keep_interrupts() -> None:
    """Remember a Ctrl-C that arrives where Python ignores exceptions, such as a callback during an import.

    Otherwise the input from a pipe, whose writer was interrupted too, would look complete.
    """
    default_hook = sys.unraisablehook

    def hook(ignored: sys.UnraisableHookArgs) -> None:
        if issubclass(ignored.exc_type, KeyboardInterrupt):
            _lost.append(ignored.exc_type)
        else:
            default_hook(ignored)

    sys.unraisablehook = hook


def open_closed_streams() -> None:
    """Put /dev/null in the place of standard streams that whoever started us has closed (`<&-`, `>&-`).

    Otherwise the next file that is opened would take their numbers, and what is printed on stderr would go to stdout.
    """
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, Path(os.devnull).open(mode, encoding="utf-8"))  # noqa: SIM115 - until we end


def stop_if_interrupted() -> None:
    """Raise the KeyboardInterrupt that Python ignored, if there was one."""
    if _lost:
        _lost.clear()
        raise KeyboardInterrupt


def guarded(work: Callable[[], int]) -> int:
    """Run work and return its exit code; errors become messages on stderr.

    A user's mistake (`InputError`, a missing file) gives 2; an infeasible problem or a limit gives 1; Ctrl-C gives 130.
    Anything else is a bug of ours and is reported as one, with a traceback if LAWFUL_DEBUG is set. Warnings become lines
    on stderr.

    Examples
    --------
    >>> guarded(lambda: 0)
    0
    """
    from lawful.errors import LawfulWarning

    with warnings.catch_warnings():
        warnings.simplefilter("default", LawfulWarning)
        warnings.showwarning = _show
        return _guarded(work)


def _guarded(work: Callable[[], int]) -> int:
    from lawful.errors import InputError, InternalError, LawfulError

    try:
        code = work()
        sys.stdout.flush()
        stop_if_interrupted()
    except BrokenPipeError:
        return _no_more_readers()
    except KeyboardInterrupt:
        return _report("interrupted", INTERRUPTED)
    except Failure as failure:
        return _report(str(failure), FAILED)
    except InternalError as error:
        return _bug(error)
    except InputError as error:
        return _report(str(error), BAD_INPUT, error)
    except LawfulError as error:
        return _report(str(error), FAILED, error)
    except OSError as error:
        name = f"{error.filename}: " if error.filename is not None else ""
        return _report(f"{name}{error.strerror or error}", BAD_INPUT, error)
    except Exception as error:  # noqa: BLE001 - whatever is left is our bug, and is reported as one
        return _bug(error)
    return code


def _show(message: Warning | str, *_: object, **__: object) -> None:
    _report(str(message), DONE)


def _report(message: str, code: int, error: BaseException | None = None) -> int:
    if error is not None and os.environ.get("LAWFUL_DEBUG"):
        raise error
    if message:
        with suppress(BrokenPipeError):
            print(f"lawful: {_as_options(message)}", file=sys.stderr)
    return code


def _as_options(message: str) -> str:
    """The message with arguments spelled as options: on_limit='bounded' is --on-limit bounded, timeout --timeout."""
    message = _NAMED.sub(lambda name: f"--{name[0].replace('_', '-')}", message)
    return _ARGUMENTS.sub(_as_option, message)


def _as_option(argument: re.Match[str]) -> str:
    # `--encoding` is for output encodings, while functions that read text call its encoding so.
    name = "text-encoding" if argument[1] == "encoding" else argument[1].replace("_", "-")
    return f"--{name} {argument[2].replace('_', '-')}"


def _bug(error: BaseException) -> int:
    if os.environ.get("LAWFUL_DEBUG"):
        raise error
    message = " ".join(str(error).split())
    return _report(
        f"this is a bug in lawful, not in your data: {type(error).__name__}: {message}\n"
        "Run it again with LAWFUL_DEBUG=1 to get a traceback, and please report it with that traceback",
        FAILED,
    )


def _no_more_readers() -> int:
    """The reader of our output has gone (`lawful rules x.toml | head`): there is nobody to report to."""
    with suppress(OSError):  # Python flushes stdout when it ends, which must not fail again
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
    return FAILED  # as click does
