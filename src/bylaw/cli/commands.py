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
    "train": Command("bylaw.cli.train", "train", "Train a model on labelled sequences."),
    "decode": Command("bylaw.cli.decode", "decode", "Label a file with a model, under rules."),
    "explain": Command("bylaw.cli.explain", "explain", "Say what the rules changed, and why."),
    "evaluate": Command("bylaw.cli.evaluate", "evaluate", "Score labels against the right ones."),
    "mine": Command("bylaw.cli.mine", "mine", "Propose rules that labelled data obeys."),
    "lint": Command("bylaw.cli.lint", "lint", "Hold rules and labelled data against each other."),
    "rules": Command(
        "bylaw.cli.rules", "rules", "Say what the rules of a file mean, and draw their automata."
    ),
    "check": Command("bylaw.cli.check", "check", "Find contradictions and rules that do nothing."),
    "report": Command(
        "bylaw.cli.report", "report", "Write an HTML page that shows what the rules did to a corpus."
    ),
    "serve": Command(
        "bylaw.cli.serve", "serve", "Open the playground: a text, rules and labels, live, in the browser."
    ),
    "demo": Command("bylaw.cli.demo", "demo", "Show what bylaw does, on embedded data."),
}
