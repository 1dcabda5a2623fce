"""Rules tied once to the sequences of a corpus, and asked again and again under other scores and prices."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from lawful.decoding import Decoder
from lawful.errors import InputError
from lawful.labels import LabelSet
from lawful.lattice import AnyLattice, Lattice
from lawful.learning.prices.log_odds import Occasions, Tally, count_tallies
from lawful.rules.bound_rules import BoundRules
from lawful.rules.ruleset import Rules

__all__ = ["RuledCorpus"]

Ids = npt.NDArray[np.int32]


class RuledCorpus:
    """The sequences of a corpus with rules tied to them. Token tests and contexts are looked at once, here.

    All decoding goes through a `Decoder`, so that every answer is judged. Where hard rules contradict each other, the
    answer is the one that breaks them the fewest times.

    Parameters
    ----------
    rules : Rules
        A price of "learn" counts as 0 until `set_prices` gives another.
    labels : LabelSet
    sequences : sequence of token sequences
    contexts : sequence of mappings, optional
        What comes with each sequence by name, for rules that ask for it.
    name : str
        What the sequences are called in error messages.

    Attributes
    ----------
    prices : tuple of float
        The current price of each rule: infinity if it is hard, and as if it were not there at 0.
    bound : list of BoundRules
        The rules tied to each sequence.

    Examples
    --------
    >>> import lawful
    >>> labels = lawful.LabelSet(["A", "B"])
    >>> corpus = RuledCorpus(lawful.Rules(lawful.forbid("A").soft("learn", name="no A")), labels, [["x", "y"]])
    >>> lattice = lawful.Lattice([[1.0, 0.0], [3.0, 0.0]], labels=labels)
    >>> corpus.best(0, lattice).tolist()
    [0, 0]
    >>> corpus.set_prices([5.0])
    >>> corpus.best(0, lattice).tolist()
    [1, 1]
    >>> corpus.tally([["A", "A"]])
    {'no A': Tally(violations=2, occasions=2, broken=1, breakable=1, tokens=2, sequences=1)}
    """

    def __init__(
        self,
        rules: Rules,
        labels: LabelSet,
        sequences: Sequence[Sequence[Any]],
        contexts: Sequence[Mapping[str, Any]] | None = None,
        *,
        name: str = "the training data",
    ) -> None:
        self.rules, self.labels = rules, labels
        unpriced = [rule.soft(0.0, per=rule.per) if rule.price == "learn" else rule for rule in rules]
        self._decoder = Decoder(Rules(unpriced), labels=labels, on_infeasible="least_bad")
        self.bound: list[BoundRules] = []
        for number, tokens in enumerate(sequences):
            try:
                bound = self._decoder.bind(len(tokens), tokens, contexts[number] if contexts else None)
            except InputError as error:
                error.add_note(f"in sequence {number + 1} of {name}")
                raise
            self.bound.append(bound)
        self.prices = tuple(float("inf") if rule.price == "hard" else float(rule.price) for rule in unpriced)
        # The rules at the latest prices that each sequence was decoded with: prices often stay for a while.
        self._priced: list[tuple[tuple[float, ...], BoundRules] | None] = [None] * len(self.bound)

    def set_prices(self, prices: Sequence[float]) -> None:
        """Other prices, one for each rule. Nothing is compiled again."""
        self.prices = tuple(map(float, prices))

    def best(self, number: int, lattice: Lattice) -> Ids:
        """The label numbers (T,) of the best labelling of a sequence, scored by a lattice, at the current prices."""
        decoding = self._decoder.decode(self._decoder.tie(lattice, self._at_prices(number)))
        return np.array(decoding.solution.labels, dtype=np.int32)

    def best_of_all(
        self, lattices: Sequence[AnyLattice], *, jobs: int | None = None
    ) -> list[tuple[str, ...]]:
        """The best labels of every sequence, at the current prices."""
        tied = [self._decoder.tie(lattice, self._at_prices(n)) for n, lattice in enumerate(lattices)]
        return self._decoder.decode_batch(tied, jobs=jobs).labels

    def violations(self, labellings: Sequence[Sequence[str]]) -> dict[str, int]:
        """How often a labelling of each sequence breaks each rule, by its name: `tally` without what might have been."""
        counts = np.zeros(len(self.rules), dtype=np.int64)
        for bound, labels in zip(self.bound, labellings, strict=True):
            counts += bound.count(labels)
        return dict(zip(self.rules.names, counts.tolist(), strict=True))

    def tally(
        self,
        labellings: Sequence[Sequence[str]],
        *,
        ties: Iterable[Collection[str]] = (),
        occasions: Occasions = "breakable",
    ) -> dict[str, Tally]:
        """How often a labelling of each sequence breaks each rule, by its name; see `tally_violations`."""
        return count_tallies(self.rules, self.bound, labellings, ties=ties, occasions=occasions)

    def _at_prices(self, number: int) -> BoundRules:
        known = self._priced[number]
        if known is None or known[0] != self.prices:
            known = self._priced[number] = self.prices, self.bound[number].at_prices(self.prices)
        return known[1]
