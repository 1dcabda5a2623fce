"""The rules of the workloads as rows of an integer program, each in its shortest form; soft ones by slack variables."""

from __future__ import annotations

import math
from collections.abc import Iterable
from functools import singledispatch

import numpy as np
import numpy.typing as npt

import lawful
from benchmarks.peers.linear import Integers, LinearModel
from lawful.rules.compiled_rules import price_of
from lawful.rules.example import Example
from lawful.rules.kinds import bans, counts, fixed_positions, segments, spans, words
from lawful.rules.rule import Rule
from lawful.rules.tokens.kinds import evaluate

__all__ = ["obey"]

Bools = npt.NDArray[np.bool_]


@singledispatch
def obey(rule: Rule, model: LinearModel, lattice: lawful.Lattice) -> None:
    """Add what a rule asks of a lattice."""
    raise NotImplementedError(f"no linear form for {rule!r}")


@obey.register
def _(rule: words.WhenThen, model: LinearModel, lattice: lawful.Lattice) -> None:
    passed = evaluate(rule.test, lattice.tokens, rule.name)
    _ban(rule, model, passed[:, None] & ~_members(lattice, rule.labels))


@obey.register
def _(rule: bans.Forbid, model: LinearModel, lattice: lawful.Lattice) -> None:
    banned = _members(lattice, rule.named_labels(_example(lattice)))
    _ban(rule, model, np.broadcast_to(banned, (model.length, model.size)))


@obey.register
def _(rule: fixed_positions.LabelAt, model: LinearModel, lattice: lawful.Lattice) -> None:
    bad = np.zeros((model.length, model.size), dtype=bool)
    bad[rule.positions(_example(lattice))] = ~_members(lattice, rule.labels)
    _ban(rule, model, bad)


@obey.register
def _(rule: fixed_positions.StartsWith, model: LinearModel, lattice: lawful.Lattice) -> None:
    bad = np.zeros((model.length, model.size), dtype=bool)
    bad[0] = ~_members(lattice, rule.labels)
    _ban(rule, model, bad)


@obey.register
def _(rule: words.ChangeOnlyAfter, model: LinearModel, lattice: lawful.Lattice) -> None:
    passed = evaluate(rule.test, lattice.tokens, rule.name)
    _keep(rule, model, 1 + np.flatnonzero(~passed[:-1]))


@obey.register
def _(rule: spans.Uniform, model: LinearModel, lattice: lawful.Lattice) -> None:
    if math.isfinite(price_of(rule)):
        raise NotImplementedError("no linear form for soft uniform spans")
    inside = {t for start, end in rule.spans_of(_example(lattice)) for t in range(start + 1, end)}
    _keep(rule, model, np.array(sorted(inside), dtype=int))


@obey.register
def _(rule: counts.AtLeast, model: LinearModel, lattice: lawful.Lattice) -> None:
    found = _present(model.at[:, _members(lattice, rule.labels)])
    _bound(rule, model, found, -1.0, -rule.n)


@obey.register
def _(rule: segments.AtMostSegments, model: LinearModel, lattice: lawful.Lattice) -> None:
    (label,) = lattice.labels.encode(rule.labels)
    if model.changes is not None:
        begins = _present(model.changes[:, label])
    else:  # a variable that is 1 where the label stands and did not stand before
        here = model.at[:, label, 0]
        begins = np.append(here[0], model.program.add_variables(model.length - 1))
        model.program.add_rows(np.stack([begins[1:], here[:-1], here[1:]], axis=1), [1.0, 1.0, -1.0], lower=0)
    _bound(rule, model, begins, 1.0, rule.n)


def _ban(rule: Rule, model: LinearModel, bad: Bools) -> None:
    """No token may have a label that is bad (T, K) there."""
    _charge(rule, model, (_present(model.at[t, bad[t]]) for t in np.flatnonzero(bad.any(axis=1))))


def _keep(rule: Rule, model: LinearModel, steps: Integers) -> None:
    """The tokens at these steps have the label of the token before."""
    if model.changes is not None:
        _charge(rule, model, (_present(model.changes[t]) for t in steps))
        return
    if math.isfinite(price_of(rule)):
        raise NotImplementedError("no linear form for soft changes without transitions")
    if len(steps):
        pairs = np.stack([model.at[steps, :, 0], model.at[steps - 1, :, 0]], axis=-1).reshape(-1, 2)
        model.program.add_rows(pairs, [1.0, -1.0], lower=0, upper=0)


def _charge(rule: Rule, model: LinearModel, violations: Iterable[Integers]) -> None:
    """Each group of columns sums to 1 if the rule is broken there: forbid it, price it, or price the first one."""
    price, program = price_of(rule), model.program
    groups = list(violations)
    if math.isinf(price):
        for columns in groups:
            program.upper[columns] = 0
    elif rule.per == "violation":
        for columns in groups:
            program.cost[columns] -= price
    elif groups:
        broken = program.add_variables(1, cost=-price)
        for columns in groups:
            program.add_rows(np.append(columns, broken), np.append(np.ones(len(columns)), -1.0), upper=0)


def _bound(rule: Rule, model: LinearModel, columns: Integers, sign: float, most: float) -> None:
    """The sum of the columns, times the sign, is at most so much; more breaks the rule, once for each."""
    price = price_of(rule)
    values = np.full(len(columns), sign)
    if math.isfinite(price):
        once = rule.per == "sequence"
        slack = model.program.add_variables(1, cost=-price, upper=1 if once else model.length)
        columns, values = np.append(columns, slack), np.append(values, -float(model.length if once else 1))
    model.program.add_rows(columns, values, upper=most)


def _present(columns: Integers) -> Integers:
    return columns[columns >= 0]


def _members(lattice: lawful.Lattice, names: Iterable[str]) -> Bools:
    members = np.zeros(len(lattice.labels), dtype=bool)
    members[list(lattice.labels.encode(names))] = True
    return members


def _example(lattice: lawful.Lattice) -> Example:
    return Example(lattice.length, lattice.tokens, lattice.context)
