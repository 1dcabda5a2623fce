"""Rules that pay: added one after another to the answers of a model, and judged by what they change."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from lawful.decoding import Decoder
from lawful.lattice import AnyLattice
from lawful.lattice.arrays import Floats
from lawful.learning.gold import Labelled
from lawful.learning.linting.model_effects import Effect, effect_on
from lawful.rules.ruleset import Rules
from lawful.schemes.spans import find_spans, guess_scheme

__all__ = ["HeldOut", "Selected", "select_rules"]

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
    rules : Rules
        All rules there are, with their `per`; their prices do not count.
    answers : sequence of N mappings
        How each question is answered for a sequence: by which rule, and at what price.
    """

    gold: Sequence[Labelled]
    lattices: Sequence[AnyLattice]
    rules: Rules
    answers: Sequence[Mapping[str, tuple[int, float]]]

    @classmethod
    def of(
        cls,
        gold: Sequence[Labelled],
        lattices: Sequence[AnyLattice],
        rules: Rules,
        answers: Sequence[Mapping[str, tuple[int, float]]],
    ) -> HeldOut:
        """Without the rules that answer nothing, which would have to be counted all the same."""
        used = sorted({rule for each in answers for rule, _ in each.values()})
        number = {rule: place for place, rule in enumerate(used)}
        renumbered = {
            id(each): {question: (number[rule], price) for question, (rule, price) in each.items()}
            for each in answers
        }  # all sequences of a part share a mapping
        return cls(
            gold, lattices, Rules(rules[rule] for rule in used), [renumbered[id(each)] for each in answers]
        )


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


class _Trial(NamedTuple):
    """Sequences that are labelled otherwise with a rule than without it: how without it, and what the rule is worth there."""

    without: dict[int, tuple[str, ...]]
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
        labels = held_out.lattices[0].labels
        self.scheme = guess_scheme([list(labels)])
        self.decoder = Decoder(held_out.rules, labels=labels, on_infeasible="least_bad")
        self.bound = [self.decoder.bind(len(one.labels), one.tokens, one.context) for one in held_out.gold]
        plain = Decoder(labels=labels).decode_batch(held_out.lattices, jobs=jobs)
        self.plain = [tuple(answer.labels) for answer in plain]
        self.broken = [bound.count(labels) > 0 for bound, labels in zip(self.bound, self.plain, strict=True)]
        self.labels = list(self.plain)
        self.prices = [np.zeros(len(held_out.rules)) for _ in held_out.gold]
        self.spans = [set(find_spans(one.labels, self.scheme)) for one in held_out.gold]
        self.tokens = sum(len(one.labels) for one in held_out.gold)
        answered = [set(find_spans(labels, self.scheme)) for labels in self.plain]
        right = sum(len(wanted & found) for wanted, found in zip(self.spans, answered, strict=True))
        self.all_spans = max(1, sum(map(len, self.spans)) + sum(map(len, answered)))
        self.span_f1 = 2 * right / self.all_spans

    def use(self, questions: Sequence[str]) -> None:
        """Put these rules in force."""
        for prices, answers in zip(self.prices, self.held_out.answers, strict=True):
            for question in questions:
                if question in answers:
                    rule, price = answers[question]
                    prices[rule] = price
        for index, labels in self._decode(dict(enumerate(self.prices))).items():
            self.labels[index] = labels

    def without(self, question: str) -> _Trial:
        """What would be otherwise without a rule."""
        asked: dict[int, Floats] = {}
        for index, answers in enumerate(self.held_out.answers):
            if question in answers:
                asked[index] = self.prices[index].copy()
                asked[index][answers[question][0]] = 0.0
        return self._trial(
            {
                index: (labels, self.labels[index])
                for index, labels in self._decode(asked).items()
                if labels != self.labels[index]
            }
        )

    def drop(self, question: str, trial: _Trial) -> None:
        """Do without a rule."""
        for prices, answers in zip(self.prices, self.held_out.answers, strict=True):
            if question in answers:
                prices[answers[question][0]] = 0.0
        for index, labels in trial.without.items():
            self.labels[index] = labels

    def together(self) -> _Trial:
        """What all rules that are left change."""
        pairs = enumerate(zip(self.plain, self.labels, strict=True))
        return self._trial({index: pair for index, pair in pairs if pair[0] != pair[1]})

    def _decode(self, prices: Mapping[int, Floats]) -> dict[int, tuple[str, ...]]:
        """The best labels of some sequences at some prices.

        An answer without rules that breaks none of those in force stays the best.
        """
        found = {}
        prepared = {}
        for index, asked in prices.items():
            if (self.broken[index] & (asked > 0)).any():
                rules = self.bound[index].at_prices(asked.tolist())
                prepared[index] = self.decoder.tie(self.held_out.lattices[index], rules)
            else:
                found[index] = self.plain[index]
        answers = self.decoder.decode_batch(list(prepared.values()), jobs=self.jobs)
        return found | {index: tuple(answer.labels) for index, answer in zip(prepared, answers, strict=True)}

    def _trial(self, changed: Mapping[int, tuple[tuple[str, ...], tuple[str, ...]]]) -> _Trial:
        effect = Effect()
        values = []
        for index, (before, after) in changed.items():
            effect += effect_on(self.held_out.gold[index].labels, before, after, scheme=self.scheme)
            values.append(self._value(index, before, after))
        without = {index: before for index, (before, _) in changed.items()}
        return _Trial(without, np.array(values, dtype=np.float64), effect)

    def _value(self, index: int, before: Sequence[str], after: Sequence[str]) -> float:
        """What a change adds to span F1 and token accuracy, to first order."""
        gold, wanted = self.held_out.gold[index].labels, self.spans[index]
        earlier, later = (set(find_spans(labels, self.scheme)) for labels in (before, after))
        right = len(wanted & later) - len(wanted & earlier)
        spans = (2 * right - self.span_f1 * (len(later) - len(earlier))) / self.all_spans
        tokens = sum(map(str.__eq__, gold, after)) - sum(map(str.__eq__, gold, before))
        return spans + tokens / self.tokens
