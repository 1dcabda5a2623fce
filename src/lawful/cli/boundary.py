"""The one place where errors become messages and exit codes."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable
from contextlib import suppress

__all__ = [
    "BAD_INPUT",
    "DONE",
    "FAILED",
    "INTERRUPTED",
    "Failure",
    "guarded",
    "keep_interrupts",
    "stop_if_interrupted",
]

DONE, FAILED, BAD_INPUT = 0, 1, 2
INTERRUPTED = 130  # as shells say it: 128 + SIGINT

# Arguments of functions that messages recommend, and that are options here.
_ARGUMENTS = re.compile(r"\b(on_infeasible|on_limit|on_exceed|encoding|format)='([\w-]+)'")


class Failure(Exception):
    """What a command raises to end with exit code 1 and a message on stderr; without a message, silently."""


_lost: list[type[BaseException]] = []


def keep_interrupts() -> None:
    """Let no Ctrl-C be lost that comes where Python ignores exceptions: in a callback while a module is imported, say.

    Else what comes from a pipe, whose other end was interrupted too, would look complete.
    """
    usual = sys.unraisablehook

    def note(found: sys.UnraisableHookArgs) -> None:
        if issubclass(found.exc_type, KeyboardInterrupt):
            _lost.append(found.exc_type)
        else:
            usual(found)

    sys.unraisablehook = note


def stop_if_interrupted() -> None:
    """Raise the KeyboardInterrupt that was ignored, if there was one."""
    if _lost:
        _lost.clear()
        raise KeyboardInterrupt


def guarded(work: Callable[[], int]) -> int:
    """Run work and give its exit code. What goes wrong is told on stderr.

    A user's mistake (`InputError`, a file that is not there) gives 2; something infeasible, or a limit that was
    reached, gives 1; Ctrl-C gives 130. Anything else is a bug of ours: it says so, with a traceback if
    LAWFUL_DEBUG is set.

    Examples
    --------
    >>> guarded(lambda: 0)
    0
    """
    from lawful.errors import InputError, InternalError, LawfulError

    try:
        code = work()
        sys.stdout.flush()
        stop_if_interrupted()
    except BrokenPipeError:
        return _no_more_readers()
    except KeyboardInterrupt:
        return _tell("interrupted", INTERRUPTED)
    except Failure as failure:
        return _tell(str(failure), FAILED)
    except InternalError as error:
        return _bug(error)
    except InputError as error:
        return _tell(str(error), BAD_INPUT, error)
    except LawfulError as error:
        return _tell(str(error), FAILED, error)
    except OSError as error:
        name = f"{error.filename}: " if error.filename is not None else ""
        return _tell(f"{name}{error.strerror or error}", BAD_INPUT, error)
    except Exception as error:  # noqa: BLE001 - whatever is left is our bug, and is told as one
        return _bug(error)
    return code


def _tell(message: str, code: int, error: BaseException | None = None) -> int:
    if error is not None and os.environ.get("LAWFUL_DEBUG"):
        raise error
    if message:
        with suppress(BrokenPipeError):
            print(f"lawful: {_as_options(message)}", file=sys.stderr)
    return code


def _as_options(message: str) -> str:
    """The message with arguments spelled as options: on_limit='bounded' is --on-limit bounded."""
    return _ARGUMENTS.sub(
        lambda found: f"--{found[1].replace('_', '-')} {found[2].replace('_', '-')}", message
    )


def _bug(error: BaseException) -> int:
    if os.environ.get("LAWFUL_DEBUG"):
        raise error
    said = " ".join(str(error).split())
    return _tell(
        f"this is a bug in lawful, not in your data: {type(error).__name__}: {said}\n"
        "Set LAWFUL_DEBUG=1 and run it again to see where it happened, and please report it with what that prints",
        FAILED,
    )


def _no_more_readers() -> int:
    """The reader of our output has gone (`lawful rules x.toml | head`): nothing to say, and nothing left to flush."""
    with suppress(OSError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
    return FAILED  # as click says it
