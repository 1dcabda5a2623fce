"""Options that every command with a rule file has, and reading it."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Annotated

import typer

from lawful.corpus import Sentence
from lawful.errors import InputError
from lawful.errors.wording import suggestion
from lawful.labels import LabelSet
from lawful.rules.files import RuleFile, parse_rule_file, read_rule_file
from lawful.rules.ruleset import Rules

__all__ = [
    "FileArgument",
    "JsonOption",
    "LabelsOption",
    "load_rules",
    "needed_labels",
    "parse_labels",
    "read_file_for",
    "read_rules_for",
    "rules_about",
    "tell_unseen_labels",
]

FileArgument = Annotated[str, typer.Argument(metavar="FILE", help="A rule file; - for stdin.")]
LabelsOption = Annotated[
    str | None,
    typer.Option(
        "--labels",
        metavar="A,B,C",
        help="The labels, with commas between them; by default those that the file declares.",
    ),
]
JsonOption = Annotated[bool, typer.Option("--json", help="Print JSON.")]


def parse_labels(given: str | None) -> LabelSet | None:
    """Labels from an option.

    Examples
    --------
    >>> parse_labels("O, City")
    LabelSet(['O', 'City'])
    """
    return None if given is None else LabelSet([name.strip() for name in given.split(",") if name.strip()])


def load_rules(file: str, labels: str | None) -> RuleFile:
    """The rules of a file, or of stdin."""
    return _load(file, parse_labels(labels))


def read_rules_for(file: str, labels: LabelSet) -> Rules:
    """The rules of a file, or of stdin, for a model with these labels."""
    return _load(file, labels).rules


def read_file_for(file: str, labels: LabelSet) -> RuleFile:
    """The same, with the line of each rule."""
    return _load(file, labels)


def rules_about(file: str, sentences: Iterable[Sentence]) -> Rules:
    """The rules of a file, or of stdin, about labelled sentences."""
    found = load_rules(file, None)
    tell_unseen_labels(found, {label for one in sentences for label in one.labels or ()})
    return found.rules


def tell_unseen_labels(found: RuleFile, seen: Iterable[str]) -> None:
    """What rules say of labels that nobody has can only be kept, so that is told on stderr."""
    known = set(seen)
    if found.labels is not None and known.intersection(found.labels):
        known.update(found.labels)  # some may be rare
    for rule in found.rules:
        for label in sorted(rule.labels_named(LabelSet(sorted(known))) - known):
            source, line = found.lines[rule.name]
            print(
                f"lawful: {source}, line {line}: no sequence has the label {label!r}, so this rule is always kept; "
                + suggestion(label, sorted(known), "labels"),
                file=sys.stderr,
            )


def _load(file: str, labels: LabelSet | None) -> RuleFile:
    if file == "-":
        return parse_rule_file(sys.stdin.read(), "<stdin>", labels=labels, root=Path.cwd())
    return read_rule_file(file, labels=labels)


def needed_labels(found: RuleFile, file: str) -> LabelSet:
    """The labels of a rule file, which must say them if the caller does not."""
    if found.labels is None:
        raise InputError(
            f'{file} does not say which labels there are: add labels = ["..."] to it, or pass --labels A,B,C'
        )
    return found.labels
