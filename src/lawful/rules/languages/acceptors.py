"""Each rule as an acceptor of (kind of token, label) sequences, so that rules can be compared."""

from __future__ import annotations

from dataclasses import dataclass, fields

import numpy as np
import numpy.typing as npt

from lawful.automata.acceptor import Dfa
from lawful.automata.counting import CountingMachine
from lawful.automata.operations.boolean import combine
from lawful.automata.operations.minimization import minimize
from lawful.automata.operations.modes import obeyed
from lawful.errors import MachineError, RuleError, RuleTooLargeError
from lawful.labels import LabelSet
from lawful.rules.compiled.forms import MAX_STATES, StaticRule
from lawful.rules.contexts import Context
from lawful.rules.example import Example
from lawful.rules.kinds.fixed_positions import LabelAt
from lawful.rules.kinds.spans import SameLabel, Uniform
from lawful.rules.languages.alphabet import Outcomes
from lawful.rules.patterns.compilation import compile_pattern
from lawful.rules.patterns.tree import Intersection, Node, Repeat, Series, Symbol
from lawful.rules.rule import Logic, Rule
from lawful.rules.tokens.kinds import TokenRule

__all__ = ["Reading", "read_symbols", "why_unreadable"]

Columns = npt.NDArray[np.intp]

MOST_OUTCOME_CELLS = 400_000
ANY = Symbol((), negated=True)


@dataclass(frozen=True, eq=False)
class Reading:
    """A machine, and the class of each (kind of token, label) for it.

    Attributes
    ----------
    dfa : Dfa over C classes
    columns : int array (U, K), classes
    """

    dfa: Dfa
    columns: Columns


def why_unreadable(rule: Rule) -> str | None:
    """Why a rule cannot be checked without a sequence; None if it can.

    Examples
    --------
    >>> from lawful.rules import forbid, uniform
    >>> why_unreadable(uniform()), why_unreadable(forbid("A"))
    ("it needs context 'spans' of each sequence", None)
    """
    values = (getattr(rule, field.name) for field in fields(rule))
    for context in (value for value in values if isinstance(value, Context)):
        return f"it needs context {context.name!r} of each sequence"
    if isinstance(rule, (Uniform, SameLabel)):
        return "it is about fixed positions of a sequence"
    reasons = (why_unreadable(operand) for operand in rule.operands)
    return next((reason for reason in reasons if reason), None)


def read_symbols(rule: Rule, labels: LabelSet, outcomes: Outcomes) -> Reading:
    """The acceptor of the sequences that obey a rule, over every kind of token and label.

    Examples
    --------
    >>> from lawful.rules import token, when
    >>> rule, labels = when(token.matches("[0-9]+")).then("Zip"), LabelSet(["O", "Zip"])
    >>> reading = read_symbols(rule, labels, Outcomes.of([rule.test]))
    >>> reading.columns.tolist(), reading.dfa.accepts([reading.columns[1, 0]])
    ([[0, 0], [1, 0]], False)
    """
    kinds = len(outcomes.passed)
    if kinds * len(labels) > MOST_OUTCOME_CELLS:
        raise RuleTooLargeError(rule.name, kinds * len(labels), MOST_OUTCOME_CELLS)
    if isinstance(rule, Logic):
        return _logic(rule, [read_symbols(operand, labels, outcomes) for operand in rule.operands])
    if isinstance(rule, LabelAt):
        return _fixed(rule, labels, kinds)
    compiled = rule.compile_among(labels)
    if isinstance(compiled, StaticRule):
        (bound,) = compiled.bind(Example(0))
        return _reading(bound.machine, np.tile(bound.table.astype(np.intp), (kinds, 1)))
    if not isinstance(compiled, TokenRule):
        raise RuleError(f"rule {rule.name!r} cannot be checked without a sequence")
    rows = np.zeros(kinds, dtype=np.intp)
    for bit, test in enumerate(compiled.kinds.tests):
        rows |= outcomes.value(test).astype(np.intp) << bit
    if compiled.previous:
        return _remembering(compiled, rows > 0)
    return _reading(compiled.machine, compiled.table[rows].astype(np.intp))


def _reading(machine: CountingMachine, columns: Columns) -> Reading:
    return Reading(obeyed(machine), columns)


def _remembering(compiled: TokenRule, passed: npt.NDArray[np.bool_]) -> Reading:
    """The machine of `change_only_after`, whose state also remembers whether the last token passed the test."""
    machine, table = (
        compiled.machine,
        compiled.table.astype(np.intp),
    )  # rows: the last token failed, or passed
    size = table.shape[1]
    states = machine.states
    delta = np.empty((2 * states, 2 * size), dtype=np.int32)  # classes: passes * size + label
    counts = np.empty_like(delta)
    for before in (0, 1):
        inner, counted = machine.delta[:, table[before]], machine.violations[:, table[before]]
        here = slice(before * states, (before + 1) * states)
        for passes in (0, 1):
            there = slice(passes * size, (passes + 1) * size)
            delta[here, there] = inner + passes * states
            counts[here, there] = counted
    # The first token is read as if the token before it had passed, so the start is a state of the second half:
    # roll the rows so that it comes first.
    order = np.roll(np.arange(2 * states), states)
    rank = np.argsort(order).astype(np.int32)
    whole = CountingMachine(rank[delta[order]], counts[order], np.zeros(2 * states, dtype=np.int32))
    columns = passed[:, None].astype(np.intp) * size + np.arange(size)[None, :]
    return _reading(whole, columns)


def _fixed(rule: LabelAt, labels: LabelSet, kinds: int) -> Reading:
    """A label at fixed positions, as a pattern; sequences without such a position are not accepted."""
    assert not isinstance(rule.position, Context)  # noqa: S101 - `why_unreadable` refuses it
    nodes: list[Node] = []
    everything = Repeat(ANY, 0, None)
    for position in dict.fromkeys(rule.position):
        here = Symbol(rule.labels)
        if position >= 0:
            nodes.append(Series((Repeat(ANY, position, position), here, everything)))
        else:
            nodes.append(Series((everything, here, Repeat(ANY, -position - 1, -position - 1))))
    tree = nodes[0] if len(nodes) == 1 else Intersection(tuple(nodes))
    (bound,) = compile_pattern(tree, {}, labels.knowing(rule.declared_labels), rule.name).bind(Example(0))
    return _reading(bound.machine, np.tile(bound.table.astype(np.intp), (kinds, 1)))


def _logic(rule: Logic, operands: list[Reading]) -> Reading:
    stacked = np.stack([operand.columns.reshape(-1) for operand in operands])
    used, inverse = np.unique(stacked, axis=1, return_inverse=True)
    machines = [
        Dfa(operand.dfa.delta[:, used[number]], operand.dfa.accepting)
        for number, operand in enumerate(operands)
    ]
    try:
        both = combine(machines, rule.holds, limit=MAX_STATES)
    except MachineError:
        raise RuleTooLargeError(rule.name, MAX_STATES + 1, MAX_STATES) from None
    return Reading(minimize(both), inverse.reshape(operands[0].columns.shape))
