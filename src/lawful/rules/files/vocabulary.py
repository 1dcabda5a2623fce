"""Every kind of rule that a file may contain, one entry each.

The reader, the writer, the schema for editors and the English of `describe` all follow this table.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from lawful.errors import PatternError
from lawful.rules import english as say
from lawful.rules.contexts import Context
from lawful.rules.files.entry import Key, Kind
from lawful.rules.files.scope import Location
from lawful.rules.files.values.base import Choice, ContextOr, Labels, Pairs, Positions, Text, Whole
from lawful.rules.files.values.composite import Classes, Operand, Operands, States, Tests, expand_groups
from lawful.rules.files.values.token_tests import Test, read_test
from lawful.rules.kinds.bans import AllowOnly, Forbid
from lawful.rules.kinds.counts import AtLeast, AtMost, Exactly
from lawful.rules.kinds.fixed_positions import EndsWith, LabelAt, StartsWith
from lawful.rules.kinds.machines import Automaton
from lawful.rules.kinds.order import Before, Excludes, Requires
from lawful.rules.kinds.segment_lengths import SegmentLength
from lawful.rules.kinds.segments import AtLeastSegments, AtMostSegments, ExactlySegments
from lawful.rules.kinds.spans import GROUPS, SPANS, SameLabel, Uniform
from lawful.rules.kinds.tag_schemes import ValidTags
from lawful.rules.kinds.transitions import AllowedTransitions, NotFollowedBy
from lawful.rules.kinds.words import ChangeOnlyAfter, WhenNever, WhenThen
from lawful.rules.patterns.compilation import symbols_of
from lawful.rules.patterns.lexer import read_lexemes
from lawful.rules.patterns.rule import Pattern
from lawful.rules.rule import And, Implies, Not, Or, Rule, Xor
from lawful.schemes import SCHEMES

__all__ = ["PLAIN_KINDS", "logic_kinds"]

LABELS = Key("labels", Labels(), "one or more labels")
NUMBER = Key("n", Whole(), "how many")
TEST = Key("test", Test(), "which tokens")
MOST_PAIRS = 8
BOTH = (Key("a", Labels(), "one or more labels"), Key("b", Labels(), "one or more labels"))


def _counted(comparison: str) -> Callable[[Any], str]:
    return lambda rule: (
        f"{_many(comparison, rule.n, 'token')} {_be(rule.n)} labelled {say.any_of(rule.labels)}"
    )


def _segments(comparison: str) -> Callable[[Any], str]:
    def clause(rule: Any) -> str:
        together = ", taken together" if len(rule.labels) > 1 else ""
        number = _many(comparison, rule.n, "segment")
        return f"there {_be(rule.n)} {number} of {say.any_of(rule.labels)}{together}"

    return clause


def _many(comparison: str, n: int, noun: str) -> str:
    if n == 0:
        return f"any number of {noun}s" if comparison == "at least" else f"no {noun}s"
    return f"{comparison} {say.counted(n, noun)}"


def _be(n: int) -> str:
    return "is" if n == 1 else "are"


def _length(rule: SegmentLength) -> str:
    if rule.max is None:
        span = f"at least {say.counted(rule.min, 'token')}"
    elif rule.min == rule.max:
        span = f"exactly {say.counted(rule.max, 'token')}"
    elif rule.min == 1:
        span = f"at most {say.counted(rule.max, 'token')}"
    else:
        span = f"{say.number(rule.min)} to {say.counted(rule.max, 'token')}"
    return f"every segment of {say.any_of(rule.labels)} has {span}"


def _ban(rule: Forbid | AllowOnly) -> str:
    who = "no token" if isinstance(rule, Forbid) else "every token"
    if isinstance(rule.labels, Context):
        return f"{who} has one of the labels in {say.by_context(rule.labels)}"
    return f"{who} is labelled {say.any_of(rule.labels)}"


def _fixed(rule: LabelAt) -> str:
    if isinstance(rule.position, Context):
        where, be = f"each token at a position in {say.by_context(rule.position)}", "is"
    else:
        where = say.listed(list(map(say.position_in_words, rule.position)), "and")
        be = _be(len(rule.position))
    return f"{where} {be} labelled {say.any_of(rule.labels)}"


def _transitions(rule: AllowedTransitions) -> str:
    pairs = [f"{say.any_of([a])} then {say.any_of([b])}" for a, b in rule.pairs[:MOST_PAIRS]]
    more = len(rule.pairs) - MOST_PAIRS
    pairs += [f"one of {more} more pairs" if more > 1 else "one more pair"] if more > 0 else []
    clause = (
        f"neighbouring labels are always {say.listed(pairs, 'or')}"
        if pairs
        else "no two labels may be neighbours"
    )
    for which, labels in (("first", rule.start), ("last", rule.end)):
        clause += "" if labels is None else f", and the {which} token is labelled {say.any_of(labels)}"
    return clause


def _together(what: str, spans: tuple[tuple[int, ...], ...] | Context) -> str:
    same = f"all tokens of a {what} have the same label"
    if isinstance(spans, Context):
        return f"{same} ({what}s: {say.by_context(spans)})"
    shown = [str(list(span)) for span in spans[:MOST_PAIRS]]
    shown += [f"{len(spans) - MOST_PAIRS} more"] if len(spans) > MOST_PAIRS else []
    return f"{same} ({what}s: {say.listed(shown, 'and') or 'none'})"


def _make_pattern(values: dict[str, Any], at: Location) -> Rule:
    """A pattern, whose tests are its own or those of the file."""
    source_at = at.under("pattern")
    source = expand_groups(values.pop("source"), source_at)
    tests = dict(values.pop("tests", ()))
    try:
        used = [lexeme.text.removeprefix("!") for lexeme in read_lexemes(source) if lexeme.kind == "test"]
        others = [name for name in dict.fromkeys(used) if name not in tests]
        of_file = source_at.each([(0, name) for name in others], lambda name, _: read_test(name, source_at))
        tests |= dict(zip(others, of_file, strict=True))
        rule = Pattern(source, tuple(tests.items()), **values)
    except PatternError as error:
        source_at.fail(str(error))
    if at.scope.labels is not None:
        for symbol in symbols_of(rule.tree):
            for name in symbol.labels:
                if name not in at.scope.labels:
                    source_at.unknown("label", name, at.scope.labels, plural="labels")
    return rule


def _of_pattern(rule: Pattern) -> str:
    tests = "; ".join(f"/{name} is a token that {say.token_clause(test)}" for name, test in rule.tests)
    return f"the whole sequence matches {rule.source!r}" + (f" (where {tests})" if tests else "")


def _of_machine(rule: Automaton) -> str:
    return f"an automaton with {say.counted(rule.machine.states, 'state')} counts no violations"


PLAIN_KINDS = (
    Kind("at_most", AtMost, (NUMBER, LABELS), _counted("at most"), "at most n tokens have one of the labels"),
    Kind(
        "at_least",
        AtLeast,
        (NUMBER, LABELS),
        _counted("at least"),
        "at least n tokens have one of the labels",
    ),
    Kind(
        "exactly", Exactly, (NUMBER, LABELS), _counted("exactly"), "exactly n tokens have one of the labels"
    ),
    Kind(
        "at_most_segments",
        AtMostSegments,
        (NUMBER, LABELS),
        _segments("at most"),
        "at most n segments (maximal runs) of the labels; n = 1: it appears once",
    ),
    Kind(
        "at_least_segments", AtLeastSegments, (NUMBER, LABELS), _segments("at least"), "at least n segments"
    ),
    Kind("exactly_segments", ExactlySegments, (NUMBER, LABELS), _segments("exactly"), "exactly n segments"),
    Kind(
        "segment_length",
        SegmentLength,
        (
            LABELS,
            Key("min", Whole(1), "the fewest tokens of a segment", default=1),
            Key("max", Whole(1), "the most tokens of a segment", default=None),
        ),
        _length,
        "every segment has a length from min to max",
    ),
    Kind(
        "starts_with",
        StartsWith,
        (LABELS,),
        lambda rule: f"the first token is labelled {say.any_of(rule.labels)}",
        "the first label is one of these",
    ),
    Kind(
        "ends_with",
        EndsWith,
        (LABELS,),
        lambda rule: f"the last token is labelled {say.any_of(rule.labels)}",
        "the last label is one of these",
    ),
    Kind(
        "before",
        Before,
        BOTH,
        lambda rule: f"no {say.any_of(rule.a)} comes after any {say.any_of(rule.b)}",
        "no a comes after a b",
    ),
    Kind(
        "requires",
        Requires,
        BOTH,
        lambda rule: f"if {say.any_of(rule.a)} appears, so does {say.any_of(rule.b)}",
        "if a appears, b appears somewhere",
    ),
    Kind(
        "excludes",
        Excludes,
        BOTH,
        lambda rule: f"if {say.any_of(rule.a)} appears, {say.none_of(rule.b)}",
        "a and b do not both appear",
    ),
    Kind(
        "forbid",
        Forbid,
        (Key("labels", ContextOr(Labels()), "the labels, or the name of the context that has them"),),
        _ban,
        "no token has one of the labels",
    ),
    Kind(
        "allow_only",
        AllowOnly,
        (Key("labels", ContextOr(Labels()), "the labels, or the name of the context that has them"),),
        _ban,
        "every token has one of the labels",
    ),
    Kind(
        "allowed_transitions",
        AllowedTransitions,
        (
            Key("pairs", Pairs(), "pairs [label, next label]"),
            Key("start", Labels(), "the labels that may come first; by default all", default=None),
            Key("end", Labels(), "the labels that may come last; by default all", default=None),
        ),
        _transitions,
        "adjacent labels are among the pairs",
    ),
    Kind(
        "not_followed_by",
        NotFollowedBy,
        BOTH,
        lambda rule: f"no {say.any_of(rule.a)} is directly followed by {say.any_of(rule.b)}",
        "no b stands right after an a",
    ),
    Kind(
        "valid_tags",
        ValidTags,
        (
            Key("scheme", Choice("scheme", tuple(SCHEMES)), "a chunk scheme: BIO, BILOU, ..."),
            Key("separator", Text(), "the separator between tag and type", default="-"),
        ),
        lambda rule: f"the labels are a valid sequence of {rule.scheme} tags",
        "the labels are legal tags of a scheme",
    ),
    Kind(
        "label_at",
        LabelAt,
        (
            Key("position", ContextOr(Positions()), "one or more positions; negative ones from the end"),
            LABELS,
        ),
        _fixed,
        "the label at a position is one of these",
    ),
    Kind(
        "change_only_after",
        ChangeOnlyAfter,
        (TEST,),
        lambda rule: f"the label changes only after a token that {say.token_clause(rule.test)}",
        "the label changes only after a token that passes the test",
    ),
    Kind(
        "when",
        WhenThen,
        (TEST, Key("then", Labels(), "the labels that such tokens get", field="labels")),
        lambda rule: f"a token that {say.token_clause(rule.test)} is labelled {say.any_of(rule.labels)}",
        "tokens that pass the test get one of the labels",
    ),
    Kind(
        "when",
        WhenNever,
        (TEST, Key("never", Labels(), "the labels that such tokens never get", field="labels")),
        lambda rule: (
            f"a token that {say.token_clause(rule.test)} is never labelled {say.any_of(rule.labels)}"
        ),
        "tokens that pass the test get none of the labels",
    ),
    Kind(
        "uniform",
        Uniform,
        (
            Key(
                "spans",
                ContextOr(Positions(2, 2, "a list of spans [start, end]")),
                "half-open spans; by default the context's 'spans'",
                default=SPANS,
            ),
        ),
        lambda rule: _together("span", rule.spans),
        "all tokens of a span get the same label",
    ),
    Kind(
        "same_label",
        SameLabel,
        (
            Key(
                "groups",
                ContextOr(Positions(2, None, "a list of lists of positions")),
                "positions that must agree; by default the context's 'groups'",
                default=GROUPS,
            ),
        ),
        lambda rule: _together("group", rule.groups),
        "all tokens of a group get the same label",
    ),
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
            Key("states", States(), "one table per state: to, counts, end", field="machine"),
            Key(
                "classes",
                Classes(),
                "the class of each label; by default its index in the label set",
                default=None,
            ),
        ),
        _of_machine,
        "a deterministic machine counts no violations",
    ),
)


def logic_kinds(
    read: Callable[[Any, Location], Rule],
    write: Callable[[Rule], dict[str, Any]],
    clause: Callable[[Rule], str],
) -> tuple[Kind, ...]:
    """The kinds of rules that are logic over other rules.

    Parameters
    ----------
    read, write : functions
        How a rule inside another is read and written.
    clause : function of a rule
        What it means, as a clause of plain English.
    """
    operand, operands = Operand(read, write), Operands(read, write)
    return (
        Kind(
            "and",
            And,
            (Key("rules", operands, "rules, by name or as tables"),),
            lambda rule: f"all of these hold: {say.numbered(map(clause, rule.rules))}",
            "all rules hold",
        ),
        Kind(
            "or",
            Or,
            (Key("rules", operands, "rules, by name or as tables"),),
            lambda rule: f"at least one of these holds: {say.numbered(map(clause, rule.rules))}",
            "at least one of the rules holds",
        ),
        Kind(
            "xor",
            Xor,
            (Key("rules", Operands(read, write, two=True), "two rules", field="operands"),),
            lambda rule: f"exactly one of these holds: {say.numbered(map(clause, rule.operands))}",
            "exactly one of the two rules holds",
            make=_make_xor,
        ),
        Kind(
            "not",
            Not,
            (Key("rule", operand, "a rule, by name or as a table"),),
            lambda rule: f"it is not the case that {clause(rule.rule)}",
            "the rule does not hold",
        ),
        Kind(
            "implies",
            Implies,
            (
                Key("if", operand, "a rule, by name or as a table", field="condition"),
                Key("then", operand, "a rule, by name or as a table", field="consequence"),
            ),
            lambda rule: f"if {clause(rule.condition)}, then {clause(rule.consequence)}",
            "if the first rule holds, so does the second",
        ),
    )


def _make_xor(values: dict[str, Any], at: Location) -> Rule:
    left, right = values.pop("operands")
    return Xor(left, right, **values)
