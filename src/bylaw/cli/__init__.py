"""The command line: one file a command; imports only the front door."""

from __future__ import annotations

__all__ = ["main"]


def main() -> None:
    """Run the `bylaw` command."""
    from bylaw.cli.app import app

    app()
