"""The commands, in the order in which `lawful --help` shows them."""

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
    "train": Command("lawful.cli.commands.train", "train", "Train a model on labelled sequences."),
    "decode": Command("lawful.cli.commands.decode", "decode", "Label a file with a model, under rules."),
    "explain": Command("lawful.cli.commands.explain", "explain", "Say what the rules changed, and why."),
    "evaluate": Command("lawful.cli.commands.evaluate", "evaluate", "Score labels against the right ones."),
    "mine": Command("lawful.cli.commands.mine", "mine", "Propose rules that labelled data obeys."),
    "lint": Command("lawful.cli.commands.lint", "lint", "Hold rules and labelled data against each other."),
    "rules": Command(
        "lawful.cli.commands.rules", "rules", "Say what the rules of a file mean, and draw their automata."
    ),
    "check": Command("lawful.cli.commands.check", "check", "Find contradictions and rules that do nothing."),
    "report": Command(
        "lawful.cli.commands.report",
        "report",
        "Write an HTML page that shows what the rules did to a corpus.",
    ),
    "serve": Command(
        "lawful.cli.commands.serve",
        "serve",
        "Open the playground: a text, rules and labels, live, in the browser.",
    ),
    "demo": Command("lawful.cli.commands.demo", "demo", "Show what lawful does, on embedded data."),
}
