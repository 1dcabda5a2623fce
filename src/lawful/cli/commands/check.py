"""`lawful check`: contradictions, redundant rules, impossible labels."""

from __future__ import annotations

import sys
from typing import Annotated

import lawful
from lawful.cli.boundary import DONE, FAILED
from lawful.cli.options.declarations import Option
from lawful.cli.options.files import OptionalRuleFileArgument, RuleFileOption, chosen_rule_file
from lawful.cli.options.labels import LabelsOption, parse_labels
from lawful.cli.options.running import JsonOption
from lawful.cli.work.output import print_json
from lawful.cli.work.rule_files import labels_of_file, load_rule_file
from lawful.errors import InputError

__all__ = ["check"]


def check(
    file: OptionalRuleFileArgument = None,
    rules: RuleFileOption = None,
    labels: LabelsOption = None,
    model: Annotated[
        str | None,
        Option("--model", "-m", metavar="FILE", help="Take the labels of this model."),
    ] = None,
    json: JsonOption = False,
    max_states: Annotated[
        int,
        Option(
            "--max-states", metavar="N", min=1, help="Leave questions open that need more states than this."
        ),
    ] = 10_000,
    timeout: Annotated[
        float | None,
        Option(
            "--timeout",
            metavar="SECONDS",
            min=0.0,
            help="Leave questions open that are not answered by then.",
        ),
    ] = None,
) -> int:
    """Find contradictory and redundant rules.

    Reports hard rules that cannot all hold, rules that follow from others, soft rules that are always broken, labels that no
    rule names or that no sequence can have, and tokens for which no label is left. Questions that could not be decided
    are listed too. Exits with 1 if the rules contradict each other.

    \b
    Examples:
      lawful check rules.toml
      lawful check rules.toml --labels O,Street,City --json
      lawful check -r rules.toml --model model.lawful
      lawful mine gold.conll -o - | lawful check -
    """  # noqa: D301 - click reads the \b
    file = chosen_rule_file(file, rules, "check")
    known = parse_labels(labels)
    if model is not None:
        if known is not None:
            raise InputError("--labels or --model tells the labels, not both")
        from lawful.cli.work.models import open_model

        known = open_model(model).labels
    loaded = load_rule_file(file, known)
    report = lawful.check(loaded.rules, labels_of_file(loaded, file), max_states=max_states, timeout=timeout)
    if json:
        print_json(report.to_dict())
    elif not len(loaded.rules):
        print(f"{file} has no rules", file=sys.stderr)
    else:
        print(report)
    return DONE if report.ok else FAILED
