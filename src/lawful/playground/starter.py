"""What the playground starts with by default: made-up references, and a small model of them."""

from __future__ import annotations

import json
from importlib.resources import files
from typing import Any

from lawful.models import HMM
from lawful.playground.limits import Limits
from lawful.playground.workbench import Workbench
from lawful.rules.files import parse_rule_file
from lawful.tasks import generate_citations

__all__ = ["starter_examples", "starter_model", "starter_rules", "starter_workbench"]

REFERENCES = 80  # few, so that the model makes mistakes that rules can correct


def starter_model() -> HMM:
    """A small hidden Markov model of references, trained when it is asked for.

    Examples
    --------
    >>> "author" in starter_model().labels
    True
    """
    sentences = generate_citations(REFERENCES, seed=1)
    return HMM().fit(
        [sentence.tokens for sentence in sentences], [sentence.labels or () for sentence in sentences]
    )


def starter_rules() -> str:
    """The rule file for references.

    Examples
    --------
    >>> starter_rules().count("[[rule]]")
    12
    """
    return _data("rules.toml")


def starter_examples() -> list[dict[str, Any]]:
    """References to try.

    Examples
    --------
    >>> starter_examples()[1]["name"]
    'Tromble & Eisner 2006'
    """
    examples: list[dict[str, Any]] = json.loads(_data("examples.json"))
    return examples


def starter_workbench(limits: Limits | None = None) -> Workbench:
    """The workbench of `lawful serve` without options.

    Examples
    --------
    >>> len(starter_workbench().served["rules"])
    12
    """
    model, text = starter_model(), starter_rules()
    file = parse_rule_file(text, "rules", labels=model.labels, trusted=False)
    name = f"an HMM of {REFERENCES} made-up references"
    return Workbench(model, text, file, examples=starter_examples(), model=name, limits=limits)


def _data(name: str) -> str:
    return (files("lawful.playground") / "starter_data" / name).read_text(encoding="utf-8")
