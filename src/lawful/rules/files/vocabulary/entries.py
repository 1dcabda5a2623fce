"""Every kind of rule that a file may hold, one entry each.

The reader, the writer, the schema for editors and the English of `describe` all follow this table.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from lawful.rules import english as say
from lawful.rules.contexts import Context
from lawful.rules.files.values.base import Choice, ContextOr, Labels, Pairs, Positions, Text, Whole
from lawful.rules.files.values.of_tests import Test
from lawful.rules.files.vocabulary.combined import COMBINED
from lawful.rules.files.vocabulary.kinds import Key, Kind
from lawful.rules.kinds.bans import AllowOnly, Forbid
from lawful.rules.kinds.counts import AtLeast, AtMost, Exactly
from lawful.rules.kinds.order import Before, Excludes, Requires
from lawful.rules.kinds.positions import EndsWith, LabelAt, StartsWith
from lawful.rules.kinds.segment_lengths import SegmentLength
from lawful.rules.kinds.segments import AtLeastSegments, AtMostSegments, ExactlySegments
from lawful.rules.kinds.spans import GROUPS, SPANS, SameLabel, Uniform
from lawful.rules.kinds.tag_schemes import SCHEMES, ValidTags
from lawful.rules.kinds.transitions import AllowedTransitions
from lawful.rules.kinds.words import ChangeOnlyAfter, WhenNever, WhenThen
from lawful.rules.rule import Rule

__all__ = ["KINDS", "KIND_OF"]

LABELS = Key("labels", Labels(), "one or more labels")
NUMBER = Key("n", Whole(), "how many")
TEST = Key("test", Test(), "which tokens")
MOST_PAIRS = 8
BOTH = (Key("a", Labels(), "one or more labels"), Key("b", Labels(), "one or more labels"))


def _counted(bound: str) -> Callable[[Any], str]:
    return lambda rule: f"{_many(bound, rule.n, 'token')} {_be(rule.n)} labelled {say.any_of(rule.labels)}"


def _segments(bound: str) -> Callable[[Any], str]:
    def clause(rule: Any) -> str:
        together = ", taken together" if len(rule.labels) > 1 else ""
        found = _many(bound, rule.n, "segment")
        return f"there {_be(rule.n)} {found} of {say.any_of(rule.labels)}{together}"

    return clause


def _many(bound: str, n: int, noun: str) -> str:
    if n == 0:
        return f"any number of {noun}s" if bound == "at least" else f"no {noun}s"
    return f"{bound} {say.counted(n, noun)}"


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
        where = say.listed(list(map(say.place_of, rule.position)), "and")
        be = _be(len(rule.position))
    return f"{where} {be} labelled {say.any_of(rule.labels)}"


def _transitions(rule: AllowedTransitions) -> str:
    pairs = [f"{say.any_of([a])} then {say.any_of([b])}" for a, b in rule.pairs[:MOST_PAIRS]]
    more = len(rule.pairs) - MOST_PAIRS
    pairs += [f"one of {more} more pairs" if more > 1 else "one more pair"] if more > 0 else []
    said = (
        f"neighbouring labels are always {say.listed(pairs, 'or')}"
        if pairs
        else "no two labels may be neighbours"
    )
    for which, labels in (("first", rule.start), ("last", rule.end)):
        said += "" if labels is None else f", and the {which} token is labelled {say.any_of(labels)}"
    return said


def _together(what: str, given: tuple[tuple[int, ...], ...] | Context) -> str:
    same = f"all tokens of a {what} have the same label"
    if isinstance(given, Context):
        return f"{same} ({what}s: {say.by_context(given)})"
    shown = [str(list(one)) for one in given[:MOST_PAIRS]]
    shown += [f"{len(given) - MOST_PAIRS} more"] if len(given) > MOST_PAIRS else []
    return f"{same} ({what}s: {say.listed(shown, 'and') or 'none'})"


PLAIN = (
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
        (Key("labels", ContextOr(Labels()), "the labels, or where the context has them"),),
        _ban,
        "no token has one of the labels",
    ),
    Kind(
        "allow_only",
        AllowOnly,
        (Key("labels", ContextOr(Labels()), "the labels, or where the context has them"),),
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
        "valid_tags",
        ValidTags,
        (
            Key("scheme", Choice("scheme", tuple(SCHEMES)), "BIO and its kin"),
            Key("separator", Text(), "what stands between prefix and type", default="-"),
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
        lambda rule: f"the label changes only after a token that {say.who(rule.test)}",
        "the label changes only after a token that passes the test",
    ),
    Kind(
        "when",
        WhenThen,
        (TEST, Key("then", Labels(), "the labels that such tokens get", field="labels")),
        lambda rule: f"a token that {say.who(rule.test)} is labelled {say.any_of(rule.labels)}",
        "tokens that pass the test get one of the labels",
    ),
    Kind(
        "when",
        WhenNever,
        (TEST, Key("never", Labels(), "the labels that such tokens never get", field="labels")),
        lambda rule: f"a token that {say.who(rule.test)} is never labelled {say.any_of(rule.labels)}",
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
        "all tokens of a span get one label",
    ),
    Kind(
        "same_label",
        SameLabel,
        (
            Key(
                "groups",
                ContextOr(Positions(2, None, "a list of lists of positions")),
                "positions that agree; by default the context's 'groups'",
                default=GROUPS,
            ),
        ),
        lambda rule: _together("group", rule.groups),
        "all tokens of a group get one label",
    ),
)

KINDS: tuple[Kind, ...] = (*PLAIN, *COMBINED)
"""All entries. Two of one name are told apart by their keys."""

KIND_OF: dict[type[Rule], Kind] = {kind.rule: kind for kind in KINDS}
