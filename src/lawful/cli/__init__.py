"""The command line: one file a command.

`commands.py` lists the commands; `front.py` answers what needs no command at once, and loads the module of the
one that is asked for; `boundary.py` is the only place where an error becomes a message and an exit code.
"""

from __future__ import annotations

__all__ = ["main"]


def main() -> None:
    """Run the `lawful` command and leave with its exit code.

    When told to end (SIGTERM, as `timeout` and batch systems send it), it leaves as with Ctrl-C: without half a file.
    """
    import signal
    import sys

    from lawful.cli.boundary import keep_interrupts
    from lawful.cli.front import run

    keep_interrupts()
    signal.signal(signal.SIGTERM, lambda number, frame: sys.exit(128 + number))
    sys.exit(run(sys.argv[1:]))
