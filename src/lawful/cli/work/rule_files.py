"""Reading rule files for a command.

The modules of rules and rule files are imported when there is a file to read: a command without rules need not wait for them.
"""

from __future__ import annotations

import sys
import warnings
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from lawful.errors import InputError, MissingLabelWarning
from lawful.errors.wording import suggestion
from lawful.labels import LabelSet
from lawful.rules.ruleset import Rules

if TYPE_CHECKING:
    from lawful.corpus import Sentence
    from lawful.rules.files import RuleFile

__all__ = ["labels_of_file", "load_rule_file", "read_rules", "rules_about", "warn_of_unseen_labels"]


def load_rule_file(file: str, labels: LabelSet | None = None) -> RuleFile:
    """The rules of a file, or of stdin (`-`), with the line of each; by default its own labels are the known ones."""
    from lawful.rules.files import parse_rule_file, read_rule_file

    if file == "-":
        return parse_rule_file(sys.stdin.read(), "<stdin>", labels=labels, root=Path.cwd())
    return read_rule_file(file, labels=labels)


def read_rules(file: str | None, labels: LabelSet) -> Rules:
    """The rules of a file for a model with these labels; without a file, none.

    Labels that the file declares and the model lacks are reported on stderr.
    """
    if file is None:
        return Rules()
    loaded = load_rule_file(file, labels)
    for rule, missing in loaded.rules.missing_from(labels).items():
        source, line = loaded.lines[rule]
        for label in missing:
            print(
                f"lawful: {source}, line {line}: the model has no label {label!r}: it never occurs",
                file=sys.stderr,
            )
    warnings.simplefilter("ignore", MissingLabelWarning)  # they have been reported, with their lines
    return loaded.rules


def rules_about(file: str, sentences: Iterable[Sentence]) -> Rules:
    """The rules of a file for labelled sentences; labels that no sentence has are reported."""
    loaded = load_rule_file(file)
    warn_of_unseen_labels(loaded, {label for sentence in sentences for label in sentence.labels or ()})
    return loaded.rules


def warn_of_unseen_labels(file: RuleFile, seen: Iterable[str]) -> None:
    """Report on stderr each label that a rule names and no sequence has: what such a rule says is always true."""
    known = set(seen)
    if file.labels is not None and known.intersection(file.labels):
        known.update(file.labels)  # some of those that the file declares may be rare
    for rule in file.rules:
        for label in sorted(rule.labels_named(LabelSet(sorted(known))) - known):
            source, line = file.lines[rule.name]
            print(
                f"lawful: {source}, line {line}: no sequence has the label {label!r}, so this rule always holds; "
                + suggestion(label, sorted(known), "labels"),
                file=sys.stderr,
            )


def labels_of_file(file: RuleFile, name: str) -> LabelSet:
    """The labels that a rule file declares, where they are needed."""
    if file.labels is None:
        raise InputError(
            f'{name} does not declare its labels: add labels = ["..."] to the file, or pass --labels A,B,C'
        )
    return file.labels
