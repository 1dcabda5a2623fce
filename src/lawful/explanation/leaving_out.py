"""Answers to one lattice under some of its rules: what would have happened without the others."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from typing import NamedTuple

from lawful.decoding.result import Decoding
from lawful.errors import InternalError
from lawful.explanation.charges import bill_of
from lawful.labels import LabelSet
from lawful.lattice import GraphLattice, Lattice
from lawful.rules.compiled_rules import CompiledRules
from lawful.rules.ruleset import Rules
from lawful.solvers.choice import auto
from lawful.solvers.solution import Limits, Problem

__all__ = ["Answer", "Held", "LeavingOut", "problem_of"]

Held = frozenset[int]
"""The rules that are in force, by their places in the rule set."""


class Answer(NamedTuple):
    """The best labels under some of the rules, and those rules of the whole set that they pay for."""

    labels: tuple[str, ...]
    score: float
    broken: Held

    def differs(self, other: Answer, position: int) -> bool:
        """Whether another answer has another label there. (The paths of a graph may differ in length.)"""
        return self.labels[position : position + 1] != other.labels[position : position + 1]


class LeavingOut:
    """Decodes one lattice under any of its rules. The rules are compiled once, and no answer is sought twice.

    An answer that breaks none of the rules that join is the answer with them too, because rules only lower
    scores. That saves most of the work.

    Parameters
    ----------
    decoding : Decoding
        A proved answer; its plain answer and itself are the first two that are known.
    limits : Limits
        For each search.

    Examples
    --------
    >>> import lawful
    >>> lattice = lawful.Lattice([[2.0, 0.0], [2.0, 1.0]], labels=["A", "B"])
    >>> left = LeavingOut(lawful.decode(lattice, [lawful.at_most(1, "A"), lawful.starts_with("B")]))
    >>> left.answer(frozenset([1])).labels, left.answer(left.everything).labels
    (('B', 'A'), ('B', 'A'))
    """

    def __init__(self, decoding: Decoding, limits: Limits | None = None) -> None:
        self.decoding = decoding
        self.problem = problem_of(decoding.lattice, decoding.rules, limits or Limits())
        self.everything: Held = frozenset(range(len(decoding.rules)))
        self._known = {
            frozenset[int](): self._judged(decoding.plain_labels, decoding.plain.score),
            self.everything: self._judged(decoding.labels, decoding.score),
        }

    def answer(self, held: Held) -> Answer:
        """The best labels under these rules alone."""
        if held not in self._known:
            self._known[held] = self._inherited(held) or self._decode(held)
        return self._known[held]

    def enough(self) -> Held:
        """A few rules under which alone the answer is what it is: those that each answer on the way breaks join.

        Every set of rules that holds them has then a known answer.
        """
        held: Held = frozenset()
        while joining := self.answer(held).broken - held:
            held |= joining
        return held

    def _inherited(self, held: Held) -> Answer | None:
        for fewer, answer in self._known.items():
            if fewer < held and not answer.broken & (held - fewer):
                return answer
        return None

    def _decode(self, held: Held) -> Answer:
        solution = auto(_only(self.problem, held))
        if solution.labels is None:
            raise InternalError(
                "all rules together have an answer, but some of them have none: a bug in lawful"
            )
        return self._judged(self.problem.lattice.labels.decode(solution.labels), solution.score)

    def _judged(self, labels: tuple[str, ...], score: float) -> Answer:
        rules = self.decoding.rules
        paid = {charge.rule for charge in bill_of(self.problem.lattice, rules, labels).broken if charge.cost}
        return Answer(labels, score, frozenset(i for i, name in enumerate(rules.names) if name in paid))


def problem_of(lattice: Lattice | GraphLattice, rules: Rules, limits: Limits) -> Problem:
    """A lattice and its rules, ready for any solver."""
    compiled = _compiled(rules, lattice.labels)
    binding = compiled.bind(lattice.length, lattice.tokens, lattice.context)
    kinds = (None,) * len(compiled.common_parts) + binding.kinds
    return Problem(lattice, compiled.common_parts + binding.parts, kinds, rules.names, limits, tuple(rules))


@lru_cache(maxsize=8)  # explanations of a corpus ask for the same rules again and again
def _compiled(rules: Rules, labels: LabelSet) -> CompiledRules:
    return CompiledRules(rules, labels)


def _only(problem: Problem, held: Held) -> Problem:
    kept = [
        (part, kinds) for part, kinds in zip(problem.parts, problem.kinds, strict=True) if part.rule in held
    ]
    parts, held_kinds = tuple(part for part, _ in kept), tuple(kinds for _, kinds in kept)
    return replace(problem, parts=parts, kinds=held_kinds)
