"""Training algorithms: L-BFGS and OWL-QN, the averaged perceptron, stochastic gradient descent.

Each algorithm is an iterator of one iteration per step, so that the caller can watch, save and stop.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from time import perf_counter
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from lawful import _core
from lawful.errors import InputError
from lawful.lattice.arrays import Floats
from lawful.models.linear.progress import Progress
from lawful.support.numbers import check_count, check_number, check_seed

__all__ = ["ALGORITHMS", "TRIALS", "Lbfgs", "Task", "Trainer", "TrainingOptions"]

TRIALS = 20  # most trials of a line search
PERIOD = 10  # iterations over which the improvement is measured, as in CRFsuite
CALIBRATION = 1000  # sequences on which SGD tries first steps


@dataclass(frozen=True)
class Task:
    """What to learn: features, the corpus, its labels, and the weights to start from."""

    layout: _core.LinearLayout
    data: _core.LinearSequences
    pairs: _core.LinearSequences | None
    gold: npt.NDArray[np.int32]
    observed: Floats
    weights: Floats
    sequences: int


@dataclass(frozen=True)
class TrainingOptions:
    """How to learn it: penalties, when to stop, threads, the seed of the order of sequences."""

    c1: float
    c2: float
    max_iterations: int | None
    tolerance: float
    memory: int
    threads: int
    seed: int | None

    @classmethod
    def checked(
        cls,
        algorithm: str,
        *,
        c1: float,
        c2: float,
        max_iterations: int | None,
        tolerance: float,
        memory: int,
        threads: int,
        seed: int | None,
    ) -> TrainingOptions:
        """These options for an algorithm; values out of range are refused.

        Examples
        --------
        >>> TrainingOptions.checked(
        ...     "newton", c1=0.0, c2=1.0, max_iterations=None, tolerance=1e-5, memory=6, threads=1, seed=0
        ... )
        Traceback (most recent call last):
        lawful.errors.InputError: algorithm must be one of averaged_perceptron, lbfgs, sgd, got 'newton'
        """
        if algorithm not in ALGORITHMS:
            raise InputError(f"algorithm must be one of {', '.join(ALGORITHMS)}, got {algorithm!r}")
        check_number("c1", c1)
        check_number("c2", c2)
        check_number("tolerance", tolerance)
        if c1 and algorithm != "lbfgs":
            raise InputError(f"c1 > 0 is for algorithm='lbfgs', not for {algorithm!r}")
        if max_iterations is not None:
            check_count("max_iterations", max_iterations, least=1)
        check_count("memory", memory, least=1)
        check_seed("seed", seed)
        return cls(c1, c2, max_iterations, tolerance, memory, threads, seed)


class Trainer:
    """An algorithm at work; `weights` is the result so far."""

    name: ClassVar[str]

    def __init__(self, task: Task, options: TrainingOptions) -> None:
        self.task, self.options = task, options
        self.best = task.weights
        self.began = perf_counter()

    @property
    def weights(self) -> Floats:
        """The result so far."""
        return self.best

    def run(self) -> Iterator[Progress]:
        """One iteration per step, until convergence or `max_iterations`."""
        raise NotImplementedError

    def progress(
        self,
        iteration: int,
        objective: float,
        *,
        gradient_norm: float | None = None,
        weight_norm: float | None = None,
        passes: int = 1,
    ) -> Progress:
        """The report of an iteration."""
        return Progress(
            algorithm=self.name,
            iteration=iteration,
            objective=objective,
            gradient_norm=gradient_norm,
            weight_norm=float(np.linalg.norm(self.weights)) if weight_norm is None else weight_norm,
            seconds=perf_counter() - self.began,
            passes=passes,
        )

    def iterations(self, default: int) -> range:
        """1, 2, ... up to `max_iterations`."""
        most = self.options.max_iterations
        return range(1, (default if most is None else most) + 1)


class Lbfgs(Trainer):
    """L-BFGS on the likelihood with a squared penalty; OWL-QN if there is an absolute penalty too."""

    name = "lbfgs"
    _batch: _core.LinearBatch | _core.SemiBatch | None = None

    def _make_batch(self) -> _core.LinearBatch | _core.SemiBatch:
        task, options = self.task, self.options
        return _core.LinearBatch(
            task.layout,
            task.data,
            task.pairs,
            task.observed,
            task.weights,
            c1=options.c1,
            c2=options.c2,
            memory=options.memory,
            most_trials=TRIALS,
            threads=options.threads,
        )

    def run(self) -> Iterator[Progress]:
        """The start is iteration 0. Stops as CRFsuite does: by the norm of the gradient, or the improvement over ten iterations."""
        options = self.options
        batch = self._batch = self._make_batch()
        report = batch.started
        values = [report.objective]
        yield self._progress_of(0, report)
        for iteration in self.iterations(2**31):
            if report.gradient_norm <= options.tolerance * max(1.0, report.weight_norm):
                break
            report = batch.step()
            values.append(report.objective)
            yield self._progress_of(iteration, report)
            if not report.improved:
                break
            if iteration > PERIOD and values[-1 - PERIOD] - values[-1] < options.tolerance * abs(values[-1]):
                break

    def _progress_of(self, iteration: int, report: _core.LbfgsStep) -> Progress:
        return self.progress(
            iteration,
            report.objective,
            gradient_norm=report.gradient_norm,
            weight_norm=report.weight_norm,
            passes=report.trials,
        )

    @property
    def weights(self) -> Floats:
        """The current weights, from the batch."""
        return self.task.weights if self._batch is None else self._batch.weights


class AveragedPerceptron(Trainer):
    """Collins's averaged perceptron; sequences come in a new random order in every epoch."""

    name = "averaged_perceptron"

    def run(self) -> Iterator[Progress]:
        """Stops when no more than the share `tolerance` of labels was wrong in an epoch."""
        task = self.task
        perceptron = _core.StructuredPerceptron(task.layout, task.data, task.pairs, task.gold, task.weights)
        rng = np.random.default_rng(self.options.seed)
        for epoch in self.iterations(30):
            wrong = perceptron.epoch(rng.permutation(task.sequences))
            self.best = perceptron.weights
            yield self.progress(epoch, wrong)
            if wrong <= self.options.tolerance:
                break


