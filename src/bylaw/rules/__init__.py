"""What a user may say about label sequences: the vocabulary of rules, patterns and logic."""

from __future__ import annotations

from bylaw.rules import token
from bylaw.rules.bans import AllowOnly, Forbid, allow_only, forbid
from bylaw.rules.contexts import Context, context
from bylaw.rules.counts import AtLeast, AtMost, Exactly, at_least, at_most, exactly
from bylaw.rules.example import Bound, CompiledRule, Example
from bylaw.rules.logic import And, Implies, Not, Or, Xor
from bylaw.rules.machine_rule import Automaton, automaton
from bylaw.rules.order import Before, Excludes, Requires, before, excludes, requires
from bylaw.rules.patterns import Pattern, pattern
from bylaw.rules.places import EndsWith, Fix, StartsWith, ends_with, fix, starts_with
from bylaw.rules.rule import Rule
from bylaw.rules.ruleset import Rules
from bylaw.rules.schemes import Valid, valid
from bylaw.rules.segment_lengths import SegmentLength, segment_length
from bylaw.rules.segments import (
    AtLeastSegments,
    AtMostSegments,
    ExactlySegments,
    at_least_segments,
    at_most_segments,
    exactly_segments,
)
from bylaw.rules.spans import SameLabel, Uniform, same_label, uniform
from bylaw.rules.token_tests import TokenTest
from bylaw.rules.transitions import AllowedTransitions, allowed_transitions
from bylaw.rules.words import ChangeOnlyAfter, When, WhenNever, WhenThen, change_only_after, when

__all__ = [
    "AllowOnly",
    "AllowedTransitions",
    "And",
    "AtLeast",
    "AtLeastSegments",
    "AtMost",
    "AtMostSegments",
    "Automaton",
    "Before",
    "Bound",
    "ChangeOnlyAfter",
    "CompiledRule",
    "Context",
    "EndsWith",
    "Exactly",
    "ExactlySegments",
    "Example",
    "Excludes",
    "Fix",
    "Forbid",
    "Implies",
    "Not",
    "Or",
    "Pattern",
    "Requires",
    "Rule",
    "Rules",
    "SameLabel",
    "SegmentLength",
    "StartsWith",
    "TokenTest",
    "Uniform",
    "Valid",
    "When",
    "WhenNever",
    "WhenThen",
    "Xor",
    "allow_only",
    "allowed_transitions",
    "at_least",
    "at_least_segments",
    "at_most",
    "at_most_segments",
    "automaton",
    "before",
    "change_only_after",
    "context",
    "ends_with",
    "exactly",
    "exactly_segments",
    "excludes",
    "fix",
    "forbid",
    "pattern",
    "requires",
    "same_label",
    "segment_length",
    "starts_with",
    "token",
    "uniform",
    "valid",
    "when",
]
