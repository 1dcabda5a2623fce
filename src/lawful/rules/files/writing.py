"""Writing rule files: `write_rules`, `format_rules`."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from itertools import chain
from typing import Any

from lawful.errors import RuleError
from lawful.rules.files.rule_tables import write_rule
from lawful.rules.files.toml import toml_pairs
from lawful.rules.files.values.token_tests import function_name
from lawful.rules.rule import Rule
from lawful.rules.ruleset import Rules
from lawful.rules.tokens.tests import functions_in
from lawful.support.files import written_aside

__all__ = ["format_rules", "write_rules"]


def format_rules(rules: Rule | Iterable[Rule], *, labels: Sequence[str] | None = None) -> str:
    """Rules as the text of a rule file; `parse_rules` gives the same rules again.

    Parameters
    ----------
    rules : Rules, a rule, or several
    labels : sequence of str, optional
        The label set, declared at the top of the file; by default the labels that `Rules` declare.

    Examples
    --------
    >>> from lawful.rules import at_most_segments
    >>> print(format_rules(at_most_segments(1, "Street").soft(2, name="one street")), end="")
    [[rule]]
    name = "one street"
    kind = "at_most_segments"
    n = 1
    labels = "Street"
    price = 2.0
    """
    rule_set = rules if isinstance(rules, Rules) else Rules(rules)
    _check_functions(rule_set)
    declared = rules.labels if labels is None and isinstance(rules, Rules) else labels
    blocks = [toml_pairs({"labels": list(declared)})] if declared is not None else []
    blocks += ["[[rule]]\n" + toml_pairs(write_rule(rule, name=rule.has_own_name)) for rule in rule_set]
    return "".join(f"{block}\n" for block in "\n\n".join(blocks).split("\n")) if blocks else ""


def write_rules(
    rules: Rule | Iterable[Rule], path: str | os.PathLike[str], *, labels: Sequence[str] | None = None
) -> None:
    """Write rules to a rule file; `read_rules` gives the same rules again.

    Functions are written by name: pass them to `read_rules(path, functions={name: function})`. The default of a
    context comes back with lists in place of tuples. The file is written under another name and then renamed, so
    that it is never seen half written.

    Parameters
    ----------
    rules : Rules, a rule, or several
    path : str or path
    labels : sequence of str, optional
        The label set, declared at the top of the file; by default the labels that `Rules` declare.

    Examples
    --------
    >>> from lawful.rules import forbid
    >>> from lawful.rules.files.reading import read_rules
    >>> write_rules([forbid("A")], "rules.toml")
    >>> read_rules("rules.toml")
    Rules(forbid('A'))
    """
    text = format_rules(rules, labels=labels)
    with written_aside(path) as file:
        file.write(text.encode())


def _check_functions(rules: Iterable[Rule]) -> None:
    """Refuse two functions of the same name, which a file could not tell apart."""
    known: dict[str, Callable[[Any], Any]] = {}
    tests = (test for rule in rules for test in rule.token_tests)
    for test in chain.from_iterable(map(functions_in, tests)):
        name = function_name(test)
        if known.setdefault(name, test.function) is not test.function:
            raise RuleError(
                f"two different functions are called {name!r}: give one another name, with token.test(function, name=...)"
            )
