"""Every kind of rule that a file may hold, one entry each.

The reader, the writer, the schema for editors and the English of `describe` all follow this table.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from bylaw.rules.bans import AllowOnly, Forbid
from bylaw.rules.contexts import Context
from bylaw.rules.counts import AtLeast, AtMost, Exactly
from bylaw.rules.files import english as say
from bylaw.rules.files.kinds import Key, Kind
from bylaw.rules.files.test_values import Test
from bylaw.rules.files.values import Choice, ContextOr, Labels, Pairs, Positions, Text, Whole
from bylaw.rules.files.vocabulary_combined import COMBINED
from bylaw.rules.order import Before, Excludes, Requires
from bylaw.rules.places import EndsWith, Fix, StartsWith
from bylaw.rules.rule import Rule
from bylaw.rules.schemes import SCHEMES, Valid
from bylaw.rules.segment_lengths import SegmentLength
from bylaw.rules.segments import AtLeastSegments, AtMostSegments, ExactlySegments
from bylaw.rules.spans import GROUPS, SPANS, SameLabel, Uniform
from bylaw.rules.transitions import AllowedTransitions
from bylaw.rules.words import ChangeOnlyAfter, WhenNever, WhenThen

__all__ = ["KINDS", "KIND_OF"]

LABELS = Key("labels", Labels(), "one or more labels")
NUMBER = Key("n", Whole(), "how many")
TEST = Key("test", Test(), "which tokens")
BOTH = (Key("a", Labels(), "one or more labels"), Key("b", Labels(), "one or more labels"))


def _counted(bound: str) -> Callable[[Any], str]:
    return lambda rule: f"{bound} {say.tokens(rule.n)} {_be(rule.n)} {say.any_of(rule.labels)}"


def _segments(bound: str) -> Callable[[Any], str]:
    def clause(rule: Any) -> str:
        together = " taken together" if len(rule.labels) > 1 else ""
        plural = "" if rule.n == 1 else "s"
        return f"there {_be(rule.n)} {bound} {rule.n} segment{plural} of {say.any_of(rule.labels)}{together}"

    return clause


def _be(n: int) -> str:
    return "is" if n == 1 else "are"


def _length(rule: SegmentLength) -> str:
    if rule.max is None:
        span = f"at least {say.tokens(rule.min)}"
    elif rule.min == rule.max:
        span = f"exactly {say.tokens(rule.max)}"
    else:
        span = f"at most {say.tokens(rule.max)}" if rule.min == 1 else f"{rule.min} to {rule.max} tokens"
    return f"every segment of {say.any_of(rule.labels)} has {span}"


def _ban(rule: Forbid | AllowOnly) -> str:
    who = "no token is" if isinstance(rule, Forbid) else "every token is"
    if isinstance(rule.labels, Context):
        return f"{who} one of the labels of {say.by_context(rule.labels)}"
    return f"{who} {say.any_of(rule.labels)}"


def _fixed(rule: Fix) -> str:
    if isinstance(rule.position, Context):
        where = f"each token at a position of {say.by_context(rule.position)}"
    else:
        many = len(rule.position) > 1
        where = ("each of " if many else "") + ", ".join(map(say.place_of, rule.position))
    return f"{where} is {say.any_of(rule.labels)}"


def _transitions(rule: AllowedTransitions) -> str:
    shown = ", ".join(f"{say.any_of([a])} then {say.any_of([b])}" for a, b in rule.pairs[:8])
    more = f" and {len(rule.pairs) - 8} more" if len(rule.pairs) > 8 else ""
    ends = [
        f", the {which} token is {say.any_of(labels)}"
        for which, labels in (("first", rule.start), ("last", rule.end))
        if labels is not None
    ]
    return f"neighbours are only {shown or '(no pair)'}{more}{''.join(ends)}"


def _together(what: str, given: tuple[tuple[int, ...], ...] | Context) -> str:
    source = say.by_context(given) if isinstance(given, Context) else ", ".join(map(str, map(list, given)))
    return f"all tokens of a {what} have one label ({what}s: {source or 'none'})"


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
        lambda rule: f"the first token is {say.any_of(rule.labels)}",
        "the first label is one of these",
    ),
    Kind(
        "ends_with",
        EndsWith,
        (LABELS,),
        lambda rule: f"the last token is {say.any_of(rule.labels)}",
        "the last label is one of these",
    ),
    Kind(
        "before",
        Before,
        BOTH,
        lambda rule: f"no {say.any_of(rule.a)} comes after {say.any_of(rule.b)}",
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
        lambda rule: f"if {say.any_of(rule.a)} appears, {say.any_of(rule.b)} does not",
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
        "valid",
        Valid,
        (
            Key("scheme", Choice("scheme", tuple(SCHEMES)), "BIO and its kin"),
            Key("separator", Text(), "what stands between prefix and type", default="-"),
        ),
        lambda rule: f"the labels are a legal sequence of {rule.scheme} tags",
        "the labels are legal tags of a scheme",
    ),
    Kind(
        "fix",
        Fix,
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
        lambda rule: f"a token that {say.who(rule.test)} is {say.any_of(rule.labels)}",
        "tokens that pass the test get one of the labels",
    ),
    Kind(
        "when",
        WhenNever,
        (TEST, Key("never", Labels(), "the labels that such tokens never get", field="labels")),
        lambda rule: f"a token that {say.who(rule.test)} is never {say.any_of(rule.labels)}",
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
