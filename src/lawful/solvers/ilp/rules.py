"""The linear forms of rules, among them Examples 1 to 5 of Roth & Yih (2005, section 4.2).

A form adds rows that hold for the labellings that obey the rule, and fail by 1 for each violation otherwise.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any, TypeVar

import numpy as np

from lawful.automata.counting import CountingMachine
from lawful.labels import LabelSet
from lawful.rules.example import BoundMachine, CompiledRule
from lawful.rules.kinds.counts import AtLeast, AtMost, Exactly
from lawful.rules.kinds.order import Before, Excludes, Requires
from lawful.rules.kinds.segment_lengths import SegmentLength
from lawful.rules.kinds.segments import AtLeastSegments, AtMostSegments, ExactlySegments
from lawful.rules.kinds.spans import SameLabel, Uniform
from lawful.rules.rule import And, Implies, Not, Or, Rule, Xor
from lawful.solvers.ilp.program import Charge, Ints
from lawful.solvers.ilp.trellis import AtMost as Row, LinearTrellis, Mask

__all__ = ["forgets", "has_form", "obey", "obey_local"]

Form = Callable[[Any, LinearTrellis, Charge], None]
F = TypeVar("F", bound=Form)

# By exact type: a subclass may mean something else.
FORMS: dict[type[Rule], Form] = {}


def has_form(rule: Rule, trellis: LinearTrellis) -> bool:
    """Whether a rule has a linear form of its own; if not, there is still the flow of its automaton.

    Examples
    --------
    >>> from lawful.lattice import Lattice
    >>> from lawful.rules import at_most, forbid, pattern
    >>> from lawful.solvers.ilp.program import Program
    >>> from lawful.solvers.ilp.trellis import linear_trellis
    >>> trellis = linear_trellis(Program(), Lattice([[1.0, 0.0]], labels=["A", "B"]))
    >>> [has_form(rule, trellis) for rule in (at_most(1, "A"), forbid("A"), pattern("A* B*"))]
    [True, True, False]
    """
    if isinstance(rule, And | Or):
        return all(has_form(part, trellis) for part in rule.operands)
    if isinstance(rule, Implies | Not | Xor):  # a broken part would have to be proved broken
        return False
    return type(rule) in FORMS or _is_local(rule, trellis)


def obey(rule: Rule, trellis: LinearTrellis, charge: Charge) -> None:
    """Add the rows of a rule that has a form."""
    if type(rule) in FORMS:
        FORMS[type(rule)](rule, trellis, charge)
    else:
        for bound in _compiled(rule, rule.declared_labels, trellis.lattice.labels).bind(trellis.example):
            obey_local(bound, trellis, charge)


def _is_local(rule: Rule, trellis: LinearTrellis) -> bool:
    bounds = _compiled(rule, rule.declared_labels, trellis.lattice.labels).bind(trellis.example)
    return all(forgets(bound.machine) for bound in bounds)


@lru_cache(maxsize=1024)
def _compiled(rule: Rule, declared: object, labels: LabelSet) -> CompiledRule:
    # Rules are equal whatever labels their rule set declares, so those are in the key.
    return rule.compile_among(labels)


def _form(*kinds: type[Rule]) -> Callable[[F], F]:
    def register(function: F) -> F:
        FORMS.update(dict.fromkeys(kinds, function))
        return function

    return register


# --- counts ------------------------------------------------------------------------------------------------------


@_form(AtMost, AtLeast, Exactly)
def _count(rule: AtMost | AtLeast | Exactly, trellis: LinearTrellis, charge: Charge) -> None:
    """Example 5 ("not all tokens are O") is `at_least(1, ...)`."""
    _in_range(rule, trellis, charge, trellis.anywhere(trellis.mask(rule.labels)), trellis.length)


@_form(AtMostSegments, AtLeastSegments, ExactlySegments)
def _count_segments(
    rule: AtMostSegments | AtLeastSegments | ExactlySegments, trellis: LinearTrellis, charge: Charge
) -> None:
    """Example 2 ("no duplicate segment") is n = 1: the segments that begin are at most one.

    That is one row, and cuts off more of the fractional points, than the paper's row for each i and b.
    """
    labels = trellis.mask(rule.labels)
    begins = np.concatenate([trellis.enters(t, labels) for t in range(trellis.length)])
    _in_range(rule, trellis, charge, begins, (trellis.length + 1) // 2)


def _in_range(rule: Any, trellis: LinearTrellis, charge: Charge, columns: Ints, most: int) -> None:
    program = trellis.program
    if rule.too_many and rule.too_few and charge.mode == "hard":
        program.add_row(columns, lower=rule.n, upper=rule.n)
        return
    if rule.too_many and rule.n < most:
        program.add_row(columns, upper=rule.n, excess=charge.excess(most - rule.n))
    if rule.too_few and rule.n:
        program.add_row(columns[:0], columns, upper=-rule.n, excess=charge.excess(rule.n))


@_form(SegmentLength)
def _segment_length(rule: SegmentLength, trellis: LinearTrellis, charge: Charge) -> None:
    """A segment that begins is left within `max` steps, and goes on for `min` tokens."""
    program, length, labels = trellis.program, trellis.length, trellis.mask(rule.labels)
    for t in range(length):
        begins = trellis.enters(t, labels)
        if rule.max is not None and t + rule.max < length:
            left = [trellis.leaves(later, labels) for later in range(t + 1, t + rule.max + 1)]
            program.add_row(begins, np.concatenate(left), upper=0, excess=charge.excess())
        if t + rule.min > length:
            program.add_row(begins, upper=0, excess=charge.excess())
        elif rule.min > 1:
            excess = charge.excess()
            for later in range(t + 1, t + rule.min):
                program.add_row(begins, trellis.at(later, labels), upper=0, excess=excess)


# --- what stands with, or after, what ----------------------------------------------------------------------------


@_form(Requires)
def _requires(rule: Requires, trellis: LinearTrellis, charge: Charge) -> None:
    """Example 3: a token with an `a` is at most the number of tokens with a `b`."""
    a, b = trellis.mask(rule.a), trellis.mask(rule.b)
    somewhere, excess = trellis.anywhere(b), charge.once().excess()
    for t in range(trellis.length):
        trellis.program.add_row(trellis.at(t, a), somewhere, upper=0, excess=excess)


@_form(Before)
def _before(rule: Before, trellis: LinearTrellis, charge: Charge) -> None:
    a, seen = trellis.mask(rule.a), _seen(trellis, trellis.mask(rule.b), "b")
    for t in range(1, trellis.length):
        trellis.program.add_row(np.append(trellis.at(t, a), seen[t]), upper=1, excess=charge.excess())


@_form(Excludes)
def _excludes(rule: Excludes, trellis: LinearTrellis, charge: Charge) -> None:
    """One column says which of the two may appear; if clashes are counted, what has been seen says it."""
    program, a, b = trellis.program, trellis.mask(rule.a), trellis.mask(rule.b)
    if charge.mode == "counted":
        seen_a, seen_b = _seen(trellis, a, "a"), _seen(trellis, b, "b")
        for t in range(1, trellis.length):
            excess = charge.excess()
            program.add_row(np.append(trellis.at(t, a), seen_b[t]), upper=1, excess=excess)
            program.add_row(np.append(trellis.at(t, b), seen_a[t]), upper=1, excess=excess)
        return
    name = f"first.{program.section}"
    may_be_a, excess = program.add_columns(0.0, binary=True, name=lambda _: name), charge.excess()
    for t in range(trellis.length):
        program.add_row(trellis.at(t, a), may_be_a, upper=0, excess=excess)
        program.add_row(np.append(trellis.at(t, b), may_be_a), upper=1, excess=excess)


def _seen(trellis: LinearTrellis, labels: Mask, which: str) -> Ints:
    """Columns (T,), at least 1 if one of the labels stands before token t; that of token 0 means nothing."""
    program, name = trellis.program, f"seen.{trellis.program.section}.{which}"
    seen = program.add_columns(np.zeros(trellis.length), binary=False, name=lambda t: f"{name}.{t}")
    for t in range(1, trellis.length):
        program.add_row(trellis.at(t - 1, labels), seen[t : t + 1], upper=0)
        if t > 1:
            program.add_row(seen[t - 1 : t], seen[t : t + 1], upper=0)
    return seen


# --- tokens that get one label -----------------------------------------------------------------------------------


@_form(Uniform)
def _uniform(rule: Uniform, trellis: LinearTrellis, charge: Charge) -> None:
    """Example 4. Unless violations are counted, it is enough that the label does not change inside a span."""
    spans = rule.spans_of(trellis.example)
    if charge.mode == "counted":
        for start, end in spans:
            _agree(list(range(start, end)), trellis, charge)
        return
    excess, changes = charge.excess(), ~np.eye(trellis.size, dtype=bool)
    for t in sorted({t for start, end in spans for t in range(start + 1, end)}):
        for columns, upper in trellis.not_step(t, changes):
            trellis.program.add_row(columns, upper=upper, excess=excess)


@_form(SameLabel)
def _same_label(rule: SameLabel, trellis: LinearTrellis, charge: Charge) -> None:
    for group in rule.groups_of(trellis.example):
        _agree(group, trellis, charge)


def _agree(group: list[int], trellis: LinearTrellis, charge: Charge) -> None:
    """Example 4: if the first token has a label, the others have it."""
    for t in group[1:]:
        excess = charge.excess()
        for label in np.eye(trellis.size, dtype=bool):
            trellis.program.add_row(trellis.at(group[0], label), trellis.at(t, label), upper=0, excess=excess)


# --- logic -------------------------------------------------------------------------------------------------------


@_form(And)
def _and(rule: And, trellis: LinearTrellis, charge: Charge) -> None:
    once = charge.once()
    for part in rule.operands:
        obey(part, trellis, once)


@_form(Or)
def _or(rule: Or, trellis: LinearTrellis, charge: Charge) -> None:
    """Of the switches that let the parts be broken, one stays off.

    Where each part says one thing about one token, they need no switches: not all of them fail. That is a clause, in one row.
    """
    clause = [_single_failure(part, trellis) for part in rule.operands]
    if all(columns is not None for columns in clause):
        columns = [columns for columns in clause if columns is not None]
        if all(len(one) for one in columns):  # else one of them never fails
            together = np.concatenate(columns)
            trellis.program.add_row(together, upper=len(columns) - 1, excess=charge.once().excess())
        return
    program, name = trellis.program, f"off.{trellis.program.section}.{trellis.program.columns}"
    switches = program.add_columns(
        np.zeros(len(rule.operands)), binary=True, name=lambda i: f"{name}.{i + 1}"
    )
    for part, switch in zip(rule.operands, switches.tolist(), strict=True):
        obey(part, trellis, Charge(program, "once", 0.0, switch))
    program.add_row(switches, upper=len(switches) - 1, excess=charge.once().excess())


def _single_failure(rule: Rule, trellis: LinearTrellis) -> Ints | None:
    """The columns whose sum is 1 if the rule is broken and 0 if not, if it can be broken at one token only."""
    if type(rule) in FORMS or not _is_local(rule, trellis):
        return None
    bounds = _compiled(rule, rule.declared_labels, trellis.lattice.labels).bind(trellis.example)
    failing = [rows for bound in bounds for rows in _failing(bound, trellis)]
    if not failing:
        return np.empty(0, dtype=np.intp)
    single = len(failing) == 1 and len(failing[0]) == 1 and failing[0][0].upper == 0
    return failing[0][0].columns if single else None


# --- rules that look at two neighbours at most ---------------------------------------------------------------------
# Fixed labels, bans, token rules, allowed transitions and chunk schemes forbid some labels, or pairs of labels. Their
# machines forget: the state after a label does not depend on the state before it.


def forgets(machine: CountingMachine) -> bool:
    """Whether `obey_local` can say what the machine says.

    Examples
    --------
    >>> forgets(CountingMachine.from_lists([[0, 1], [0, 1]], [[0, 0], [0, 1]], [0, 0]))  # no 1 after a 1
    True
    >>> forgets(CountingMachine.from_lists([[0, 1], [1, 1]], [[0, 0], [0, 1]], [0, 0]))  # one 1 in all
    False
    """
    single = max(machine.violations.max(initial=0), machine.final.max()) <= 1
    return bool(single and (machine.delta == machine.delta[0]).all())


def obey_local(bound: BoundMachine, trellis: LinearTrellis, charge: Charge) -> None:
    """Add the rows of a machine that forgets."""
    _pay(_failing(bound, trellis), trellis, charge)


def _failing(bound: BoundMachine, trellis: LinearTrellis) -> list[list[Row]]:
    """Lists of rows, each of which fails by 1 where the machine counts a violation; those that cannot fail are left out."""
    machine, kinds = bound.machine, bound.kinds
    classes = bound.table[np.zeros(trellis.length, dtype=np.intp) if kinds is None else kinds]
    after = machine.delta[0, classes]
    failing = [[Row(trellis.at(0, machine.violations[0, classes[0]] > 0), 0)]]
    for t in range(1, trellis.length):
        bad = machine.violations[after[t - 1][:, None], classes[t][None, :]] > 0
        if bad.any():
            failing.append(trellis.not_step(t, bad))
    failing.append([Row(trellis.at(trellis.length - 1, machine.final[after[-1]] > 0), 0)])
    return [rows for rows in failing if any(len(row.columns) > row.upper for row in rows)]


def _pay(failing: list[list[Row]], trellis: LinearTrellis, charge: Charge) -> None:
    """Each list of rows fails by 1 where the rule is broken."""
    zero = [rows[0].columns for rows in failing if len(rows) == 1 and rows[0].upper == 0]
    if charge.mode == "counted" and zero:
        trellis.program.add_row(np.concatenate(zero), upper=0, excess=charge.excess())
        failing = [rows for rows in failing if not (len(rows) == 1 and rows[0].upper == 0)]
    for rows in failing:
        excess = charge.excess()
        for row in rows:
            trellis.program.add_row(row.columns, upper=row.upper, excess=excess)
