"""The commands, in the order in which `bylaw --help` shows them."""

from __future__ import annotations

from typing import NamedTuple

__all__ = ["COMMANDS", "Command"]


class Command(NamedTuple):
    """A command: the module that holds it, the function of that module, and what it does, in a line.

    The module is imported when the command is run, and not before.
    """

    module: str
    function: str
    summary: str


COMMANDS: dict[str, Command] = {
    "rules": Command(
        "bylaw.cli.rules", "rules", "Say what the rules of a file mean, and draw their automata."
    ),
    "check": Command("bylaw.cli.check", "check", "Find contradictions and rules that do nothing."),
    "demo": Command("bylaw.cli.demo", "demo", "Show what bylaw does, on embedded data."),
}
