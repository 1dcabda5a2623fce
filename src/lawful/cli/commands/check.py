"""`lawful check`: contradictions, rules that do nothing, labels that are never possible."""

from __future__ import annotations

from typing import Annotated

import typer

import lawful
from lawful.cli.boundary import DONE, FAILED
from lawful.cli.options.rule_files import FileArgument, JsonOption, LabelsOption, load_rules, needed_labels
from lawful.cli.work.output import print_json

__all__ = ["check"]


def check(
    file: FileArgument,
    labels: LabelsOption = None,
    json: JsonOption = False,
    max_states: Annotated[
        int, typer.Option("--max-states", min=1, help="Leave questions open that need more states than this.")
    ] = 10_000,
) -> int:
    """Find contradictions and rules that do nothing.

    Tells which hard rules cannot all hold, which rules follow from others, which soft rules are always broken,
    which labels no rule names and which no sequence can have, and for which tokens no label is left. What could
    not be decided is named. Exits with 1 if the rules contradict each other.

    \b
    Examples:
      lawful check rules.toml
      lawful check rules.toml --labels O,Street,City --json
      lawful mine gold.conll -o - | lawful check -
    """  # noqa: D301 - click reads the \b
    found = load_rules(file, labels)
    report = lawful.check(found.rules, needed_labels(found, file), max_states=max_states)
    if json:
        print_json(report.to_dict())
    else:
        print(report)
    return DONE if report.ok else FAILED
