"""Compile rules once, decode many lattices."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from functools import lru_cache, partial
from typing import Any, Unpack, get_args

import numpy as np
import numpy.typing as npt

from lawful import _core
from lawful.decoding.answers.many import ManyAnswers
from lawful.decoding.arrays import ArrayDecodings, FlatBatch, FromArrays, flattened
from lawful.decoding.contradictions.infeasible import least_bad, name_contradiction
from lawful.decoding.judge import judge
from lawful.decoding.options import (
    OnExceed,
    OnInfeasible,
    OnLimit,
    SolverOptions,
    require_known_options,
)
from lawful.decoding.predicting import Predicting
from lawful.decoding.prepared import Prepared, PreparedBatch
from lawful.decoding.result import Decoding, Decodings
from lawful.decoding.tying import GivenBatch
from lawful.errors import (
    InputError,
    LabelSetError,
    LossError,
    MissingLabelWarning,
    SearchError,
    UnpricedRuleError,
)
from lawful.labels import LabelSet
from lawful.lattice import AnyLattice, Tagger
from lawful.lattice.base import ChainLattice, require_lattice
from lawful.lattice.segments import SegmentLattice
from lawful.lattice.tagger import require_tagger, warn_if_uncalibrated
from lawful.rules.bound_rules import BoundRules, bind
from lawful.rules.compiled_rules import CompiledRules
from lawful.rules.given_rules import RulesLike, as_rules
from lawful.rules.ruleset import Rules
from lawful.solvers.choice import auto, solver_named
from lawful.solvers.engine import CROWDED, core_limits, goes_to_engine, read_answer, search_segments
from lawful.solvers.portfolio.hand_over import hand_over
from lawful.solvers.problem import Problem
from lawful.solvers.solution import Solution
from lawful.support.limits import Limits
from lawful.support.numbers import check_choice, check_count, check_number
from lawful.support.threads import thread_count
from lawful.support.warning import warn

__all__ = ["Decoder", "DecodingOptions"]

CHOICES = {
    "on_limit": get_args(OnLimit),
    "on_infeasible": get_args(OnInfeasible),
    "on_exceed": get_args(OnExceed),
}


@dataclass(frozen=True, kw_only=True)
class DecodingOptions:
    """The options of a decoder, checked. See `Decoder` for what they mean.

    Examples
    --------
    >>> DecodingOptions(on_limit="bounded", timeout=1.5).limits.timeout
    1.5
    >>> DecodingOptions(on_limit="ignore")
    Traceback (most recent call last):
    lawful.errors.InputError: on_limit must be 'raise' or 'bounded', got 'ignore'
    """

    max_states: int | None = None
    timeout: float | None = None
    max_memory: int | None = None
    on_limit: OnLimit = "raise"
    on_infeasible: OnInfeasible = "raise"
    max_loss: float | None = None
    on_exceed: OnExceed = "plain"

    def __post_init__(self) -> None:
        for name, words in CHOICES.items():
            if getattr(self, name) is not words[0]:  # the default
                check_choice(name, getattr(self, name), words)
        put = object.__setattr__
        for name in ("max_states", "max_memory"):
            if (whole := getattr(self, name)) is not None:
                put(self, name, check_count(name, whole, least=1))
        if self.timeout is not None:
            put(self, "timeout", check_number("timeout", self.timeout, above=0.0, finite=False))
        if self.max_loss is not None:
            put(self, "max_loss", check_number("max_loss", self.max_loss, finite=False))

    @property
    def limits(self) -> Limits:
        """The part of them that a solver sees."""
        return Limits(self.max_states, self.timeout, self.max_memory, self.on_limit)


class Decoder(Predicting, FromArrays, ManyAnswers):
    """Finds the best labels of lattices under rules. Compiles once; safe to use from many threads.

    Parameters
    ----------
    rules : Rules, a rule, an iterable of rules, or the path of a rule file
    labels : LabelSet or iterable of str
        The labels of the lattices to come; the tagger's if not given.
    tagger : Tagger, optional
        What scores tokens for `predict` and `decode_tokens`.
    solver : str
        "auto", or one of the others by name: "viterbi", "brute_force", "relaxation", "branch_and_bound", "a_star",
        "beam", "dual", "ilp".
    max_states, timeout, max_memory : number, optional
        What the search for one sequence may use: lattice states, seconds, bytes. Without `max_memory`: half of the
        memory that is free.
    on_limit : "raise" or "bounded"
        At a limit: raise `LimitError`, or take the best answer so far, with its bound.
    on_infeasible : "raise" or "least_bad"
        If the hard rules contradict each other: raise `InfeasibleError`, which names them; or take the answer
        with the fewest violations of hard rules, and the best score among those.
    max_loss : float, optional
        Obey the rules only where that gives up at most this much score against the rule-free answer.
    on_exceed : "plain" or "raise"
        Beyond `max_loss`: take the rule-free answer, or raise `LossError`.
    **solver_options
        For the solver; see its page.

    Examples
    --------
    >>> import lawful
    >>> decoder = lawful.Decoder(lawful.at_most_segments(1, "A"), labels=["A", "B"])
    >>> decoder.decode(lawful.Lattice([[2.0, 0.0], [0.0, 1.0], [3.0, 0.0]], labels=["A", "B"]))
    Decoding(['A', 'A', 'A'], score=5, status='optimal')
    """

    def __init__(
        self,
        rules: RulesLike = (),
        *,
        labels: LabelSet | Iterable[str] | None = None,
        tagger: Tagger | None = None,
        solver: str = "auto",
        max_states: int | None = None,
        timeout: float | None = None,
        max_memory: int | None = None,
        on_limit: OnLimit = "raise",
        on_infeasible: OnInfeasible = "raise",
        max_loss: float | None = None,
        on_exceed: OnExceed = "plain",
        **solver_options: Unpack[SolverOptions],
    ) -> None:
        self.labels = _labels_of(labels, tagger)
        self.tagger = tagger
        self.rules = as_rules(rules)
        self.solver = solver
        self.options = DecodingOptions(
            max_states=max_states,
            timeout=timeout,
            max_memory=max_memory,
            on_limit=on_limit,
            on_infeasible=on_infeasible,
            max_loss=max_loss,
            on_exceed=on_exceed,
        )
        self._solver_options = solver_options
        self._solve = auto if solver == "auto" else solver_named(solver, solver_options)
        if solver_options:
            require_known_options(solver, solver_options)
        for rule in self.rules:
            if rule.price == "learn":
                raise UnpricedRuleError(rule.name)
        if tagger is not None:
            warn_about_prices(tagger, self.rules, stacklevel=3)
        self._compiled = CompiledRules(self.rules, self.labels)
        if self._compiled.missing:
            warn(MissingLabelWarning(self._compiled.missing))
        self._limits = self.options.limits
        self._core_limits = core_limits(self._limits, hands_over=True)

    def __reduce__(self) -> tuple[Any, ...]:
        """As data: rules, labels, tagger and options; the rules are compiled again."""
        options = {name.name: getattr(self.options, name.name) for name in fields(self.options)}
        arguments = {"labels": self.labels, "tagger": self.tagger, "solver": self.solver, **options}
        return _decoder_again, (type(self), self.rules, {**arguments, **self._solver_options})

    # --- one sequence -------------------------------------------------------------------------------------

    def decode(self, lattice: AnyLattice | Prepared) -> Decoding:
        """The best labels of one lattice."""
        started = time.perf_counter()
        prepared = lattice if isinstance(lattice, Prepared) else self._prepare(lattice)
        if prepared.core is None:
            return self._settled(self._decode_by_solver(prepared, started), started)
        answers = _core.decode(prepared.core, self._core_limits)
        decoding = self._decoding(answers, 0, prepared, time.perf_counter() - started)
        if answers.all_optimal and self.options.max_loss is None:
            return decoding
        return self._settled(self._proved(decoding, answers.limit(0), started), started)

    def within(self, limits: Limits) -> Decoder:
        """The same decoder, but for its limits: for one more step of a call whose clock runs already."""
        other = object.__new__(type(self))  # no copy, which would compile the rules again
        other.__dict__.update(self.__dict__)
        other._limits, other._core_limits = limits, core_limits(limits, hands_over=True)
        return other

    def _decode_by_solver(self, prepared: Prepared, started: float) -> Decoding:
        lattice, rules = prepared.lattice, prepared.rules
        solution = self._solve(Problem(lattice, rules, self._limits))
        judge(lattice, rules.left, solution)  # the compiled engine brings its own
        return Decoding(
            lattice,
            rules,
            lambda: solution,
            partial(decode_plain, lattice),
            solver=self.solver,
            seconds=time.perf_counter() - started,
        )

    def _proved(self, decoding: Decoding, limit: str, started: float) -> Decoding:
        """What the portfolio makes of an answer at which the engine stopped at its own budget."""
        if limit != "budget":
            return decoding
        problem = Problem(decoding.lattice, decoding.bound_rules, self._limits.started(started))
        solution = hand_over(problem, decoding.solution)
        judge(decoding.lattice, decoding.bound_rules.left, solution)
        decoding = self._replaced(decoding, solution)
        decoding.seconds = time.perf_counter() - started
        return decoding

    def _decoding(self, answers: _core.Answers, index: int, prepared: Prepared, seconds: float) -> Decoding:
        return Decoding(
            prepared.lattice,
            prepared.rules,
            partial(read_answer, answers, index, self._limits),
            partial(decode_plain, prepared.lattice),
            solver="auto",
            seconds=seconds,
        )

    def _answer_to(
        self, answers: _core.Answers, index: int, prepared: Prepared, started: float, seconds: float
    ) -> Decoding:
        """The engine's answer to one sequence of a batch, after portfolio and options had their say."""
        decoding = self._decoding(answers, index, prepared, seconds)
        if (limit := answers.limit(index)) == "budget":
            decoding = self._proved(decoding, limit, self._latest_start(started, len(answers)))
        return self._settled(decoding, started, len(answers))

    # --- many sequences -----------------------------------------------------------------------------------

    def prepare(self, lattices: Iterable[AnyLattice | Prepared]) -> PreparedBatch:
        """Tie the rules to lattices beforehand: token tests and context are looked at here, once."""
        return self._given(lattices, 1).prepared

    def _given(self, lattices: Iterable[AnyLattice | Prepared], threads: int) -> GivenBatch:
        return GivenBatch(self._compiled, lattices, self._prepare, at_once=self._at_once, threads=threads)

    def decode_batch(
        self, lattices: Iterable[AnyLattice | Prepared], *, jobs: int | None = None
    ) -> Decodings:
        """The best labels of many lattices, of any lengths.

        All that suits the compiled engine is decoded in one call of the core, on many threads; what goes to another
        solver is decoded one by one.

        Parameters
        ----------
        lattices : iterable of lattices, or what `prepare` gave
        jobs : int, optional
            Threads; all cores if not given.
        """
        threads = thread_count(jobs)
        started = time.perf_counter()
        given = self._given(lattices, threads)
        others: dict[int, Decoding] = {}
        if given.examples is not None:
            answers = _core.decode_lattices(given.examples, self._core_limits, threads)
        if given.examples is None or given.examples.apart:
            batch = given.prepared
            others = self._decode_segments(batch, threads) if batch.others else {}
            others |= {
                index: _for_sequence(index, self.decode, batch[index])
                for index in batch.others
                if index not in others
            }
            answers = _core.decode_batch(batch.cores, self._core_limits, threads)
        seconds = time.perf_counter() - started
        if not others and answers.all_optimal and self.options.max_loss is None:

            def make(index: int) -> Decoding:
                return self._decoding(answers, index, given.one(index), seconds)

            labels = partial(answers.name_labels, tuple(self.labels))
            return Decodings(
                make,
                answers.scores,
                seconds,
                optimal=labels,
                numbers=lambda: answers.all_labels,
                seen=given.examples,
            )
        decodings = [
            others[index]
            if index in others
            else _for_sequence(index, self._answer_to, answers, index, prepared, started, seconds)
            for index, prepared in enumerate(given.prepared)
        ]
        scores = np.array([decoding.score for decoding in decodings], dtype=np.float64)
        return Decodings(decodings.__getitem__, scores, time.perf_counter() - started)

    def bounds(
        self, lattices: Iterable[AnyLattice | Prepared], *, max_states: int = 1000, jobs: int | None = None
    ) -> npt.NDArray[np.float64]:
        """What the best labels of each lattice score at most, from searches that end early.

        Far quicker than decoding where the rules are broken in many places. Infinity where nothing is known: where a lattice goes
        to another solver than the compiled engine, or no labels may obey.

        Parameters
        ----------
        lattices : iterable of lattices, or what `prepare` gave
        max_states : int
            Lattice states that the search for one sequence may use. The decoder's own limits hold besides; a search that
            reaches one of them ends with what it knows, whatever `on_limit` says.
        jobs : int, optional
            Threads; all cores if not given.

        Examples
        --------
        >>> import lawful
        >>> decoder = lawful.Decoder(lawful.at_most(1, "A"), labels=["A", "B"])
        >>> decoder.bounds([lawful.Lattice([[2.0, 0.0], [3.0, 1.0]], labels=["A", "B"])]).tolist()
        [3.0]
        """
        threads = thread_count(jobs)
        few = check_count("max_states", max_states, least=1)
        limits = core_limits(replace(self._limits, on_limit="bounded").within(few))
        given = self._given(lattices, threads)
        if given.examples is None:
            found = _core.decode_batch(given.prepared.cores, limits, threads).bounds
        else:
            found = _core.decode_lattices(given.examples, limits, threads).bounds
        return np.where(np.isfinite(found), found, np.inf)

    def _decode_segments(self, batch: PreparedBatch, threads: int) -> dict[int, Decoding]:
        """The segments of a batch that a search in the core can label, by their index; it brings its own judge."""
        if self.solver != "auto":
            return {}
        started = time.perf_counter()
        problems = {
            index: rules.segment_problem(lattice)
            for index in batch.others
            for lattice, rules, _ in [batch[index]]
            if isinstance(lattice, SegmentLattice)
        }
        solutions = search_segments(list(problems.values()), len(self.labels), self._limits, threads)
        seconds = time.perf_counter() - started
        return {
            index: _for_sequence(
                index,
                self._settled,
                Decoding(
                    batch[index].lattice,
                    batch[index].rules,
                    partial(_given, solution),
                    partial(decode_plain, batch[index].lattice),
                    solver=self.solver,
                    seconds=seconds,
                ),
                started,
            )
            for index, solution in zip(problems, solutions, strict=True)
            if solution is not None
        }

    def _decode_flat(self, batch: FlatBatch, threads: int) -> ArrayDecodings:
        started = time.perf_counter()
        at_once = self._at_once and self.options.max_loss is None
        examples = batch.examples(self._compiled) if at_once else None
        if examples is None:
            lattices = [batch.lattice(index) for index in range(len(batch))]
            return flattened(self.decode_batch(lattices, jobs=threads), batch)
        steps = None if batch.transitions is None else batch.transitions.core
        answers = _core.decode_arrays(
            examples, batch.emissions, steps, batch.start, batch.end, self._core_limits, threads
        )
        labels, scores = answers.all_labels, answers.scores
        statuses = ["optimal"] * len(batch)
        if left := answers.not_optimal:
            seconds = time.perf_counter() - started
            apart = set(examples.apart)
            labels, scores = labels.copy(), scores.copy()
            for index in left:
                lattice = batch.lattice(index)
                if index in apart:
                    decoding = _for_sequence(index, self.decode, lattice)
                else:
                    prepared = self._prepare(lattice)
                    decoding = _for_sequence(
                        index, self._answer_to, answers, index, prepared, started, seconds
                    )
                found_labels = decoding.solution.labels
                labels[batch.offsets[index] : batch.offsets[index + 1]] = (
                    -1 if found_labels is None else found_labels
                )
                scores[index], statuses[index] = decoding.score, decoding.status
        return ArrayDecodings(labels, batch.offsets, scores, statuses, self.labels)

    # --- rules and scores together ------------------------------------------------------------------------

    def bind(
        self, length: int, tokens: Sequence[Any] | None = None, context: Mapping[str, Any] | None = None
    ) -> BoundRules:
        """The rules tied to one sequence, for `tie`: token tests and context are looked at here, once.

        Examples
        --------
        >>> import lawful
        >>> decoder = lawful.Decoder(lawful.at_most(1, "A").soft(1.0), labels=["A", "B"])
        >>> rules = decoder.bind(2)
        >>> lattice = lawful.Lattice([[2.0, 0.0], [3.0, 0.0]], labels=["A", "B"])
        >>> [decoder.decode(decoder.tie(lattice, rules.at_prices([price]))).labels for price in (1.0, 9.0)]
        [('A', 'A'), ('B', 'A')]
        """
        return bind(self._compiled, length, tokens, context or {})

    def tie(self, lattice: AnyLattice, rules: BoundRules) -> Prepared:
        """A lattice with rules that are already tied to its tokens: those of `bind`, perhaps at other prices.

        What learns decodes the same tokens again and again under other scores and prices. The result goes to
        `decode`, or in a list to `decode_batch`.
        """
        labels = getattr(lattice, "labels", None)
        if labels is not self.labels and labels != self.labels:
            require_lattice(lattice)
            raise LabelSetError(self.labels, lattice.labels)
        if (
            not isinstance(lattice, ChainLattice)
            or self.solver != "auto"
            or not goes_to_engine(lattice, rules)
        ):
            return Prepared(lattice, rules, None)
        return Prepared(lattice, rules, rules.problem(lattice))

    def _prepare(self, lattice: AnyLattice) -> Prepared:
        try:
            rules = bind(self._compiled, lattice.length, lattice.tokens, lattice.context)
        except AttributeError:
            require_lattice(lattice)
            raise
        return self.tie(lattice, rules)

    @property
    def compiled(self) -> CompiledRules:
        """The rules, compiled for the label set: for those who count violations without decoding."""
        return self._compiled

    @property
    def _at_once(self) -> bool:
        """Whether the core can tie the rules to many sequences at once, and decode them."""
        compiled = self._compiled
        return compiled.binder is not None and self.solver == "auto" and compiled.largest < CROWDED

    def _problem(self, lattice: AnyLattice | Prepared) -> Problem:
        """What solvers are given."""
        prepared = lattice if isinstance(lattice, Prepared) else self._prepare(lattice)
        return Problem(prepared.lattice, prepared.rules, self._limits)

    # --- limits, contradictions and losses ----------------------------------------------------------------

    def _settled(self, decoding: Decoding, started: float, sequences: int = 1) -> Decoding:
        """The answer after all that the options say about contradictions and losses.

        What that takes stays within what is left of the limits of the call. How long one sequence of a batch took is not
        known: it may take `timeout` once more, as long as the batch takes no longer than its sequences one by one.
        """
        options = self.options
        if decoding.status == "infeasible":
            if options.max_loss is not None and self.rules:
                return self._exceeded(decoding, math.inf)
            limits = self._limits.started(self._latest_start(started, sequences)).after(decoding.states)
            problem = Problem(decoding.lattice, decoding.bound_rules, limits)
            if options.on_infeasible == "raise":
                raise name_contradiction(problem, decoding.solution)
            return self._replaced(decoding, least_bad(problem))
        if (
            options.max_loss is not None
            and decoding.solution.labels is not None
            and decoding.loss > options.max_loss
        ):
            return self._exceeded(decoding, decoding.loss)
        return decoding

    def _latest_start(self, started: float, sequences: int) -> float:
        """When the clock of one sequence of a batch may be said to have started."""
        return min(time.perf_counter(), started + (sequences - 1) * (self._limits.timeout or 0.0))

    def _exceeded(self, decoding: Decoding, loss: float) -> Decoding:
        plain = decoding.plain  # a lattice without a path of its own is no loss, and raises here
        if self.options.on_exceed == "raise":
            raise LossError(loss, self.options.max_loss or 0.0)
        why = f"obeying the rules costs {loss:g}, more than max_loss={self.options.max_loss:g}: the rule-free answer"
        solution = replace(plain.solution, why=why, rounds=decoding.rounds)
        return self._replaced(decoding, solution, fell_back=True)

    def _replaced(self, decoding: Decoding, solution: Solution, *, fell_back: bool = False) -> Decoding:
        replaced = Decoding(
            decoding.lattice,
            decoding.bound_rules,
            lambda: solution,
            partial(decode_plain, decoding.lattice),
            solver=decoding.solver,
            seconds=decoding.seconds,
            fell_back=fell_back,
        )
        if "plain" in vars(decoding):  # it is known already
            replaced.plain = decoding.plain
        return replaced