class Sgd(Trainer):
    """Stochastic gradient descent with the steps of Pegasos, 1 / (lambda (t0 + t)) where lambda = 2 c2 / N.

    The first step is calibrated (Bottou): one epoch per trial over a sample, doubled or halved while that helps. This is
    CRFsuite's `l2sgd`, except that trials are compared by the objective after the epoch.
    """

    name = "sgd"

    def run(self) -> Iterator[Progress]:
        """Keeps the weights of the best epoch; stops when ten epochs improved too little."""
        task, options = self.task, self.options
        if options.c2 <= 0:
            raise InputError("algorithm='sgd' needs c2 > 0: its steps are 1 / (2 c2 t)")
        rng = np.random.default_rng(options.seed)
        descent = _core.LinearDescent(
            task.layout, task.data, task.pairs, task.gold, task.weights, 2 * options.c2 / task.sequences
        )
        descent.set_first_step(self._calibrated(descent, rng))
        descent.reset(task.weights)
        best, values = np.inf, []
        for epoch in self.iterations(1000):
            loss = descent.epoch(rng.permutation(task.sequences))
            weights = descent.weights
            values.append(loss + options.c2 * float(weights @ weights))
            if values[-1] < best:
                best, self.best = values[-1], weights
            yield self.progress(epoch, values[-1], weight_norm=float(np.linalg.norm(weights)))
            # One epoch may be worse than the last, so only a whole period tells whether it still improves.
            if epoch > PERIOD and values[-1 - PERIOD] - values[-1] < options.tolerance * abs(values[-1]):
                break

    def _calibrated(self, descent: _core.LinearDescent, rng: np.random.Generator) -> float:
        sample = rng.permutation(self.task.sequences)[:CALIBRATION]
        share = len(sample) / self.task.sequences

        def after(step: float) -> float:
            descent.reset(self.task.weights)
            descent.set_first_step(step)
            descent.epoch(sample)
            weights = descent.weights
            value = descent.loss(sample) + share * self.options.c2 * float(weights @ weights)
            return value if np.isfinite(value) else np.inf  # a step so large that weights overflow

        step = 0.1
        value = after(step)
        for factor in (2.0, 0.5):
            start = step
            while 1e-6 < step * factor < 1e6 and (tried := after(step * factor)) < value:
                step, value = step * factor, tried
            if step != start:
                break
        return step


ALGORITHMS: dict[str, type[Trainer]] = {trainer.name: trainer for trainer in (AveragedPerceptron, Lbfgs, Sgd)}
