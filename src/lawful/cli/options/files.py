"""Arguments and options that name the files of a command."""

from __future__ import annotations

from typing import Annotated

from lawful.cli.options.declarations import Argument, Option
from lawful.errors import InputError

__all__ = [
    "FeaturesOption",
    "GoldArgument",
    "ModelOption",
    "OptionalRuleFileArgument",
    "RuleFileArgument",
    "RuleFileOption",
    "RulesOption",
    "SequencesArgument",
    "VotersOption",
    "WeightsOption",
    "chosen_rule_file",
]

GoldArgument = Annotated[str, Argument(metavar="GOLD", help="Labelled sequences; - for stdin.")]
SequencesArgument = Annotated[str, Argument(metavar="FILE", help="Sequences to label; - for stdin.")]
RuleFileArgument = Annotated[str, Argument(metavar="RULES", help="Rule file (TOML); - for stdin.")]
RuleFileOption = Annotated[
    str | None, Option("--rules", "-r", metavar="FILE", help="The rule file, if not given as RULES.")
]
OptionalRuleFileArgument = Annotated[
    str | None, Argument(metavar="RULES", help="Rule file (TOML); - for stdin.")
]
ModelOption = Annotated[
    str,
    Option(
        "--model",
        "-m",
        metavar="FILE",
        help="Model file (lawful or CRFsuite), or a JSON file with the labels of precomputed scores.",
    ),
]
RulesOption = Annotated[
    str | None, Option("--rules", "-r", metavar="FILE", help="Rule file (TOML); no rules by default.")
]
VotersOption = Annotated[
    list[str],
    Option(
        "--model",
        "-m",
        metavar="FILE",
        help="Model file (lawful or CRFsuite), or a JSON file with the labels of precomputed scores. Several models vote.",
    ),
]
WeightsOption = Annotated[
    str | None,
    Option("--weights", metavar="A,B,C", help="Of a vote: one number for each tagger; equal by default."),
]
FeaturesOption = Annotated[
    str | None,
    Option(
        "--features",
        metavar="FILE",
        help="Feature templates (TOML) that make the attributes a CRFsuite model was trained on.",
    ),
]


def chosen_rule_file(argument: str | None, option: str | None, command: str) -> str:
    """The rule file of a command that takes it as its argument or as `--rules`.

    Examples
    --------
    >>> chosen_rule_file(None, "rules.toml", "check")
    'rules.toml'
    """
    if argument is not None and option is not None:
        raise InputError(f"`lawful {command}` takes one rule file: leave out {argument}, or --rules {option}")
    file = argument or option
    if not file:
        raise InputError(
            f"`lawful {command}` needs a rule file, or - for stdin; `lawful {command} -h` shows examples"
        )
    return file
