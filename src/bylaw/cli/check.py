"""`bylaw check`: contradictions, rules that do nothing, labels that are never possible."""

from __future__ import annotations

from typing import Annotated

import typer

import bylaw
from bylaw.cli.boundary import DONE, FAILED
from bylaw.cli.output import print_json
from bylaw.cli.rule_files import FileArgument, JsonOption, LabelsOption, load_rules, needed_labels

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
      bylaw check rules.toml
      bylaw check rules.toml --labels O,Street,City --json
      bylaw mine gold.conll -o - | bylaw check -
    """  # noqa: D301 - click reads the \b
    found = load_rules(file, labels)
    report = bylaw.check(found.rules, needed_labels(found, file), max_states=max_states)
    if json:
        print_json(report.to_dict())
    else:
        print(report)
    return DONE if report.ok else FAILED