def _given(solution: Solution) -> Solution:
    return solution


def decode_plain(lattice: AnyLattice) -> Decoding:
    """The rule-free answer."""
    return _plain_decoder(lattice.labels).decode(lattice)


@lru_cache(maxsize=32)
def _plain_decoder(labels: LabelSet) -> Decoder:
    return Decoder(labels=labels)


def _decoder_again(kind: type[Decoder], rules: Rules, options: dict[str, Any]) -> Decoder:
    return kind(rules, **options)


def warn_about_prices(tagger: object, rules: Rules, *, stacklevel: int = 2) -> None:
    """Warn that prices of rules mean nothing beside scores that are no log-probabilities, unless they were learned with them."""
    priced = any(isinstance(rule.price, float) and rule.price > 0 for rule in rules)
    if priced and rules != getattr(tagger, "rules_", None):
        warn_if_uncalibrated(tagger, stacklevel=stacklevel + 1)


def _labels_of(labels: LabelSet | Iterable[str] | None, tagger: Tagger | None) -> LabelSet:
    """The labels that were given, or else the tagger's."""
    if tagger is not None:
        require_tagger(tagger)
    if labels is None:
        if tagger is None:
            raise InputError("a decoder needs labels=..., or a tagger=... that has them")
        return tagger.labels
    return labels if isinstance(labels, LabelSet) else LabelSet(labels)


def _for_sequence(index: int, work: Callable[..., Any], *arguments: Any) -> Any:
    """Does the work; an error about one sequence of a batch says which."""
    try:
        return work(*arguments)
    except SearchError as error:
        raise error.in_sequence(index) from None
    except InputError as error:
        error.add_note(f"in sequence {index + 1} of the batch")
        raise
