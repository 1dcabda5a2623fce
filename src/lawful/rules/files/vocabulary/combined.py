"""The entries of the rule kinds that are made of other things: machines, patterns, logic."""

from __future__ import annotations

from typing import Any

from lawful.errors import PatternError
from lawful.rules import english as say
from lawful.rules.files.rule_tables import clause, read_part, write_part
from lawful.rules.files.scope import Place
from lawful.rules.files.values.base import Text
from lawful.rules.files.values.of_rules import Classes, Part, Parts, States, Tests, expand_groups
from lawful.rules.files.values.of_tests import read_test
from lawful.rules.files.vocabulary.kinds import Key, Kind
from lawful.rules.kinds.machines import Automaton
from lawful.rules.logic import And, Implies, Not, Or, Xor
from lawful.rules.patterns.compile import symbols_of
from lawful.rules.patterns.lexer import read_lexemes
from lawful.rules.patterns.rule import Pattern
from lawful.rules.rule import Rule

__all__ = ["COMBINED"]


def _make_pattern(values: dict[str, Any], at: Place) -> Rule:
    """A pattern, whose tests are its own or those of the file."""
    place = at.under("pattern")
    source = expand_groups(values.pop("source"), place)
    tests = dict(values.pop("tests", ()))
    try:
        used = [lexeme.text.removeprefix("!") for lexeme in read_lexemes(source) if lexeme.kind == "test"]
        wanted = [name for name in dict.fromkeys(used) if name not in tests]
        found = place.each([(0, name) for name in wanted], lambda name, _: read_test(name, place))
        tests |= dict(zip(wanted, found, strict=True))
        rule = Pattern(source, tuple(tests.items()), **values)
    except PatternError as error:
        place.fail(str(error))
    if at.scope.labels is not None:
        for symbol in symbols_of(rule.tree):
            for name in symbol.labels:
                if name not in at.scope.labels:
                    place.unknown("label", name, at.scope.labels, plural="labels")
    return rule


def _make_xor(values: dict[str, Any], at: Place) -> Rule:
    left, right = values.pop("parts")
    return Xor(left, right, **values)


def _of_pattern(rule: Pattern) -> str:
    asked = "; ".join(f"/{name} is a token that {say.who(test)}" for name, test in rule.tests)
    return f"the whole sequence matches {rule.source!r}" + (f" (where {asked})" if asked else "")


def _of_machine(rule: Automaton) -> str:
    return f"an automaton with {say.counted(rule.machine.states, 'state')} counts no violation"


RULES = Parts(read_part, write_part)
RULE = Part(read_part, write_part)

COMBINED = (
    Kind(
        "pattern",
        Pattern,
        (
            Key("pattern", Text("a pattern"), "a regular expression over labels and tests", field="source"),
            Key("tests", Tests(), "token tests of its own, by name", default=()),
        ),
        _of_pattern,
        "the whole sequence matches a pattern",
        make=_make_pattern,
    ),
    Kind(
        "automaton",
        Automaton,
        (
            Key("states", States(), "one table a state: to, counts, end", field="machine"),
            Key("classes", Classes(), "the class of each label; by default its place", default=None),
        ),
        _of_machine,
        "a deterministic machine counts no violation",
    ),
    Kind(
        "and",
        And,
        (Key("rules", RULES, "rules, by name or as tables"),),
        lambda rule: f"all of these hold: {say.numbered(map(clause, rule.rules))}",
        "all rules hold",
    ),
    Kind(
        "or",
        Or,
        (Key("rules", RULES, "rules, by name or as tables"),),
        lambda rule: f"at least one of these holds: {say.numbered(map(clause, rule.rules))}",
        "at least one of the rules holds",
    ),
    Kind(
        "xor",
        Xor,
        (Key("rules", Parts(read_part, write_part, two=True), "two rules", field="parts"),),
        lambda rule: f"exactly one of these holds: {say.numbered(map(clause, rule.parts))}",
        "exactly one of the two rules holds",
        make=_make_xor,
    ),
    Kind(
        "not",
        Not,
        (Key("rule", RULE, "a rule, by name or as a table"),),
        lambda rule: f"it is not the case that {clause(rule.rule)}",
        "the rule does not hold",
    ),
    Kind(
        "implies",
        Implies,
        (
            Key("if", RULE, "a rule, by name or as a table", field="condition"),
            Key("then", RULE, "a rule, by name or as a table", field="consequence"),
        ),
        lambda rule: f"if {clause(rule.condition)}, then {clause(rule.consequence)}",
        "if the first rule holds, so does the second",
    ),
)
