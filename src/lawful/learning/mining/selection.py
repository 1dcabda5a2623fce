"""Rules that pay: added one after another to the answers of a model, and judged by what they change."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from lawful.decoding import Decoder
from lawful.lattice import AnyLattice
from lawful.lattice.arrays import Floats
from lawful.learning.gold import Labelled
from lawful.learning.linting.model_effects import Effect, effect_on, spans_of
from lawful.rules.bound_rules import BoundRules, bind
from lawful.rules.compiled_rules import CompiledRules
from lawful.rules.counting_many import count_many
from lawful.schemes.spans import guess_scheme

__all__ = ["HeldOut", "Selected", "select_rules"]

Bools = npt.NDArray[np.bool_]

# What rules gain must be so many times its chance deviation: for one rule a sequence that is better and none that is worse will
# do, for all together it takes two. Chosen on parts of the training data of citations, addresses, chunks and bio-entities, and on ads.
CAUTION = 1.0
CAUTION_TOGETHER = math.sqrt(2)


@dataclass(frozen=True, eq=False)
class HeldOut:
    """Sequences that a model had not seen, with its scores and the rules that may be used for them.

    Attributes
    ----------
    gold : sequence of N Labelled
    lattices : sequence of N lattices
    rules : CompiledRules
        All rules there are, with their `per`; their prices do not count.
    answers : sequence of N mappings
        How each question is answered for a sequence: by which rule, and at what price.
    """

    gold: Sequence[Labelled]
    lattices: Sequence[AnyLattice]
    rules: CompiledRules
    answers: Sequence[Mapping[str, tuple[int, float]]]


class Selected(NamedTuple):
    """What became of the questions.

    Attributes
    ----------
    kept : tuple of str
        Those whose rules pay.
    tallies : dict of Effect
        Of every question: what its rule changed when all others were there that had not been dropped before it.
    effect : Effect
        Of those kept, all together.
    """

    kept: tuple[str, ...]
    tallies: dict[str, Effect]
    effect: Effect


def select_rules(held_out: HeldOut, questions: Sequence[str], *, jobs: int | None = None) -> Selected:
    """Start with all rules, drop one after another that does not pay beside the rest, and keep what is left if that pays.

    Rules that say nearly the same stand in for each other: the least useful are asked first, and their like takes over.
    """
    answers = _Answers(held_out, jobs)
    answers.use(questions)
    losses = {question: answers.without(question) for question in questions}
    left = sorted(questions, key=lambda question: losses[question].gain)  # of equals the first proposed
    tallies: dict[str, Effect] = {}
    dropped = False
    for question in list(left):
        trial = answers.without(question) if dropped else losses[question]
        tallies[question] = trial.effect
        if not trial.pays(CAUTION):
            answers.drop(question, trial)
            left.remove(question)
            dropped = True
    together = answers.together()
    if not together.pays(CAUTION_TOGETHER):
        return Selected((), tallies, Effect())
    return Selected(tuple(question for question in questions if question in left), tallies, together.effect)


class _Answer(NamedTuple):
    """The best labels of a sequence, and some rules under which they are best and break none of the others in force."""

    labels: tuple[str, ...]
    needed: frozenset[int]


class _Trial(NamedTuple):
    """Sequences that are decoded again without a rule: their answers, and what the rule is worth where its answers are others."""

    without: Mapping[int, _Answer]
    values: Floats
    effect: Effect

    @property
    def gain(self) -> float:
        return float(self.values.sum())

    def pays(self, caution: float) -> bool:
        return self.gain > 0 and self.gain >= caution * math.sqrt(float((self.values**2).sum())) - 1e-12


class _Answers:
    """The best labels under the rules that are left."""

    def __init__(self, held_out: HeldOut, jobs: int | None) -> None:
        self.held_out, self.jobs = held_out, jobs
        self.rules = held_out.rules
        self.scheme = guess_scheme([list(self.rules.labels)])
        # The rules in force differ from sequence to sequence, so they are tied to each here.
        self.decoder = Decoder(labels=self.rules.labels, on_infeasible="least_bad")
        self.bound: dict[int, BoundRules] = {}  # of the sequences that had to be decoded under rules
        self.plain = self.decoder.decode_batch(held_out.lattices, jobs=jobs).labels
        self.broken = self._breaks(range(len(self.plain)), self.plain)
        self.answers = [_Answer(labels, frozenset()) for labels in self.plain]
        self.hopeless: set[int] = set()  # hard rules contradict each other there
        self.prices = [np.zeros(len(self.rules.names)) for _ in held_out.gold]
        self.tokens = sum(len(one.labels) for one in held_out.gold)
        wanted = [spans_of(tuple(one.labels), self.scheme) for one in held_out.gold]
        answered = [spans_of(labels, self.scheme) for labels in self.plain]
        right = sum(len(spans & found) for spans, found in zip(wanted, answered, strict=True))
        self.all_spans = max(1, sum(map(len, wanted)) + sum(map(len, answered)))
        self.span_f1 = 2 * right / self.all_spans

    def use(self, questions: Sequence[str]) -> None:
        """Put these rules in force."""
        for prices, answers in zip(self.prices, self.held_out.answers, strict=True):
            for question in questions:
                if question in answers:
                    rule, price = answers[question]
                    prices[rule] = price
        for index, answer in self._decode(dict(enumerate(self.prices))).items():
            self.answers[index] = answer

    def without(self, question: str) -> _Trial:
        """What would be otherwise without a rule. Where it was not needed, nothing."""
        asked: dict[int, Floats] = {}
        for index, answers in enumerate(self.held_out.answers):
            if question in answers and answers[question][0] in self.answers[index].needed:
                asked[index] = self.prices[index].copy()
                asked[index][answers[question][0]] = 0.0
        found = self._decode(asked)
        pairs = {index: (answer.labels, self.answers[index].labels) for index, answer in found.items()}
        return self._trial(pairs, found)

    def drop(self, question: str, trial: _Trial) -> None:
        """Do without a rule."""
        for prices, answers in zip(self.prices, self.held_out.answers, strict=True):
            if question in answers:
                prices[answers[question][0]] = 0.0
        for index, answer in trial.without.items():
            self.answers[index] = answer

    def together(self) -> _Trial:
        """What all rules that are left change."""
        pairs = zip(self.plain, self.answers, strict=True)
        return self._trial({index: (plain, answer.labels) for index, (plain, answer) in enumerate(pairs)}, {})

    def _decode(self, asked: Mapping[int, Floats]) -> dict[int, _Answer]:
        """The best labels of some sequences at some prices.

        Each is decoded under the rules that it needed before, and then under those that the answer breaks, until it breaks no
        other: rules only lower scores, so it is the best under all of them.
        """
        found: dict[int, _Answer] = {}
        waiting: dict[int, frozenset[int]] = {}
        for index, prices in asked.items():
            needed = _in_force(prices, self.answers[index].needed)
            needed = needed or _in_force(prices, np.flatnonzero(self.broken[index]).tolist())
            if needed and index in self.hopeless:
                needed = _in_force(prices, range(len(prices)))
            if needed:
                waiting[index] = needed
            else:
                found[index] = _Answer(self.plain[index], needed)
        while waiting:
            again: dict[int, frozenset[int]] = {}
            for index, answer, broken, feasible in self._decode_under(asked, waiting):
                needed = answer.needed | _in_force(asked[index], np.flatnonzero(broken).tolist())
                if not feasible:  # what hard rules leave then is for all of them to say
                    self.hopeless.add(index)
                    needed = _in_force(asked[index], range(len(broken)))
                if needed == answer.needed:
                    found[index] = answer
                else:
                    again[index] = needed
            waiting = again
        return found

    def _decode_under(
        self, asked: Mapping[int, Floats], waiting: Mapping[int, frozenset[int]]
    ) -> Iterator[tuple[int, _Answer, Bools, bool]]:
        """The best labels under some rules, which of all rules they break, and whether hard ones leave any."""
        prepared = []
        for index, needed in waiting.items():
            prices = np.zeros_like(asked[index])
            prices[list(needed)] = asked[index][list(needed)]
            rules = self._bound(index).at_prices(prices.tolist())
            prepared.append(self.decoder.tie(self.held_out.lattices[index], rules))
        answers = self.decoder.decode_batch(prepared, jobs=self.jobs)
        broken = self._breaks(list(waiting), answers.labels)
        for number, (index, needed) in enumerate(waiting.items()):
            answer = _Answer(answers.labels[number], needed)
            yield index, answer, broken[number], answers.statuses[number] != "infeasible"

    def _breaks(self, indices: Sequence[int], labels: Sequence[tuple[str, ...]]) -> Bools:
        """Which rules labels of some sequences break."""
        some = [self.held_out.gold[index] for index in indices]
        lengths = np.array(list(map(len, labels)), dtype=np.int64)
        numbers = np.array(self.rules.labels.encode(chain.from_iterable(labels)), dtype=np.int32)
        tokens: list[Sequence[Any] | None] = [one.tokens for one in some]
        contexts = [one.context for one in some]
        return count_many(self.rules, tokens, contexts, lengths, numbers, np.ones_like(lengths)) > 0

    def _bound(self, index: int) -> BoundRules:
        if index not in self.bound:
            one = self.held_out.gold[index]
            self.bound[index] = bind(self.rules, len(one.labels), one.tokens, one.context)
        return self.bound[index]

    def _trial(
        self, pairs: Mapping[int, tuple[tuple[str, ...], tuple[str, ...]]], found: Mapping[int, _Answer]
    ) -> _Trial:
        effect = Effect()
        values = []
        for index, (before, after) in pairs.items():
            if before != after:
                change = effect_on(self.held_out.gold[index].labels, before, after, scheme=self.scheme)
                effect += change
                values.append(self._value(change, before, after))
        return _Trial(found, np.array(values, dtype=np.float64), effect)

    def _value(self, change: Effect, before: tuple[str, ...], after: tuple[str, ...]) -> float:
        """What a change adds to span F1 and token accuracy, to first order."""
        right = change.gained - change.lost
        more = len(spans_of(after, self.scheme)) - len(spans_of(before, self.scheme))
        spans = (2 * right - self.span_f1 * more) / self.all_spans
        return spans + (change.better - change.worse) / self.tokens


def _in_force(prices: Floats, among: Iterable[int]) -> frozenset[int]:
    return frozenset(rule for rule in among if prices[rule] > 0)
