"""What labellings that a model draws break, and what the right ones break: all that fitting prices needs to know."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from lawful.decoding import Decoder
from lawful.decoding.answers.plain_draws import draws_without_graph
from lawful.labels import LabelSet
from lawful.lattice import AnyLattice
from lawful.lattice.arrays import Floats
from lawful.learning.gold import Labelled
from lawful.learning.prices.box_search import lowest_in_box
from lawful.rules.compiled_rules import CompiledRules
from lawful.rules.counting_many import count_many
from lawful.rules.ruleset import Rules
from lawful.support.numbers import check_seed

__all__ = ["DrawnLabellings", "bounds_of"]

IMPOSSIBLE = 1e-300  # the probability of a right labelling that the model all but excludes


class DrawnLabellings:
    """Labellings drawn from a model for sequences whose labels are known, as violations of rules.

    The model's probability of a labelling under prices is proportional to exp(score - prices . violations). With labellings drawn
    from the model itself, the sum over all labellings becomes a mean over those drawn: the likelihood of the right labels is
    a concave function of the prices that needs nothing but counts.

    Parameters
    ----------
    rules : Rules
        With prices. A labelling that breaks a hard rule is impossible, unless the right one breaks it too.
    samples : int
        How many labellings are drawn for each sequence.
    seed : int

    Examples
    --------
    >>> import math
    >>> import lawful
    >>> from lawful.learning.gold import labelled_sequences
    >>> rules = lawful.Rules(lawful.at_most(1, "A").soft(9.0))
    >>> drawn = DrawnLabellings(rules, samples=2000)
    >>> lattice = lawful.Lattice([[0.0, 0.0]] * 2, labels=["A", "B"])
    >>> drawn.add([lattice] * 8, labelled_sequences([(["x", "y"], ["A", "B"])] * 7 + [(["x", "y"], ["A", "A"])]))
    >>> [price] = drawn.fit(penalty=0.0)
    >>> abs(price - math.log(7 / 3)) < 0.05  # 7 : 1, for three labellings against one that scores the same
    True
    """

    def __init__(self, rules: Rules, *, samples: int = 50, seed: int = 0) -> None:
        self.rules, self.samples = rules, samples
        self._rng = np.random.default_rng(check_seed("seed", seed))
        self._once = np.array([rule.per == "sequence" for rule in rules], dtype=np.bool_)
        self._compiled: CompiledRules | None = None
        # Of each sequence: violations (rows, rules) against those of the right labelling, and the mass of each row.
        self._differences: list[Floats] = []
        self._weights: list[Floats] = []

    def __len__(self) -> int:
        return len(self._weights)

    def compiled_for(self, labels: LabelSet) -> CompiledRules:
        """The rules as they are counted for lattices with these labels; compiled anew only if the latest had others."""
        if self._compiled is None or self._compiled.labels != labels:
            self._compiled = CompiledRules(self.rules, labels)
        return self._compiled

    def add(self, lattices: Iterable[AnyLattice], gold: Sequence[Labelled]) -> None:
        """Draw for some sequences; one whose right labels the model does not know adds nothing."""
        pairs = zip(lattices, gold, strict=True)
        for labels, alike in groupby(pairs, key=lambda pair: pair[0].labels):
            model = Decoder(labels=labels)
            self._count([self._draw(model, *pair) for pair in alike], self.compiled_for(labels))

    def _draw(self, model: Decoder, lattice: AnyLattice, sequence: Labelled) -> _Drawn:
        labels = lattice.labels
        if not set(sequence.labels) <= set(labels):
            return _Drawn(sequence, [], np.ones(1))
        draws = draws_without_graph(lattice) or model.marginals(lattice)
        right = np.array(labels.encode(sequence.labels), dtype=np.int32).tobytes()
        sure = draws.confidence(sequence.labels)
        width = len(right)
        drawn = draws.sample_array(self.samples, seed=self._rng).tobytes()
        others = Counter(drawn[start : start + width] for start in range(0, len(drawn), width))
        others.pop(right, None)
        mass = np.array(list(others.values()), dtype=np.float64)
        weights = np.append(sure, mass * ((1.0 - sure) / max(1.0, mass.sum())))
        return _Drawn(sequence, [right, *others], weights)

    def _count(self, drawn: Sequence[_Drawn], compiled: CompiledRules) -> None:
        """Keep what the labellings break, those of all sequences counted at once."""
        rows = np.array([len(each.paths) for each in drawn], dtype=np.int64)
        counts = count_many(
            compiled,
            [each.sequence.tokens for each in drawn],
            [each.sequence.context for each in drawn],
            np.array([len(each.sequence.labels) for each in drawn], dtype=np.int64),
            np.frombuffer(b"".join([path for each in drawn for path in each.paths]), dtype=np.int32),
            rows,
        )
        broken = np.flatnonzero(counts.any(axis=0))  # most rules are kept, whatever is drawn
        few = counts[:, broken]
        few = np.where(self._once[broken], np.minimum(few, 1), few)
        for each, first, last in zip(drawn, np.cumsum(rows) - rows, np.cumsum(rows), strict=True):
            of_sequence = few[first:last] if each.paths else np.zeros((1, len(broken)), dtype=np.int64)
            self._keep(of_sequence - of_sequence[0], each.weights, broken)

    def fit(
        self,
        *,
        penalty: float = 0.5,
        which: npt.NDArray[np.bool_] | None = None,
        only: Mapping[int, float] | None = None,
        start: Mapping[int, float] | None = None,
    ) -> list[float]:
        """The prices of the soft rules under which the right labels are likeliest, each between 0 and the price that it has.

        Parameters
        ----------
        penalty : float
            So many violations more than the right labellings must the drawn ones have before a rule costs anything.
        which : array (sequences,) of bool, optional
            Look at these only.
        only : mapping, optional
            These rules only, by index, as if there were no others; and the most that each may cost, infinity for a hard one.
        start : mapping, optional
            Prices that are nearly right, by index, which saves time.
        """
        if only is None:
            only = bounds_of(self.rules)
        hard = [index for index, price in only.items() if math.isinf(price)]
        soft = [index for index, price in only.items() if not math.isinf(price)]
        most = np.array([only[index] for index in soft])
        indices = np.arange(len(self)) if which is None else np.flatnonzero(which)
        if not len(most) or not len(indices):
            return [float(price) for price in most]
        counts = np.concatenate([self._differences[index] for index in indices])
        legal = ~(counts[:, hard] > 0).any(
            axis=1
        )  # the right labellings are: they differ from themselves in nothing
        rows = np.ascontiguousarray(counts[legal][:, soft])
        weights = np.log(np.concatenate([self._weights[index] for index in indices])[legal])
        owner = np.repeat(np.arange(len(indices)), [len(self._weights[index]) for index in indices])[legal]
        starts = np.flatnonzero(np.diff(owner, prepend=-1))

        def surprise(prices: Floats) -> tuple[float, Floats]:
            scores = weights - rows @ prices
            best = np.maximum.reduceat(scores, starts)
            shares = np.exp(scores - best[owner])
            sums = np.add.reduceat(shares, starts)
            value = float((np.log(sums) + best).sum() + penalty * prices.sum())
            return value, penalty - (shares / sums[owner]) @ rows

        near = None if start is None else np.array([start[index] for index in soft])
        return [float(price) for price in lowest_in_box(surprise, most, start=near)]

    def _keep(
        self, differences: npt.NDArray[np.int64], weights: Floats, rules: npt.NDArray[np.int64]
    ) -> None:
        """Each pattern of violations of some rules once, sorted; no other rule makes a difference."""
        differ = np.flatnonzero(differences.any(axis=0))
        patterns = np.ascontiguousarray(differences[:, differ])
        order = np.lexsort(patterns.T[::-1]) if len(differ) else np.arange(len(patterns))
        ordered = patterns[order]
        first = np.ones(len(order), dtype=np.bool_)
        first[1:] = (ordered[1:] != ordered[:-1]).any(axis=1)
        pattern = np.empty(len(order), dtype=np.int64)
        pattern[order] = np.cumsum(first) - 1
        kept = np.zeros((int(first.sum()), len(self.rules)))
        kept[:, rules[differ]] = ordered[first]
        self._differences.append(kept)
        self._weights.append(np.maximum(np.bincount(pattern, weights), IMPOSSIBLE))


class _Drawn(NamedTuple):
    """Labellings of one sequence as numbers, the right one first, and the mass of each; none if the model cannot know it."""

    sequence: Labelled
    paths: list[bytes]
    weights: Floats


def bounds_of(rules: Rules) -> dict[int, float]:
    """By its index, the most that each rule may cost: the price that it has.

    Examples
    --------
    >>> import lawful
    >>> bounds_of(lawful.Rules(lawful.forbid("A"), lawful.forbid("B").soft(2.0)))
    {0: inf, 1: 2.0}
    """
    return {
        index: math.inf if rule.price == "hard" else float(rule.price) for index, rule in enumerate(rules)
    }
