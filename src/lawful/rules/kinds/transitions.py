"""Which label may follow which: `allowed_transitions`, `not_followed_by`."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from lawful.automata.counting import CountingMachine
from lawful.errors import RuleError
from lawful.labels import LabelSet
from lawful.rules.arguments import LabelsLike, as_labels, spell, spell_labels
from lawful.rules.compiled.forms import StaticRule, tighten
from lawful.rules.example import BoundMachine, CompiledRule, Example
from lawful.rules.rule import Rule

__all__ = [
    "AllowedTransitions",
    "NotFollowedBy",
    "allowed_transitions",
    "not_followed_by",
    "transition_machine",
]

Bools = npt.NDArray[np.bool_]


def transition_machine(steps: Bools, start: Bools, end: Bools) -> BoundMachine:
    """The machine that counts bad steps, its state being the last label.

    Parameters
    ----------
    steps : bool array (K, K)
        Whether the second label may follow the first.
    start, end : bool arrays (K,)
        Whether a sequence may start, or end, with a label.

    Examples
    --------
    >>> yes = np.array([True, True])
    >>> tied = transition_machine(np.array([[True, True], [False, True]]), yes, yes)
    >>> tied.machine.count(tied.table[0, [0, 1, 0]])
    1
    """
    size = len(start)
    delta = np.tile(np.arange(1, size + 1, dtype=np.int32), (size + 1, 1))
    bad_steps, bad_end = ~np.vstack([start, steps]), np.append(np.False_, ~end)
    machine = CountingMachine(delta, bad_steps.astype(np.int32), bad_end.astype(np.int32))
    return BoundMachine(*tighten(machine, np.arange(size, dtype=np.uint16)[None, :]))


@dataclass(frozen=True, repr=False)
class AllowedTransitions(Rule):
    """Adjacent labels are among the allowed pairs. A violation is each bad step, at the ends too.

    Examples
    --------
    >>> AllowedTransitions((("A", "B"),), start=("A",))
    allowed_transitions([('A', 'B')], start=['A'])
    """

    pairs: tuple[tuple[str, str], ...]
    start: tuple[str, ...] | None = None
    end: tuple[str, ...] | None = None

    def code(self) -> str:
        """The call that makes this rule."""
        options = {"start": self.start, "end": self.end}
        limits = {name: list(labels) for name, labels in options.items() if labels is not None}
        return spell("allowed_transitions", list(self.pairs), **limits)

    def count(self, labels: Sequence[str], example: Example) -> int:
        """Steps outside the pairs, and ends that are not allowed."""
        allowed = set(self.pairs)
        bad = sum(step not in allowed for step in pairwise(labels))
        if labels and self.start is not None:
            bad += labels[0] not in self.start
        if labels and self.end is not None:
            bad += labels[-1] not in self.end
        return bad

    def compile(self, labels: LabelSet) -> CompiledRule:
        """A machine whose state is the last label."""
        steps = np.zeros((len(labels), len(labels)), dtype=bool)
        for pair in self.pairs:
            present = labels.present(pair, where=self.name)
            if len(present) == 2:
                steps[present] = True
        return StaticRule(
            transition_machine(steps, self._mask(labels, self.start), self._mask(labels, self.end))
        )

    def labels_named(self, labels: LabelSet) -> set[str]:
        """All labels: it says what may follow each of them."""
        return {*labels, *(label for pair in self.pairs for label in pair)}

    def _mask(self, labels: LabelSet, allowed: tuple[str, ...] | None) -> Bools:
        mask = np.full(len(labels), allowed is None)
        if allowed is not None:
            mask[list(labels.present(allowed, where=self.name))] = True
        return mask


@dataclass(frozen=True, repr=False)
class NotFollowedBy(Rule):
    """No label of `b` stands right after one of `a`. A violation is each such step.

    Examples
    --------
    >>> NotFollowedBy(("A",), ("B", "C"))
    not_followed_by('A', ['B', 'C'])
    """

    a: tuple[str, ...]
    b: tuple[str, ...]

    def code(self) -> str:
        """The call that makes this rule."""
        return spell("not_followed_by", spell_labels(self.a), spell_labels(self.b))

    def count(self, labels: Sequence[str], example: Example) -> int:
        """Steps from an `a` to a `b`."""
        return sum(first in self.a and second in self.b for first, second in pairwise(labels))

    def compile(self, labels: LabelSet) -> CompiledRule:
        """A machine whose state is the last label."""
        steps = np.ones((len(labels), len(labels)), dtype=bool)
        first, second = (list(labels.present(names, where=self.name)) for names in (self.a, self.b))
        steps[np.ix_(first, second)] = False
        anything = np.ones(len(labels), dtype=bool)
        return StaticRule(transition_machine(steps, anything, anything))


def allowed_transitions(
    pairs: Iterable[tuple[str, str]], *, start: LabelsLike | None = None, end: LabelsLike | None = None
) -> AllowedTransitions:
    """Adjacent labels are among the pairs.

    Parameters
    ----------
    pairs : list of (label, next label)
    start, end : label names, optional
        The labels that a sequence may start, or end, with; by default all.

    Examples
    --------
    >>> allowed_transitions([("A", "A"), ("A", "B")]).violations(["A", "B", "A", "A"])
    1
    """
    return AllowedTransitions(
        tuple(dict.fromkeys(map(_checked_pair, pairs))),
        None if start is None else as_labels(start, "start of allowed_transitions"),
        None if end is None else as_labels(end, "end of allowed_transitions"),
    )


def not_followed_by(a: LabelsLike, b: LabelsLike) -> NotFollowedBy:
    """No label of `b` stands right after one of `a`.

    Parameters
    ----------
    a, b : label names

    Examples
    --------
    >>> not_followed_by("A", "B").violations(["A", "A", "B", "A", "C", "B"])
    1
    """
    return NotFollowedBy(as_labels(a, "not_followed_by"), as_labels(b, "not_followed_by"))


def _checked_pair(pair: Any) -> tuple[str, str]:
    if isinstance(pair, (tuple, list)) and len(pair) == 2 and all(isinstance(name, str) for name in pair):
        return pair[0], pair[1]
    raise RuleError(f"allowed_transitions takes pairs (label, next label), got {pair!r}")
