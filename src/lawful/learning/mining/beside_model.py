"""Which rules pay beside a model, and at what prices: by parts of the data that neither model nor rule had seen."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import NamedTuple

import numpy as np

from lawful.errors import InputError
from lawful.lattice import AnyLattice
from lawful.lattice.tagger import lattices_of
from lawful.learning.gold import Labelled
from lawful.learning.linting.model_effects import Effect
from lawful.learning.mining.evidence import Evidence, Proposal
from lawful.learning.mining.selection import HeldOut, select_rules
from lawful.learning.mining.statistics import Statistics
from lawful.learning.prices.cross_fitting import model_like
from lawful.learning.prices.drawn_labellings import DrawnLabellings
from lawful.learning.prices.log_odds import log_odds
from lawful.models.base.estimator import SequenceModel
from lawful.rules.rule import Per, Rule
from lawful.rules.ruleset import Rules

__all__ = ["Beside", "price_beside"]

PARTS, FEW = 5, 100  # that many parts of so few sequences; more of them can do with LARGER ones
LARGER = 3
ENOUGH = 1000  # sequences to judge by: of many more, not every part is asked
SMOOTHING = 0.5
LOWEST_PRICE = 0.5  # what costs less decides next to nothing, and a reader cannot tell it from nothing


Propose = Callable[[Statistics], Mapping[str, tuple[Proposal, Evidence]]]


class Beside(NamedTuple):
    """Rules that go with a model.

    Attributes
    ----------
    prices : dict
        Of each question whose rule pays; infinite if it is hard.
    per : dict
        What each of them is paid for: a sequence, or a violation.
    tallies : dict of Effect
        Of every question: what its rule changes when it is added to the others.
    effect : Effect
        What the rules that pay change together, on sequences that neither the model nor prices nor rules were fitted to.
    judged : int
        The number of these sequences.
    """

    prices: dict[str, float]
    per: dict[str, Per]
    tallies: dict[str, Effect]
    effect: Effect
    judged: int


def price_beside(
    model: SequenceModel,
    proposals: Mapping[str, Proposal],
    hard: set[str],
    whole: Statistics,
    propose: Propose,
    *,
    seed: int = 0,
    jobs: int | None = None,
    on_part: Callable[[int, int], None] | None = None,
) -> Beside:
    """Take each part of the data out, mine and fit a model in the others, and see what the rules do there.

    Parameters
    ----------
    model : SequenceModel
        Only its parameters and labels count: it stays as it is.
    proposals : mapping from question to Proposal
        Of the whole data.
    hard : set of str
        The questions whose rules are hard unless a part refutes them.
    whole : Statistics
        Of what the model was fitted to.
    propose : function
        Proposals of other data, by question, with what speaks for them there.
    seed : int
    jobs : int, optional
        Threads.
    on_part : function, optional
        Is told how many models are fitted, and of how many.
    """
    labels = model.labels
    unknown = {label for sequence in whole.gold for label in sequence.labels}.difference(labels)
    if unknown:
        raise InputError(
            f"the model does not know the label {min(unknown)!r} of the data: give the model that was trained on this data"
        )
    parts = _Parts(proposals, whole, propose, seed)
    drawn = DrawnLabellings(parts.rules, seed=seed)
    asked: list[Labelled] = []
    lattices: list[AnyLattice] = []
    for number, (part, others) in enumerate(parts.divided):
        if on_part is not None:
            on_part(number, len(parts.divided))
        fitted = _model_like(model, jobs).fit(
            [sequence.tokens for sequence in others], [sequence.labels for sequence in others]
        )
        scored = list(lattices_of(fitted, [item.tokens for item in part], [item.context for item in part]))
        drawn.add(scored, part)
        asked += part
        lattices += scored
    part_of = np.repeat(np.arange(len(parts.divided)), [len(part) for part, _ in parts.divided])
    if len(parts.divided) == 1:  # its halves ask each other
        part_of = np.arange(len(asked)) % 2
    answers: list[dict[str, tuple[int, float]]] = [{} for _ in asked]
    for number in np.unique(part_of).tolist():
        judged = part_of == number
        fitted_prices = _fit(drawn, parts.most(number, hard), ~judged)
        for index in np.flatnonzero(judged).tolist():
            answers[index] = fitted_prices
    questions = [question for question in proposals if any(question in each for each in answers)]
    compiled = drawn.compiled_for(lattices[0].labels)
    selected = select_rules(HeldOut(asked, lattices, compiled, answers), questions, jobs=jobs)
    final = parts.most(None, hard)
    prices = _fit(drawn, {question: final[question] for question in selected.kept})
    return Beside(
        {question: price for question, (_, price) in prices.items()},
        {question: proposals[question].per for question in prices},
        selected.tallies,
        selected.effect,
        len(asked),
    )


class _Parts:
    """The data in parts, and what is proposed without each of them."""

    def __init__(
        self,
        proposals: Mapping[str, Proposal],
        whole: Statistics,
        propose: Propose,
        seed: int,
    ) -> None:
        gold = whole.gold
        order = np.random.default_rng(seed).permutation(len(gold))
        count = min(PARTS if len(gold) < FEW else LARGER, len(gold))
        chosen = np.array_split(order, count)[: math.ceil(ENOUGH * count / len(gold))]
        self.divided: list[tuple[list[Labelled], list[Labelled]]] = []
        self.all = {question: (each, each.measure(whole)) for question, each in proposals.items()}
        self.without: list[dict[str, tuple[Proposal, Evidence]]] = []
        self.asked: list[dict[str, Evidence]] = []  # each part about what is proposed without it
        for part in chosen:
            left_out = set(part.tolist())
            others = [sequence for index, sequence in enumerate(gold) if index not in left_out]
            here = [gold[index] for index in part]
            found = {
                question: each
                for question, each in propose(whole.of(others)).items()
                if question in proposals
            }
            seen = whole.of(here)
            self.divided.append((here, others))
            self.without.append(found)
            self.asked.append({question: each.measure(seen) for question, (each, _) in found.items()})
        # The same rule of several parts is one rule here.
        self.index: dict[str, int] = {}
        rules: list[Rule] = []
        for each, _ in [*self.all.values(), *(each for found in self.without for each in found.values())]:
            code = each.rule.code()
            if code not in self.index:
                self.index[code] = len(rules)
                rules.append(each.rule.soft(1.0, per=each.per, name=""))
        self.rules = Rules(rules)

    def most(self, left_out: int | None, hard: set[str]) -> dict[str, tuple[int, float]]:
        """By question, the rule that is proposed without a part of the data, and the most that it may cost.

        That is the log odds of keeping it, at the rate of exceptions in parts that had no say in it, if that is higher.
        """
        if left_out is not None and len(self.without) == 1:  # its halves ask each other
            left_out = 0
        bounds = {}
        for question, (proposal, seen) in (self.all if left_out is None else self.without[left_out]).items():
            asked = [
                evidence[question]
                for number, evidence in enumerate(self.asked)
                if number != left_out and question in evidence
            ]
            occasions = sum(evidence.occasions for evidence in asked)
            exceptions = sum(evidence.exceptions for evidence in asked)
            broken = max(seen.exceptions, seen.occasions * exceptions / max(1, occasions))
            surely = question in hard and not broken
            price = math.inf if surely else log_odds(seen.occasions - broken, broken, smoothing=SMOOTHING)
            bounds[question] = self.index[proposal.rule.code()], price
        return bounds


def _model_like(model: SequenceModel, jobs: int | None) -> SequenceModel:
    like = model_like(model, model.labels)
    like.tokenizer = model.tokenizer  # need not be recognised again
    return like.set_params(jobs=jobs) if jobs is not None and "jobs" in like.get_params(deep=False) else like


def _fit(
    drawn: DrawnLabellings, most: Mapping[str, tuple[int, float]], which: np.ndarray | None = None
) -> dict[str, tuple[int, float]]:
    """Prices of the rules that cost enough to matter; what the others would have cost is shared out among these."""
    left = {question: bound for question, bound in most.items() if bound[1] >= LOWEST_PRICE}
    near = None
    while True:
        soft = iter(drawn.fit(which=which, only=dict(left.values()), start=near))
        prices = {
            question: (index, price if math.isinf(price) else next(soft))
            for question, (index, price) in left.items()
        }
        worth = {question: left[question] for question, (_, price) in prices.items() if price >= LOWEST_PRICE}
        if len(worth) == len(left):
            return prices
        left, near = worth, dict(prices.values())
