"""What a user may say about label sequences: the vocabulary of rules, patterns and logic."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
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
else:
    # A kind of rule is imported when it is asked for: who decodes without rules need not wait for all of them.
    _LATER = {
        "AllowOnly": "bans",
        "Forbid": "bans",
        "allow_only": "bans",
        "forbid": "bans",
        "Context": "contexts",
        "context": "contexts",
        "AtLeast": "counts",
        "AtMost": "counts",
        "Exactly": "counts",
        "at_least": "counts",
        "at_most": "counts",
        "exactly": "counts",
        "Bound": "example",
        "CompiledRule": "example",
        "Example": "example",
        "And": "logic",
        "Implies": "logic",
        "Not": "logic",
        "Or": "logic",
        "Xor": "logic",
        "Automaton": "machine_rule",
        "automaton": "machine_rule",
        "Before": "order",
        "Excludes": "order",
        "Requires": "order",
        "before": "order",
        "excludes": "order",
        "requires": "order",
        "Pattern": "patterns",
        "pattern": "patterns",
        "EndsWith": "places",
        "Fix": "places",
        "StartsWith": "places",
        "ends_with": "places",
        "fix": "places",
        "starts_with": "places",
        "Rule": "rule",
        "Rules": "ruleset",
        "Valid": "schemes",
        "valid": "schemes",
        "SegmentLength": "segment_lengths",
        "segment_length": "segment_lengths",
        "AtLeastSegments": "segments",
        "AtMostSegments": "segments",
        "ExactlySegments": "segments",
        "at_least_segments": "segments",
        "at_most_segments": "segments",
        "exactly_segments": "segments",
        "SameLabel": "spans",
        "Uniform": "spans",
        "same_label": "spans",
        "uniform": "spans",
        "TokenTest": "token_tests",
        "AllowedTransitions": "transitions",
        "allowed_transitions": "transitions",
        "ChangeOnlyAfter": "words",
        "When": "words",
        "WhenNever": "words",
        "WhenThen": "words",
        "change_only_after": "words",
        "when": "words",
    }

    def __getattr__(name: str) -> object:
        from importlib import import_module

        if name == "token":
            return import_module("bylaw.rules.token")
        if name in _LATER:
            found = globals()[name] = getattr(import_module(f"bylaw.rules.{_LATER[name]}"), name)
            return found
        raise AttributeError(f"module 'bylaw.rules' has no attribute {name!r}")


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


def __dir__() -> list[str]:
    return list(__all__)
