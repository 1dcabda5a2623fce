"""What the playground starts with if nothing is given: references, made here, and a small model of them."""

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

REFERENCES = 80  # few, so that the model is unsure and the rules have something to do


def starter_model() -> HMM:
    """A small hidden Markov model of references, trained on the spot.

    Examples
    --------
    >>> "author" in starter_model().labels
    True
    """
    made = generate_citations(REFERENCES, seed=1)
    return HMM().fit([one.tokens for one in made], [one.labels or () for one in made])


def starter_rules() -> str:
    """The rule file for them.

    Examples
    --------
    >>> starter_rules().count("[[rule]]")
    12
    """
    return _data("rules.toml")


def starter_examples() -> list[dict[str, str]]:
    """References to try.

    Examples
    --------
    >>> starter_examples()[1]["name"]
    'Tromble & Eisner 2006'
    """
    held: list[dict[str, str]] = json.loads(_data("examples.json"))
    return held


def starter_workbench(limits: Limits | None = None) -> Workbench:
    """The playground as it is without any option.

    Examples
    --------
    >>> len(starter_workbench().served["rules"])
    12
    """
    model, text = starter_model(), starter_rules()
    file = parse_rule_file(text, "rules", labels=model.labels, trusted=False)
    told: dict[str, Any] = {
        "examples": starter_examples(),
        "model": f"an HMM of {REFERENCES} made references",
    }
    return Workbench(model, text, file, limits=limits, **told)


def _data(name: str) -> str:
    return (files("lawful.playground") / "starter_data" / name).read_text(encoding="utf-8")
