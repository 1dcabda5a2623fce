"""Every function that takes rules takes the path of a rule file, or its text."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import lawful
from lawful.explanation import explain, why_not
from lawful.learning import CCM, CoDL, RuledPerceptron, tally_violations
from lawful.report import make_report

TEXT = '[[rule]]\nkind = "at_most"\nn = 1\nlabels = "A"\nprice = 2.0\n'
GOLD = [lawful.Sentence(("x", "y"), ("A", "B")), lawful.Sentence(("y", "x"), ("B", "A"))] * 3
X, Y = [list(one.tokens) for one in GOLD], [list(one.labels or ()) for one in GOLD]
LATTICE = lawful.Lattice([[1.0, 0.0], [2.0, 0.0]], labels=["A", "B"])

TAKERS: dict[str, Callable[[Any], Any]] = {
    "decode": lambda rules: lawful.decode(LATTICE, rules).labels,
    "explain": lambda rules: str(explain(LATTICE, rules)),
    "why_not": lambda rules: str(why_not(LATTICE, rules, ["A", "A"])),
    "nbest": lambda rules: [one.labels for one in lawful.nbest(LATTICE, rules, n=2)],
    "check": lambda rules: str(lawful.check(rules, ["A", "B"])),
    "lint": lambda rules: lawful.lint(rules, GOLD).to_dict(),
    "evaluate": lambda rules: lawful.evaluate(GOLD, Y, rules=rules).violations,
    "evaluate tokens": lambda rules: lawful.evaluate(Y, Y, rules=rules, tokens=X).violations,
    "estimate_prices": lambda rules: lawful.estimate_prices(rules, GOLD),
    "tally_violations": lambda rules: tally_violations(rules, GOLD),
    "make_report": lambda rules: make_report(GOLD, lawful.HMM().fit(X, Y), rules).effects,
    "predict": lambda rules: lawful.HMM().fit(X, Y).predict(X, rules),
    "vote": lambda rules: [one.labels for one in lawful.vote([lawful.HMM().fit(X, Y)] * 2, X, rules=rules)],
    "CoDL": lambda rules: CoDL(lawful.HMM(), rules, rounds=1).fit(X, Y, unlabelled=X).predict(X),
    "CCM": lambda rules: CCM(lawful.HMM(), rules).fit(X, Y).predict(X),
    "RuledPerceptron": lambda rules: (
        RuledPerceptron(lawful.StructuredPerceptron(), rules, epochs=1).fit(X, Y).predict(X)
    ),
}


@pytest.mark.parametrize("taker", TAKERS)
def test_rules_may_be_a_path_or_a_text(taker: str, tmp_path: Path) -> None:
    path = tmp_path / "rules.toml"
    path.write_text(TEXT)
    take = TAKERS[taker]
    expected = take(lawful.read_rules(path))
    assert take(path) == take(str(path)) == take(TEXT) == expected


@pytest.mark.parametrize("taker", TAKERS)
def test_a_missing_file_is_told(taker: str) -> None:
    with pytest.raises(FileNotFoundError, match=r"no-such\.toml"):
        TAKERS[taker]("no-such.toml")
