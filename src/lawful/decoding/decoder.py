"""Compile rules once, decode many lattices."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import cached_property, partial
from typing import Any, cast

import numpy as np

from lawful import _core
from lawful.decoding.answers.many import ManyAnswers
from lawful.decoding.infeasible import (
    counted_hard_rules,
    least_bad_score,
    name_contradiction,
    price_above_everything,
)
from lawful.decoding.judge import judge
from lawful.decoding.options import OnExceed, OnInfeasible, OnLimit, Options, require_known_options
from lawful.decoding.predicting import Predicting, labels_of
from lawful.decoding.prepared import Prepared, PreparedBatch
from lawful.decoding.result import Decoding, Decodings
from lawful.errors import InfeasibleError, InputError, LabelSetError, LimitError, LossError
from lawful.labels import LabelSet
from lawful.lattice import GraphLattice, Lattice, Tagger
from lawful.rules.compiled_rules import CompiledRules
from lawful.rules.rule import Rule
from lawful.rules.ruleset import Rules
from lawful.solvers.choice import CROWDED, crowded, solver_named
from lawful.solvers.engine import core_limits, read_answer
from lawful.solvers.solution import Problem, Solution
from lawful.support.threads import thread_count

__all__ = ["Decoder"]


class Decoder(Predicting, ManyAnswers):
    """Finds the best labels of lattices under rules. Compiles once; safe to use from many threads.

    Parameters
    ----------
    rules : Rules, a rule, or an iterable of rules
    labels : LabelSet or iterable of str
        The labels of the lattices to come; the tagger's if not given.
    tagger : Tagger, optional
        What scores tokens for `predict` and `decode_tokens`.
    solver : str
        "auto", or one of the others by name: "viterbi", "brute_force", "relaxation", "branch_and_bound", "a_star",
        "beam", "dual", "ilp".
    max_states, timeout, max_memory : number, optional
        What the search for one sequence may use: lattice states, seconds, bytes.
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
        rules: Rules | Rule | Iterable[Rule] = (),
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
        **solver_options: Any,
    ) -> None:
        self.labels = labels_of(labels, tagger)
        self.tagger = tagger
        self.rules = rules if isinstance(rules, Rules) else Rules(rules)
        self.solver = solver
        self.options = Options(
            max_states=max_states,
            timeout=timeout,
            max_memory=max_memory,
            on_limit=on_limit,
            on_infeasible=on_infeasible,
            max_loss=max_loss,
            on_exceed=on_exceed,
        )
        self._solve = solver_named(solver, solver_options)
        if solver_options:
            require_known_options(solver, solver_options)
        self._compiled = CompiledRules(self.rules, self.labels)
        self._core_limits = core_limits(self.options.limits)
        self._lenient: dict[float, Decoder] = {}

    # --- one sequence -------------------------------------------------------------------------------------

    def decode(self, lattice: Lattice | GraphLattice | Prepared) -> Decoding:
        """The best labels of one lattice."""
        started = time.perf_counter()
        if self.solver != "auto" or isinstance(lattice, GraphLattice):
            return self._decode_by_solver(_lattice_of(lattice), started)
        prepared = lattice if isinstance(lattice, Prepared) else self._prepare(lattice)
        if self._compiled.largest >= CROWDED and self._is_crowded(prepared):
            return self._decode_by_solver(prepared.lattice, started)
        answers = _core.decode(prepared.core, self._core_limits)
        decoding = self._decoding(answers, 0, prepared, time.perf_counter() - started)
        return decoding if answers.all_optimal and self.options.max_loss is None else self._settled(decoding)

    def _decode_by_solver(self, lattice: Lattice | GraphLattice, started: float) -> Decoding:
        solution = self._solve(self._problem(lattice))
        judge(lattice, self.rules, solution)  # the compiled engine brings its own
        seconds = time.perf_counter() - started
        found = Decoding(
            lattice,
            self.rules,
            lambda: solution,
            partial(self._plain, lattice),
            solver=self.solver,
            seconds=seconds,
        )
        return self._settled(found)

    def _decoding(self, answers: _core.Answers, place: int, prepared: Prepared, seconds: float) -> Decoding:
        return Decoding(
            prepared.lattice,
            self.rules,
            partial(read_answer, answers, place, self.options.limits),
            partial(self._plain, prepared.lattice),
            solver="auto",
            seconds=seconds,
        )

    # --- many sequences -----------------------------------------------------------------------------------

    def prepare(self, lattices: Iterable[Lattice | Prepared]) -> PreparedBatch:
        """Tie the rules to lattices beforehand: token tests and context are looked at here, once."""
        return PreparedBatch(
            one if isinstance(one, Prepared) else _for_sequence(place, self._prepare, one)
            for place, one in enumerate(lattices)
        )

    def decode_batch(
        self, lattices: Iterable[Lattice | GraphLattice | Prepared], *, jobs: int | None = None
    ) -> Decodings:
        """The best labels of many lattices, of any lengths, in one call of the core.

        Parameters
        ----------
        lattices : iterable of lattices, or what `prepare` gave
        jobs : int, optional
            Threads; all cores if not given.
        """
        threads = thread_count(jobs)
        started = time.perf_counter()
        if not isinstance(lattices, PreparedBatch):
            given = list(lattices)
            if self.solver != "auto" or any(isinstance(one, GraphLattice) for one in given):
                return self._decode_in_turn(given, started)
            lattices = self.prepare(cast("list[Lattice | Prepared]", given))
        elif self.solver != "auto":
            return self._decode_in_turn(lattices, started)
        prepared = lattices
        if self._compiled.largest >= CROWDED and any(map(self._is_crowded, prepared)):
            return self._decode_in_turn(prepared, started)
        answers = _core.decode_batch(prepared.cores, self._core_limits, threads)
        seconds = time.perf_counter() - started

        def make(place: int) -> Decoding:
            return self._decoding(answers, place, prepared[place], seconds)

        if answers.all_optimal and self.options.max_loss is None:
            labels = partial(answers.name_labels, tuple(self.labels))
            return Decodings(make, answers.scores, seconds, optimal=labels)
        settled = [_for_sequence(place, self._settled_at, make, place) for place in range(len(prepared))]
        scores = np.array([one.score for one in settled], dtype=np.float64)
        return Decodings(settled.__getitem__, scores, seconds)

    def _decode_in_turn(
        self, lattices: Sequence[Lattice | GraphLattice | Prepared], started: float
    ) -> Decodings:
        found = [_for_sequence(place, self.decode, one) for place, one in enumerate(lattices)]
        scores = np.array([one.score for one in found], dtype=np.float64)
        return Decodings(found.__getitem__, scores, time.perf_counter() - started)

    # --- what is behind both ------------------------------------------------------------------------------

    def _prepare(self, lattice: Lattice) -> Prepared:
        if lattice.labels is not self.labels and lattice.labels != self.labels:
            raise LabelSetError(self.labels, lattice.labels)
        binding = self._compiled.bind(lattice.length, lattice.tokens, lattice.context)
        return Prepared(lattice, binding, _core.Problem(lattice.core, self._compiled.common, binding))

    def _is_crowded(self, prepared: Prepared) -> bool:
        """Whether `auto` has something better than the engine."""
        parts = self._compiled.common_parts + prepared.binding.parts
        return bool(crowded(parts, prepared.lattice.length))

    def _problem(self, lattice: Lattice | GraphLattice) -> Problem:
        """The same for the solvers that are written in Python."""
        if lattice.labels != self.labels:
            raise LabelSetError(self.labels, lattice.labels)
        common = self._compiled.common_parts
        binding = self._compiled.bind(lattice.length, lattice.tokens, lattice.context)
        kinds = (None,) * len(common) + binding.kinds
        return Problem(
            lattice, common + binding.parts, kinds, self.rules.names, self.options.limits, tuple(self.rules)
        )

    def _settled_at(self, make: Callable[[int], Decoding], place: int) -> Decoding:
        return self._settled(make(place))

    def _settled(self, found: Decoding) -> Decoding:
        """The answer after all that the options say about limits, contradictions and losses."""
        options = self.options
        if found.status == "infeasible":
            if options.max_loss is not None:
                return self._exceeded(found, math.inf)
            if options.on_infeasible == "raise":
                raise name_contradiction(self._problem(found.lattice))
            return self._least_bad(found)
        if (
            options.max_loss is not None
            and found.solution.labels is not None
            and found.loss > options.max_loss
        ):
            return self._exceeded(found, found.loss)
        return found

    def _exceeded(self, found: Decoding, loss: float) -> Decoding:
        if self.options.on_exceed == "raise":
            raise LossError(loss, self.options.max_loss or 0.0)
        plain = found.plain
        why = f"obeying the rules costs {loss:g}, more than max_loss={self.options.max_loss:g}: the rule-free answer"
        solution = replace(plain.solution, why=why, rounds=found.rounds)
        return self._replaced(found, solution, fell_back=True)

    def _least_bad(self, found: Decoding) -> Decoding:
        lattice = found.lattice
        price = price_above_everything(self._problem(lattice))
        if price not in self._lenient:
            self._lenient[price] = Decoder(counted_hard_rules(self.rules, price), labels=self.labels)
        relaxed = self._lenient[price].decode(lattice)
        if relaxed.solution.labels is None:  # the lattice itself has no path
            raise InfeasibleError((), None)
        return self._replaced(found, least_bad_score(lattice, self.rules, relaxed.solution))

    def _replaced(self, found: Decoding, solution: Solution, *, fell_back: bool = False) -> Decoding:
        return Decoding(
            found.lattice,
            self.rules,
            lambda: solution,
            lambda: found.plain,
            solver=found.solver,
            seconds=found.seconds,
            fell_back=fell_back,
        )

    def _plain(self, lattice: Lattice | GraphLattice) -> Decoding:
        return self._without_rules.decode(lattice)

    @cached_property
    def _without_rules(self) -> Decoder:
        return self if not self.rules else Decoder(labels=self.labels)


def _lattice_of(given: Lattice | GraphLattice | Prepared) -> Lattice | GraphLattice:
    return given.lattice if isinstance(given, Prepared) else given


def _for_sequence(place: int, work: Callable[..., Any], *given: Any) -> Any:
    """Does the work; an error about one sequence of a batch says which."""
    try:
        return work(*given)
    except InfeasibleError as error:
        raise InfeasibleError(error.rules, error.position, sequence=place) from None
    except LimitError as error:
        raise LimitError(error.limit, error.value, sequence=place) from None
    except InputError as error:
        error.add_note(f"in sequence {place} of the batch")
        raise
