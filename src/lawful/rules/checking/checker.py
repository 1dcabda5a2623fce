"""Checking rules for contradictions and redundancy, before any data: `check`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any

import numpy as np
import numpy.typing as npt

from lawful.automata.acceptor import Dfa
from lawful.automata.operations.boolean import complement
from lawful.errors import InputError, LimitError
from lawful.labels import LabelSet
from lawful.rules.checking.report import Because, Check, Missing, Size, Unchecked
from lawful.rules.checking.search import Step
from lawful.rules.checking.witness import Answer, find_witness
from lawful.rules.english import token_clause
from lawful.rules.given_rules import RulesLike, as_rules
from lawful.rules.languages.acceptors import Reading, read_symbols, why_unreadable
from lawful.rules.languages.alphabet import Outcomes
from lawful.rules.languages.pictures import rule_machine
from lawful.rules.rule import Rule
from lawful.rules.ruleset import Rules
from lawful.rules.tokens.tests import Both, IsIn, TokenTest
from lawful.support.limits import Limits

__all__ = ["check"]

MOST_TESTS = 10
MOST_STATES = 10_000


def check(
    rules: RulesLike,
    labels: Sequence[str],
    *,
    tokens: Iterable[Any] | None = None,
    max_states: int = MOST_STATES,
    timeout: float | None = None,
) -> Check:
    """Look for contradictions, rules that follow from others, and labels that are never used or never possible.

    Rules that look at tokens are checked for every combination of test results, as if any token could occur; with
    `tokens`, for the combinations that occur in these. Rules that need the context of a sequence are left out and
    listed as unchecked.

    Parameters
    ----------
    rules : Rules, a rule, several, or the path of a rule file
    labels : LabelSet, or label names
    tokens : iterable of tokens, optional
        All tokens that may occur, such as those of a corpus.
    max_states : int
        A question that needs more states of the product of the rules is listed as unchecked.
    timeout : float, optional
        Seconds; questions that are not answered by then are listed as unchecked, too.

    Examples
    --------
    >>> from lawful.rules import at_least, at_most, forbid, requires
    >>> report = check([at_least(2, "A"), at_most(1, "A", "B"), forbid("C")], ["A", "B", "C", "D"])
    >>> report.contradiction
    ("at_least(2, 'A')", "at_most(1, 'A', 'B')")
    >>> print(check([forbid("B"), requires("B", "A")], ["A", "B"]))
    no contradiction; a sequence that obeys all hard rules: A
    implied: "requires('B', 'A')" follows from "forbid('B')"; it has no effect
    impossible: no sequence that obeys the hard rules has 'B'
    sizes: 2 rules; the largest machine has 3 states
    """
    rule_set = as_rules(rules)
    label_set = labels if isinstance(labels, LabelSet) else LabelSet(labels)
    return _Checker(rule_set, label_set, tokens, Limits(max_states, timeout).started()).report()


@dataclass
class _Checker:
    rules: Rules
    labels: LabelSet
    tokens: Iterable[Any] | None
    limits: Limits
    unchecked: list[Unchecked] = field(default_factory=list)
    readings: dict[str, Reading] = field(default_factory=dict)
    hard: dict[str, Reading] = field(default_factory=dict)
    outcomes: Outcomes = field(init=False)
    legal: list[tuple[Step, ...]] = field(default_factory=list)  # sequences that obey the hard rules

    def report(self) -> Check:
        sizes = tuple(self._sizes())
        self.outcomes = self._read()
        self.hard = {
            rule.name: self.readings[rule.name]
            for rule in self.rules
            if rule.price == "hard" and rule.name in self.readings
        }
        answer = self._ask(self.hard, (), "whether the hard rules can all hold")
        if (
            answer is None or answer.sequence is None
        ):  # the other questions make no sense, or are harder still
            return Check(
                contradiction=answer.core if answer else (),
                sizes=sizes,
                unused_labels=self._unused(),
                missing_labels=self._missing(),
                unchecked=tuple(self.unchecked),
            )
        self.legal.append(answer.sequence)
        return Check(
            example=self._spell(answer.sequence),
            implied=tuple(self._implied()),
            always_broken=tuple(self._broken()),
            unused_labels=self._unused(),
            missing_labels=self._missing(),
            impossible_labels=tuple(self._impossible()),
            dead_ends=tuple(self._dead_ends()),
            sizes=sizes,
            unchecked=tuple(self.unchecked),
        )

    # --- the rules as machines ------------------------------------------------------------------------------

    def _sizes(self) -> Iterator[Size]:
        for rule in self.rules:
            try:
                picture = rule_machine(rule, self.labels)
            except InputError as error:
                self.unchecked.append(Unchecked(rule.name, str(error)))
                picture = None
            if picture is None:
                yield Size(rule.name, None, None)
            else:
                yield Size(rule.name, picture.machine.states, picture.machine.classes)

    def _read(self) -> Outcomes:
        """Every rule that can be checked without a sequence, as a machine over one alphabet."""
        failed = {unchecked.what for unchecked in self.unchecked}
        chosen: list[Rule] = []
        tests: list[TokenTest] = []
        for rule in self.rules:
            reason = why_unreadable(rule)
            if reason is None and self.tokens is None:
                together = Outcomes.of([*tests, *rule.token_tests], tokens=())
                if len(together.atoms) > MOST_TESTS:
                    reason = f"with it there are more than {MOST_TESTS} different token tests"
            if reason is not None:
                self.unchecked.append(Unchecked(rule.name, reason))
            elif rule.name not in failed:
                chosen.append(rule)
                tests += rule.token_tests
        outcomes = Outcomes.of(tests, self.tokens)
        for rule in chosen:
            try:
                self.readings[rule.name] = read_symbols(rule, self.labels, outcomes)
            except InputError as error:
                self.unchecked.append(Unchecked(rule.name, str(error)))
        return outcomes

    # --- questions ------------------------------------------------------------------------------------------

    def _ask(self, rules: Mapping[str, Reading], required: Sequence[Reading], question: str) -> Answer | None:
        """Whether these rules can hold together; None if a limit was reached, and then the question is listed as unchecked."""
        try:
            answer = find_witness(rules, required, self.limits)
        except LimitError as reached:
            self._leave_open(question, reached)
            return None
        if answer.stopped is not None:
            self._leave_open(
                f"{question}: whether each of the rules that are named is needed", answer.stopped
            )
        return answer

    def _leave_open(self, question: str, reached: LimitError) -> None:
        why = f"it needs more than {reached.value} states"
        if reached.limit == "timeout":
            why = f"it was not answered in {reached.value:g} seconds"
        self.unchecked.append(Unchecked(question, why))

    def _spell(self, sequence: Iterable[Step]) -> tuple[str, ...]:
        return tuple(self.labels[step.label] for step in sequence)

    @property
    def _shape(self) -> tuple[int, int]:
        return len(self.outcomes.passed), len(self.labels)

    def _implied(self) -> Iterator[Because]:
        for name, reading in self.readings.items():
            broken = Reading(complement(reading.dfa), reading.columns)
            yield from self._because(name, broken, "follows from the others")

    def _broken(self) -> Iterator[Because]:
        for name, reading in self.readings.items():
            if name not in self.hard:
                yield from self._because(name, reading, "contradicts the hard ones")

    def _because(self, name: str, required: Reading, what: str) -> Iterator[Because]:
        """The rules because of which a machine accepts no sequence that obeys the hard rules, if that is so."""
        others = {other: reading for other, reading in self.hard.items() if other != name}
        answer = self._ask(others, [required], f"whether {name!r} {what}")
        if answer is not None and answer.sequence is None:
            yield Because(name, answer.core)

    def _unused(self) -> tuple[str, ...]:
        named: set[str] = set()
        for rule in self.rules:
            named |= rule.labels_named(self.labels)
        return tuple(label for label in self.labels if label not in named)

    def _missing(self) -> tuple[Missing, ...]:
        return tuple(Missing(*pair) for pair in self.rules.missing_from(self.labels).items())

    def _impossible(self) -> Iterator[str]:
        for index, label in enumerate(self.labels):
            columns = np.zeros(self._shape, dtype=np.intp)
            columns[:, index] = 1
            if self._never(columns, f"whether a token can be {label!r}"):
                yield label

    def _dead_ends(self) -> Iterator[str]:
        """Kinds of tokens, by one or two tests that they pass, that no legal sequence can have."""
        atoms = self.outcomes.atoms
        hopeless: list[TokenTest] = []
        for few in (*combinations(atoms, 1), *combinations(atoms, 2)):
            passed = np.logical_and.reduce([self.outcomes.value(test) for test in few])
            if not passed.any() or any(test in hopeless for test in few) or not _may_exist(few):
                continue
            token = f"a token that {token_clause(few[0] if len(few) == 1 else Both(*few))}"
            columns = np.repeat(passed[:, None], len(self.labels), axis=1).astype(np.intp)
            if self._never(columns, f"whether there is a label for {token}"):
                hopeless += few if len(few) == 1 else ()
                yield f"no label is left for {token}"

    def _never(self, columns: npt.NDArray[np.intp], question: str) -> bool:
        """Whether no legal sequence reads class 1 anywhere."""
        if any(columns[step.kind, step.label] for sequence in self.legal for step in sequence):
            return False
        answer = self._ask(self.hard, [_somewhere(columns)], question)
        if answer is not None and answer.sequence is not None:
            self.legal.append(answer.sequence)
        return answer is not None and answer.sequence is None


def _somewhere(columns: npt.NDArray[np.intp]) -> Reading:
    """The machine that requires class 1 at least once."""
    return Reading(Dfa(np.array([[0, 1], [1, 1]], dtype=np.int32), np.array([False, True])), columns)


def _may_exist(tests: Sequence[TokenTest]) -> bool:
    """Whether a token could pass all tests, judging by their word lists."""
    for test in tests:
        if isinstance(test, IsIn) and not test.lower:
            return any(_all_pass(tests, word) for word in test.words)
    return True


def _all_pass(tests: Sequence[TokenTest], word: str) -> bool:
    try:
        return all(test(word) for test in tests)
    except Exception:  # noqa: BLE001 - a test that needs more than a word: its result is unknown
        return True
