"""Errors about labels, lattices and rules.

Each is (error, what raises it, the fields that it must keep, what its message must say).
"""

from __future__ import annotations

from io import StringIO

import numpy as np

import lawful
from lawful import GraphLattice, LabelSet, Lattice, decode, errors, token
from lawful.automata.counting import CountingMachine

NAN = float("nan")
PLAIN = Lattice([[0.0, 1.0], [0.0, 2.0]], labels=["A", "B"])
SPELLED = Lattice([[0.0, 1.0], [0.0, 2.0]], labels=["A", "B"], tokens=["x", "y"], context={"other": []})


def cyclic_graph(weight: float) -> GraphLattice:
    return GraphLattice.from_arcs(
        [(3, 4, "A", weight), (4, 3, "B", 0.0), (3, 9, "A", 0.0)], labels=["A", "B"], start=3, finals=[9]
    )


def many_states() -> lawful.Rule:
    return lawful.at_most(10**6, "A")


CASES = [
    (errors.EmptyLabelSetError, lambda: LabelSet([]), {}, ["at least one label"]),
    (
        errors.DuplicateLabelError,
        lambda: LabelSet(["O", "Name", "O"]),
        {"label": "O", "first": 0, "second": 2},
        ["'O'", "at 0", "at 2"],
    ),
    (
        errors.UnknownLabelError,
        lambda: decode(PLAIN, lawful.forbid("AB").named("no AB")),
        {"label": "AB", "known": ("A", "B")},
        ["'AB'", "no AB", "the labels are 'A', 'B'"],
    ),
    (
        errors.LabelSetError,
        lambda: lawful.Decoder(labels=["A", "C"]).decode(PLAIN),
        {"expected": ("A", "C"), "got": ("A", "B")},
        ["'A', 'C'", "'A', 'B'", "same LabelSet"],
    ),
    (
        errors.ShapeError,
        lambda: Lattice([[0.0, 1.0]], start=[0.0, 0.0, 0.0]),
        {"array": "start", "expected": "(2,)", "got": (3,)},
        ["start", "(2,)", "(3,)"],
    ),
    (
        errors.DtypeError,
        lambda: Lattice([["a", "b"]]),
        {"array": "emissions", "expected": "numbers"},
        ["emissions", "numbers", "<U1"],
    ),
    (
        errors.ScoreError,
        lambda: Lattice([[0.0, 1.0], [NAN, 0.0]], labels=["A", "B"]),
        {"array": "emissions", "index": (1, 0), "label": "A"},
        ["emissions[1, 0]", "'A'", "nan"],
    ),
    (
        errors.LargeScoreError,
        lambda: Lattice([[0.0, 1.0], [-1e308, 0.0]], labels=["A", "B"]),
        {"where": "emissions[1, 0] (label 'A')", "value": -1e308, "total": 1e308, "most": 1e302},
        ["emissions[1, 0]", "'A'", "-1e+308", "1e+302", "-inf or a mask"],
    ),
    (
        errors.EmptySequenceError,
        lambda: Lattice(np.zeros((0, 3))),
        {"where": "emissions"},
        ["emissions is empty"],
    ),
    (
        errors.GraphError,
        lambda: GraphLattice.from_arcs([(0, 1, "A", 0.0), (-2, 1, "A", 0.0)], labels=["A"], finals=[1]),
        {"arc": 1},
        ["arc 1", "-2"],
    ),
    (
        errors.UnboundedError,
        lambda: decode(cyclic_graph(0.5)),
        {"weight": 0.5},
        ["3 -> 4", "0.5"],
    ),
    (
        errors.AttFormatError,
        lambda: lawful.lattice.read_att(StringIO("0 1 A 0.5\n0 x A\n"), labels=["A"]),
        {"line": 2},
        ["line 2", "'x'"],
    ),
    (
        errors.RuleError,
        lambda: decode(PLAIN, lawful.at_most(1, "A").named("one A"), solver="viterbi"),
        {},
        ["'one A'", "solver='auto'"],
    ),
    (
        errors.MachineError,
        lambda: CountingMachine.from_lists([[0, 7]], [[0, 0]], [0]),
        {},
        ["delta", "states 0 to 0"],
    ),
    (
        errors.PriceError,
        lambda: lawful.forbid("A").soft(-1.0),
        {"price": -1.0, "rule": "forbid('A')"},
        ["forbid('A')", "-1.0"],
    ),
    (
        errors.UnpricedRuleError,
        lambda: decode(PLAIN, lawful.forbid("A").soft("learn", name="no A")),
        {"rule": "no A"},
        ["'no A'", "'learn'"],
    ),
    (
        errors.DuplicateRuleError,
        lambda: lawful.Rules(lawful.forbid("A").named("same"), lawful.forbid("B").named("same")),
        {"name": "same"},
        ["'same'"],
    ),
    (
        errors.RuleTooLargeError,
        lambda: decode(PLAIN, many_states()),
        {"rule": many_states().name},
        ["at_most"],
    ),
    (
        errors.RuleFileError,
        lambda: lawful.rules.files.parse_rules("[[rule]]\nkind = 'forbit'\n", "my.toml"),
        {
            "problems": (
                errors.RuleProblem(
                    "my.toml",
                    2,
                    1,
                    "rule 1",
                    "kind",
                    "unknown kind of rule 'forbit'; did you mean 'forbid'?",
                    "forbid",
                ),
            )
        },
        ["my.toml, line 2, rule 1, key 'kind'"],
    ),
    (
        errors.PatternError,
        lambda: lawful.pattern("A (B"),
        {"pattern": "A (B", "position": 2},
        ["never closed", "\n  A (B\n    ^"],
    ),
    (
        errors.ContextError,
        lambda: decode(
            Lattice([[0.0]], labels=["A"], context={"spans": 7}), lawful.uniform(lawful.context("spans"))
        ),
        {},
        ["uniform", "7"],
    ),
    (
        errors.MissingContextError,
        lambda: decode(SPELLED, lawful.uniform(lawful.context("spans")).named("even")),
        {"name": "spans", "rule": "even", "known": ("other",)},
        ["'even'", "'spans'", "'other'"],
    ),
    (
        errors.SpanError,
        lambda: decode(PLAIN, lawful.uniform([(1, 5)]).named("even")),
        {"span": (1, 5), "length": 2, "rule": "even"},
        ["'even'", "(1, 5)", "2 tokens"],
    ),
    (
        errors.PositionError,
        lambda: decode(PLAIN, lawful.label_at(4, "A").named("fifth")),
        {"position": 4, "length": 2, "rule": "fifth"},
        ["'fifth'", "position 4", "-2 to 1"],
    ),
    (
        errors.TokenError,
        lambda: decode(PLAIN, lawful.when(token.matches("x")).then("A").named("x is A")),
        {"rule": "x is A"},
        ["'x is A'", "tokens"],
    ),
]
