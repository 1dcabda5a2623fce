"""What a decoder can say beyond the best answer: runners-up, probabilities, samples, and how many are legal."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import islice
from typing import TYPE_CHECKING

import numpy as np

from lawful.decoding.answers.levels import LARGE
from lawful.decoding.answers.marginals import Marginals, distribution_of
from lawful.decoding.answers.product import ProductBuilder
from lawful.decoding.answers.ranking import Scored, ranked
from lawful.decoding.contradictions.infeasible import name_contradiction
from lawful.errors import ProbabilityError
from lawful.lattice import AnyLattice
from lawful.solvers.problem import Problem
from lawful.support.numbers import check_count

if TYPE_CHECKING:
    from lawful.decoding.prepared import Prepared

__all__ = ["ManyAnswers"]


class ManyAnswers:
    """The methods of `Decoder` that look at all label sequences, not just at the best.

    They build the product of the lattice and all rules, so they need more memory than decoding does. It may have
    5,000,000 states and take 1 GiB, or what the decoder's `max_states`, `max_memory` and `timeout` say; beyond that
    they raise `ProductTooLargeError`. Contradictions, losses and `on_limit` concern decoding only.
    """

    def _problem(self, lattice: AnyLattice | Prepared) -> Problem:
        raise NotImplementedError

    def iterate_best(self, lattice: AnyLattice | Prepared) -> Iterator[Scored]:
        """The label sequences that obey the hard rules, best first, each once; searched for as they are asked for.

        Examples
        --------
        >>> import lawful
        >>> decoder = lawful.Decoder(lawful.at_most(1, "B"), labels=["A", "B"])
        >>> best = decoder.iterate_best(lawful.Lattice([[0.0, 1.0], [0.0, 2.0]], labels=["A", "B"]))
        >>> next(best), next(best)
        (Scored(labels=('A', 'B'), score=2.0), Scored(labels=('B', 'A'), score=1.0))
        """
        return ranked(self._problem(lattice))

    def nbest(self, lattice: AnyLattice | Prepared, n: int = 5) -> list[Scored]:
        """The n best label sequences that obey the hard rules, best first; fewer if there are fewer.

        Examples
        --------
        >>> import lawful
        >>> decoder = lawful.Decoder(lawful.at_most(1, "B"), labels=["A", "B"])
        >>> [answer.score for answer in decoder.nbest(lawful.Lattice([[0.0, 1.0], [0.0, 2.0]], labels=["A", "B"]))]
        [2.0, 1.0, 0.0]
        """
        most = check_count("n", n)
        problem = self._problem(lattice)
        limits = problem.limits.started()  # for all of them together, however little each one takes
        answers: list[Scored] = []
        for answer in islice(ranked(problem), most):
            answers.append(answer)
            limits.require_rest()
        return answers

    def log_partition(self, lattice: AnyLattice | Prepared) -> float:
        """The log of the sum of exp(score) over all label sequences that obey the hard rules; -inf if none does.

        Examples
        --------
        >>> import lawful
        >>> decoder = lawful.Decoder(lawful.at_most(1, "B"), labels=["A", "B"])
        >>> round(decoder.log_partition(lawful.Lattice([[0.0, 0.0], [0.0, 0.0]], labels=["A", "B"])), 6)
        1.098612
        """
        distribution, lost = distribution_of(self._problem(lattice))
        return float("-inf") if distribution is None else distribution.log_partition + lost

    def marginals(self, lattice: AnyLattice | Prepared) -> Marginals:
        """The probabilities of labels, spans, segments and labellings. Raises `InfeasibleError` if nothing is legal.

        Examples
        --------
        >>> import lawful
        >>> decoder = lawful.Decoder(lawful.at_most(1, "B"), labels=["A", "B"])
        >>> marginals = decoder.marginals(lawful.Lattice([[0.0, 0.0], [0.0, 0.0]], labels=["A", "B"]))
        >>> round(marginals.confidence(["A", "B"]), 6)
        0.333333
        """
        return self._marginals(self._started(lattice))

    def _started(self, lattice: AnyLattice | Prepared) -> Problem:
        problem = self._problem(lattice)
        return replace(problem, limits=problem.limits.started())

    def _marginals(self, problem: Problem) -> Marginals:
        distribution, lost = distribution_of(problem)
        if distribution is None:
            raise name_contradiction(problem)
        if abs(distribution.log_partition) > LARGE * (distribution.length + 1):
            raise ProbabilityError(distribution.log_partition + lost)
        return Marginals(problem, distribution, lost=lost)

    def sample(
        self,
        lattice: AnyLattice | Prepared,
        n: int = 1,
        *,
        seed: int | np.random.Generator | None = None,
    ) -> list[tuple[str, ...]]:
        """Random labellings, each with its probability under the rules. Raises `InfeasibleError` if nothing is legal.

        Examples
        --------
        >>> import lawful
        >>> decoder = lawful.Decoder(lawful.at_most(1, "B"), labels=["A", "B"])
        >>> decoder.sample(lawful.Lattice([[0.0, 0.0], [-1e9, 0.0]], labels=["A", "B"]), 2, seed=0)
        [('A', 'B'), ('A', 'B')]
        """
        problem = self._started(lattice)
        return self._marginals(problem).sample_within(problem.limits, n, seed)

    def count_legal(self, lattice: AnyLattice | Prepared) -> int:
        """How many label sequences the lattice and the hard rules allow: an exact whole number of any size.

        Examples
        --------
        >>> import lawful
        >>> decoder = lawful.Decoder(lawful.at_most(1, "B"), labels=["A", "B"])
        >>> decoder.count_legal(lawful.Lattice([[0.0, 0.0]] * 1000, labels=["A", "B"]))
        1001
        """
        builder = ProductBuilder(self._problem(lattice))
        graph = builder.deterministic(builder.build(hard_only=True), ignore_weights=True)
        return builder.count(graph)
