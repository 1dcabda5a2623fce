"""The answers to one lattice under subsets of its rules: what would happen without the other rules."""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

from lawful.decoding.result import Decoding
from lawful.errors import InternalError
from lawful.explanation.charges import bill_of
from lawful.solvers.choice import auto
from lawful.solvers.problem import Limits, Problem

__all__ = ["Answer", "RuleIndices", "SubsetAnswers"]

RuleIndices = frozenset[int]
"""A subset of the rules, by their indices in the rule set."""


class Answer(NamedTuple):
    """The best labels under a subset of the rules, and the rules of the whole set that they break at a cost."""

    labels: tuple[str, ...]
    score: float
    broken: RuleIndices

    def differs(self, other: Answer, position: int) -> bool:
        """Whether two answers differ at a position. (The paths of a graph may differ in length.)"""
        return self.labels[position : position + 1] != other.labels[position : position + 1]


class SubsetAnswers:
    """Decodes one lattice under any subset of its rules. It uses the compiled rules of the decoding, and searches no subset twice.

    An answer that breaks none of the added rules is also the answer under the larger subset, because rules only
    lower scores. That saves most of the work.

    Parameters
    ----------
    decoding : Decoding
        A proved answer. It and its plain answer are known from the start.
    limits : Limits
        They apply to each search separately.

    Examples
    --------
    >>> import lawful
    >>> lattice = lawful.Lattice([[2.0, 0.0], [2.0, 1.0]], labels=["A", "B"])
    >>> answers = SubsetAnswers(lawful.decode(lattice, [lawful.at_most(1, "A"), lawful.starts_with("B")]))
    >>> answers.answer(frozenset([1])).labels, answers.answer(answers.everything).labels
    (('B', 'A'), ('B', 'A'))
    """

    def __init__(self, decoding: Decoding, limits: Limits | None = None) -> None:
        self.decoding = decoding
        self.problem = Problem(decoding.lattice, decoding.bound_rules, limits or Limits())
        self.everything: RuleIndices = frozenset(range(len(decoding.rules)))
        self._known = {
            frozenset[int](): self._judged(decoding.plain_labels, decoding.plain.score),
            self.everything: self._judged(decoding.labels, decoding.score),
        }

    def answer(self, subset: RuleIndices) -> Answer:
        """The best labels under these rules alone."""
        if subset not in self._known:
            self._known[subset] = self._inherited(subset) or self._decode(subset)
        return self._known[subset]

    def sufficient(self) -> RuleIndices:
        """A small subset under which the answer is already the final one.

        It grows by the rules that each intermediate answer breaks. Afterwards every larger subset has a known answer.
        """
        subset: RuleIndices = frozenset()
        while broken := self.answer(subset).broken - subset:
            subset |= broken
        return subset

    def _inherited(self, subset: RuleIndices) -> Answer | None:
        for fewer, answer in self._known.items():
            if fewer < subset and not answer.broken & (subset - fewer):
                return answer
        return None

    def _decode(self, subset: RuleIndices) -> Answer:
        solution = auto(replace(self.problem, rules=self.problem.rules.only(subset)))
        if solution.labels is None:
            raise InternalError(
                "all rules together have an answer, but some of them have none: this is a bug in lawful"
            )
        return self._judged(self.problem.lattice.labels.decode(solution.labels), solution.score)

    def _judged(self, labels: tuple[str, ...], score: float) -> Answer:
        rules = self.decoding.rules
        paid = {charge.rule for charge in bill_of(self.problem.lattice, rules, labels).broken if charge.cost}
        return Answer(labels, score, frozenset(i for i, name in enumerate(rules.names) if name in paid))
