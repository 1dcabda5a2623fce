"""Choosing among rules that somebody wrote: those that pay beside a model, by answers that neither model nor prices had seen."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from lawful.decoding import Decoder
from lawful.errors import InputError
from lawful.lattice import Tagger
from lawful.lattice.arrays import Floats
from lawful.lattice.tagger import lattices_of, warn_if_uncalibrated
from lawful.learning.gold import Gold, Labelled, labelled_sequences
from lawful.learning.prices.cross_fitting import CrossFitted, parts_of
from lawful.learning.prices.drawn_labellings import DrawnLabellings, bounds_of
from lawful.learning.prices.likelihood import with_prices
from lawful.learning.prices.log_odds import prices_by_log_odds
from lawful.rules.counting_many import count_many
from lawful.rules.given_rules import RulesLike, as_rules
from lawful.rules.ruleset import Rules
from lawful.schemes.spans import find_spans
from lawful.support.numbers import check_count, check_number

__all__ = [
    "Count",
    "HeldOutRules",
    "RuleChoice",
    "TriedRules",
    "choose_rules",
    "choose_together",
    "count_spans",
    "count_tokens",
]

Count = Callable[[Labelled, Sequence[str]], tuple[int, int, int]]
"""What of some labels of a sequence is right, what there is of it, and what the gold labels have."""

PRICE_PARTS = 5  # prices for each come from the others
CAUTION = 1.0  # a rule must gain so many times its chance deviation: as mining asks


def count_spans(sequence: Labelled, labels: Sequence[str]) -> tuple[int, int, int]:
    """Spans: fields, chunks.

    Examples
    --------
    >>> [sequence] = labelled_sequences([(["a", "b", "c"], ["A", "A", "O"])])
    >>> count_spans(sequence, ["A", "O", "A"])
    (0, 2, 1)
    """
    wanted, found = set(find_spans(sequence.labels)), set(find_spans(labels))
    return len(wanted & found), len(found), len(wanted)


def count_tokens(sequence: Labelled, labels: Sequence[str]) -> tuple[int, int, int]:
    """Tokens.

    Examples
    --------
    >>> [sequence] = labelled_sequences([(["a", "b", "c"], ["A", "A", "O"])])
    >>> count_tokens(sequence, ["A", "O", "A"])
    (1, 3, 3)
    """
    return sum(map(str.__eq__, sequence.labels, labels)), len(labels), len(sequence.labels)


class TriedRules(NamedTuple):
    """Rules that were tried together, and how good the answers under them are.

    Attributes
    ----------
    names : tuple of str
    f1 : tuple of float
        By each of the counts; the mean over the sets of sequences, if there are several.

    Examples
    --------
    >>> str(TriedRules(("one title",), (0.75, 0.9)))
    '0.7500, 0.9000: one title'
    """

    names: tuple[str, ...]
    f1: tuple[float, ...]

    def __str__(self) -> str:
        return (
            f"{', '.join(format(value, '.4f') for value in self.f1)}: {', '.join(self.names) or 'no rules'}"
        )


@dataclass(frozen=True)
class RuleChoice:
    """What `choose_rules` chose.

    Attributes
    ----------
    rules : Rules
        Those that pay, at the prices that `estimate_prices` gives them beside the tagger.
    dropped : tuple of str
        The others, in the order in which they went.
    tried : tuple of TriedRules
        No rules; all of them; and what was left each time that one went.
    """

    rules: Rules
    dropped: tuple[str, ...]
    tried: tuple[TriedRules, ...]

    def __str__(self) -> str:
        return "\n".join(map(str, self.tried))


def choose_rules(
    rules: RulesLike,
    gold: Gold,
    *,
    tagger: Tagger,
    folds: int | None = None,
    counts: Sequence[Count] = (count_spans, count_tokens),
    caution: float = CAUTION,
    seed: int = 0,
    jobs: int | None = None,
) -> RuleChoice:
    """Leave out, one after another, the rules that do not pay beside a tagger and the other rules.

    The sequences are divided into parts, and each part is answered at prices that were estimated from the others (method "likelihood" of
    `estimate_prices`). A rule stays if the answers with it are no worse than without it by any of the counts, and better on the
    whole by more than chance explains. Of those that do not stay, the one that takes most away goes first, and prices are estimated
    anew. What is left must pay as a whole, too; otherwise no rule is left.

    Parameters
    ----------
    rules : Rules, rule, iterable of rules, or the path of a rule file
        Hard rules stay hard or go. Prices are estimated anew: a price that is there already is the most that the rule may cost.
    gold : iterable of Sentence, or of (tokens, labels) or (tokens, labels, context)
        Sequences that the tagger was not trained on; or those that it was, with `folds`.
    tagger : Tagger
    folds : int, optional
        As for `estimate_prices`: score each part by a model like the tagger that is fitted to the others.
    counts : functions
        By what F1 answers are judged: each takes a sequence and labels for it, and returns how much is right, found, and wanted. By default
        spans and tokens.
    caution : float
        What a rule gains on average over the counts must be so many times its chance deviation; 0 for none.
    seed : int
        Of the division into parts, and of the labellings that are drawn.
    jobs : int, optional
        Threads of decoding.

    Examples
    --------
    >>> import lawful
    >>> from lawful.tasks import generate_citations, load_rules
    >>> references = generate_citations(60, seed=1)
    >>> choice = choose_rules(load_rules("citations"), references, tagger=lawful.HMM(), folds=5)
    >>> choice.tried[0].names, choice.tried[-1].names == tuple(rule.name for rule in choice.rules)
    ((), True)
    """
    held_out = HeldOutRules(rules, gold, tagger=tagger, folds=folds, counts=counts, seed=seed, jobs=jobs)
    dropped, tried = choose_together([held_out], caution=caution)
    return RuleChoice(held_out.priced(tried[-1].names), dropped, tried)


def choose_together(
    sets: Sequence[HeldOutRules], *, caution: float = CAUTION
) -> tuple[tuple[str, ...], tuple[TriedRules, ...]]:
    """The same choice for several sets of sequences with taggers of their own, by what a rule does to all of them.

    Returns
    -------
    dropped : tuple of str
    tried : tuple of TriedRules
        As of a `RuleChoice`.
    """
    check_number("caution", caution)
    if not sets:
        raise InputError("rules are chosen by labelled sequences, and there are none")
    left = sets[0].names
    tried = [_tried(sets, ()), _tried(sets, left)]
    dropped: list[str] = []
    while left:
        here = _answers(sets, left)
        worst: tuple[tuple[float, float], str] | None = None
        for name in left:
            gain = _Gain(_answers(sets, _less(left, name)), here)
            if not gain.pays(caution) and (worst is None or gain.order <= worst[0]):  # of equals the last
                worst = gain.order, name
        if worst is None:
            break
        left = _less(left, worst[1])
        dropped.append(worst[1])
        tried.append(_tried(sets, left))
    if left and not _Gain(_answers(sets, ()), _answers(sets, left)).pays(caution):
        dropped += left
        tried.append(tried[0])
    return tuple(dropped), tuple(tried)


class HeldOutRules:
    """Labelled sequences, what a tagger that has not seen them makes of them, and what it makes of them under some of the rules.

    See `choose_rules` for the parameters.
    """

    def __init__(
        self,
        rules: RulesLike,
        gold: Gold,
        *,
        tagger: Tagger,
        folds: int | None = None,
        counts: Sequence[Count] = (count_spans, count_tokens),
        seed: int = 0,
        jobs: int | None = None,
    ) -> None:
        self.gold = labelled_sequences(gold)
        if len(self.gold) < 2:
            raise InputError(f"choosing rules takes at least 2 labelled sequences, got {len(self.gold)}")
        self.counts, self.jobs = _checked_counts(counts), jobs
        if folds is not None:
            check_count("folds", folds, least=2)
            warn_if_uncalibrated(tagger)
            tagger = CrossFitted(tagger, self.gold, folds=folds, seed=seed)
        contexts = [sequence.context for sequence in self.gold]
        tokens = [sequence.tokens for sequence in self.gold]
        self.lattices = list(lattices_of(tagger, tokens, contexts))
        labels = self.lattices[0].labels
        self._asked = as_rules(rules)
        self.names = tuple(rule.name for rule in self._asked)
        every = np.ones(len(self.gold), dtype=np.bool_)
        self._most: dict[int | None, Rules] = {None: self._highest(every)}
        self._which: dict[int | None, npt.NDArray[np.bool_]] = {None: every}
        self._parts = [part for part, _ in parts_of(len(self.gold), PRICE_PARTS, seed)]
        for number, part in enumerate(self._parts):
            others = every.copy()
            others[part] = False
            self._which[number], self._most[number] = others, self._highest(others)
        self._drawn = DrawnLabellings(self._most[None], seed=seed)
        self._drawn.add(self.lattices, self.gold)
        self._compiled = self._drawn.compiled_for(labels)
        plain = Decoder(labels=labels).decode_batch(self.lattices, jobs=jobs).labels
        self._broken = self._breaks(plain)
        self._known: list[dict[tuple[str, ...], list[tuple[int, int, int]]]] = [{} for _ in self.gold]
        self._plain = [self._count(index, answer) for index, answer in enumerate(plain)]
        self._counted: dict[tuple[str, ...], Floats] = {}

    def priced(self, names: Sequence[str]) -> Rules:
        """Some of the rules, at prices that are estimated from all sequences."""
        return self._priced(names, None)

    def answers(self, names: Sequence[str]) -> Floats:
        """What is right, found and wanted in each sequence under some of the rules, by each count: shape (N, counts, 3)."""
        key = tuple(names)
        if key not in self._counted:
            found = list(self._plain)
            indices = [index for index, name in enumerate(self.names) if name in key]
            for number, part in enumerate(self._parts):
                # Rules only lower scores: what breaks none of them is still the best.
                some = [index for index in part if self._broken[index, indices].any()]
                if some:
                    decoder = Decoder(
                        self._priced(key, number), labels=self._compiled.labels, on_infeasible="least_bad"
                    )
                    answers = decoder.decode_batch([self.lattices[i] for i in some], jobs=self.jobs).labels
                    for index, labels in zip(some, answers, strict=True):
                        found[index] = self._count(index, labels)
            self._counted[key] = np.array(found, dtype=np.float64)
        return self._counted[key]

    def _highest(self, which: npt.NDArray[np.bool_]) -> Rules:
        asked = [sequence for sequence, wanted in zip(self.gold, which, strict=True) if wanted]
        return prices_by_log_odds(self._asked, asked, labels=self.lattices[0].labels)

    def _priced(self, names: Sequence[str], part: int | None) -> Rules:
        most = self._most[part]
        bounds = {index: price for index, price in bounds_of(most).items() if self.names[index] in names}
        prices = self._drawn.fit(which=self._which[part], only=bounds)
        return with_prices(Rules(most[self.names[index]] for index in bounds), prices)

    def _breaks(self, labels: Sequence[Sequence[str]]) -> npt.NDArray[np.bool_]:
        numbers = self._compiled.labels.encode(chain.from_iterable(labels))
        lengths = np.array(list(map(len, labels)), dtype=np.int64)
        return (
            count_many(
                self._compiled,
                [sequence.tokens for sequence in self.gold],
                [sequence.context for sequence in self.gold],
                lengths,
                np.array(numbers, dtype=np.int32),
                np.ones_like(lengths),
            )
            > 0
        )

    def _count(self, index: int, labels: Sequence[str]) -> list[tuple[int, int, int]]:
        known, key = self._known[index], tuple(labels)
        if key not in known:
            known[key] = [_counted(count, self.gold[index], key) for count in self.counts]
        return known[key]


def _checked_counts(counts: Sequence[Count]) -> tuple[Count, ...]:
    given: object = counts
    if not isinstance(given, Iterable):
        raise InputError(f"counts must be a list of functions that answers are judged by, got {given!r:.60}")
    functions = tuple(counts)
    if not functions:
        raise InputError("counts must be functions that answers are judged by, at least one, got none")
    for number, function in enumerate(functions):
        if not callable(function):
            raise InputError(
                f"counts[{number}] must be a function of a sequence and labels, got {function!r:.60}"
            )
    return functions


def _counted(count: Count, sequence: Labelled, labels: tuple[str, ...]) -> tuple[int, int, int]:
    """What a function counts, which somebody else may have written."""
    given: Any = count(sequence, labels)
    numbers = tuple(given) if isinstance(given, Iterable) and not isinstance(given, str) else (given,)
    name = getattr(count, "__name__", repr(count))
    if len(numbers) != 3:
        raise InputError(
            f"{name}() must return three numbers, how much is right, found and wanted, got {given!r:.60}"
        )
    for what, number in zip(("right", "found", "wanted"), numbers, strict=True):
        check_number(f"the number {what} that {name}() returns", number)
    right, found, wanted = numbers
    return right, found, wanted


class _Gain:
    """What answers add to the F1 of each count, against others: to first order, sequence by sequence."""

    def __init__(self, before: Floats, after: Floats) -> None:
        right, found, wanted = before.sum(axis=0).T
        all_of_it = np.maximum(1.0, found + wanted)
        change = after - before
        values = (2 * change[:, :, 0] - 2 * right / all_of_it * change[:, :, 1]) / all_of_it
        self.each = values.sum(axis=0)
        self.together = float(self.each.mean())
        self.deviation = math.sqrt(float((values.mean(axis=1) ** 2).sum()))

    @property
    def order(self) -> tuple[float, float]:
        return round(float(self.each.min()), 12), round(self.together, 12)

    def pays(self, caution: float) -> bool:
        enough = self.together >= caution * self.deviation - 1e-12
        return self.together > 1e-12 and bool(self.each.min() >= -1e-12) and enough


def _less(names: tuple[str, ...], name: str) -> tuple[str, ...]:
    return tuple(other for other in names if other != name)


def _answers(sets: Sequence[HeldOutRules], names: tuple[str, ...]) -> Floats:
    return np.concatenate([held_out.answers(names) for held_out in sets])


def _tried(sets: Sequence[HeldOutRules], names: tuple[str, ...]) -> TriedRules:
    scores = []
    for held_out in sets:
        right, found, wanted = held_out.answers(names).sum(axis=0).T
        scores.append(2 * right / np.maximum(1.0, found + wanted))
    return TriedRules(names, tuple(np.mean(scores, axis=0).tolist()))
