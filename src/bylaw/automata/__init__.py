"""Acceptors and counting machines: build, combine, determinize, minimize, compare, draw.

This room knows nothing of tagging: symbols are the numbers 0..C-1. A language is built as an `Nfa`, from the
machines of `build` and the operations of `rational`; `determinize` turns it into a `Dfa`, which `boolean`
combines and `compare` compares; `modes` leads from there to a `CountingMachine` and back.
"""

from __future__ import annotations

from bylaw.automata.acceptor import EPSILON, Dfa, Nfa
from bylaw.automata.boolean import combine, complement, difference, intersection, symmetric_difference
from bylaw.automata.boolean import union as union_dfa
from bylaw.automata.build import any_symbol, epsilon, from_sequences, literal, nothing, symbols
from bylaw.automata.classes import merge_classes
from bylaw.automata.compare import counterexample, equivalent, includes, is_empty, shortest_accepted
from bylaw.automata.counting import CountingMachine, explore
from bylaw.automata.determinization import determinize
from bylaw.automata.minimization import minimize, minimize_counting
from bylaw.automata.modes import add, count_once, from_dfa, obeyed
from bylaw.automata.rational import concatenate, optional, plus, repeat, star, union
from bylaw.automata.trimming import live, trim

__all__ = [
    "EPSILON",
    "CountingMachine",
    "Dfa",
    "Nfa",
    "add",
    "any_symbol",
    "combine",
    "complement",
    "concatenate",
    "count_once",
    "counterexample",
    "determinize",
    "difference",
    "epsilon",
    "equivalent",
    "explore",
    "from_dfa",
    "from_sequences",
    "includes",
    "intersection",
    "is_empty",
    "literal",
    "live",
    "merge_classes",
    "minimize",
    "minimize_counting",
    "nothing",
    "obeyed",
    "optional",
    "plus",
    "repeat",
    "shortest_accepted",
    "star",
    "symbols",
    "symmetric_difference",
    "trim",
    "union",
    "union_dfa",
]
