"""Random lattices, graphs and rules, and the reference that solvers are held against.

For tests of your own rules, and of ours. Every generator takes a numpy `Generator` and nothing else is random:
the same seed gives the same problem. Hypothesis strategies are in `bylaw.testing.strategies`, which alone needs
hypothesis.
"""

from __future__ import annotations

from bylaw.testing.assertions import assert_decodes_exactly, assert_finds, same_score
from bylaw.testing.enumeration import Best, enumerate_all, enumerate_best, penalty
from bylaw.testing.graphs import random_graph
from bylaw.testing.label_sets import random_label_set
from bylaw.testing.lattices import random_lattice, random_scores
from bylaw.testing.pattern_sources import random_pattern
from bylaw.testing.problems import RandomProblems, random_problems
from bylaw.testing.rules import RULE_KINDS, random_rule, random_rules
from bylaw.testing.surroundings import VOCABULARY, random_context, random_tokens
from bylaw.testing.token_tests import random_token_test

__all__ = [
    "RULE_KINDS",
    "VOCABULARY",
    "Best",
    "RandomProblems",
    "assert_decodes_exactly",
    "assert_finds",
    "enumerate_all",
    "enumerate_best",
    "penalty",
    "random_context",
    "random_graph",
    "random_label_set",
    "random_lattice",
    "random_pattern",
    "random_problems",
    "random_rule",
    "random_rules",
    "random_scores",
    "random_token_test",
    "random_tokens",
    "same_score",
]
