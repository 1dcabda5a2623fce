"""The command line: one file a command.

`commands.py` lists the commands; `front.py` answers what needs no command at once, and loads the module of the
one that is asked for; `boundary.py` is the only place where an error becomes a message and an exit code.
"""

from __future__ import annotations

__all__ = ["main"]


def main() -> None:
    """Run the `bylaw` command and leave with its exit code."""
    import sys

    from bylaw.cli.front import run

    sys.exit(run(sys.argv[1:]))
