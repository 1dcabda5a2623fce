"""A structured perceptron while it learns: for training that finds labels in its own way, under rules for example."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from lawful import _core
from lawful.errors import InputError
from lawful.lattice import Lattice, Transitions
from lawful.lattice.arrays import Floats
from lawful.models.base.sequences import check_pairs, labels_in
from lawful.models.linear.attributes import core_sequences
from lawful.models.linear.fitting import AttributeCorpus, FeatureChoice
from lawful.models.linear.outputs import Outputs
from lawful.models.linear.weights import Weights
from lawful.models.perceptron.weight_history import SequenceHistory

if TYPE_CHECKING:
    from lawful.models.features import Features

__all__ = ["StructuredLearner"]

Ids = npt.NDArray[np.int32]


class StructuredLearner:
    """The weights of a structured perceptron, to be changed in place, sequence by sequence.

    `StructuredPerceptron.learner` makes it. Sequences are read once and go by their numbers; those without tokens are
    left out. Scores always come from the weights as they are now; averaging costs nothing until `averaged` is asked for.

    Attributes
    ----------
    labels : LabelSet
    tokens : list of tuples
        The sequences: those with labels, then those without.
    gold : list of int32 arrays (T,)
        The label numbers of each labelled sequence.

    Examples
    --------
    >>> import lawful
    >>> model = lawful.StructuredPerceptron()
    >>> learner = model.learner([[["a"], ["b"]], [["b"]]], [["A", "B"], ["B"]])
    >>> rules = lawful.Decoder(lawful.at_most(1, "A"), labels=learner.labels)
    >>> for epoch in range(3):
    ...     for n in range(len(learner)):
    ...         changed = learner.update(n, rules.decode(learner.lattice(n)).labels)
    ...         learner.advance()
    >>> learner.finish().predict([[["b"], ["a"]]])
    [['B', 'A']]
    """

    def __init__(
        self,
        X: Iterable[Sequence[Any]],
        y: Iterable[Sequence[str]],
        *,
        features: Features | None,
        transition_features: Features | None,
        choice: FeatureChoice,
        margin: float,
        rate: float,
        record: bool,
        unlabelled: Iterable[Sequence[Any]] = (),
        finish: Callable[[StructuredLearner], Any] | None = None,
    ) -> None:
        sequences, given = check_pairs(X, y)
        self.labels = labels_in(given)
        self._numbers: Mapping[str, int] = {label: place for place, label in enumerate(self.labels)}
        self.gold: list[Ids] = [self.ids(one) for one in given]
        more = [one for one in unlabelled if len(one)]
        corpus = AttributeCorpus.read(None, sequences, [features], transition_features)
        flat = np.concatenate(self.gold)
        self._start, _ = choice.weights(corpus, flat, self.labels, Outputs.of(self.labels))
        self.tokens = [tuple(one) for one in (*sequences, *more)]
        self.sequences, self._pairs = corpus.sequences, corpus.pairs
        if more:
            self.sequences = self._start.attribute_map.extract(self.tokens)
            self._pairs = None if corpus.pair_map is None else corpus.pair_map.extract(self.tokens)
            flat = np.concatenate([flat, np.zeros(sum(map(len, more)), dtype=np.int32)])
        self._core = _core.CrfPerceptron(
            self._start.layout,
            core_sequences(self.sequences),
            None if self._pairs is None else core_sequences(self._pairs),
            flat,
            self._start.values,
            margin=margin,
            rate=rate,
            record=record,
        )
        self._rate, self._record, self._finish = rate, record, finish
        self._shared: tuple[Transitions, Floats | None, Floats | None] | None = None

    def __len__(self) -> int:
        """How many labelled sequences there are."""
        return len(self.gold)

    # --- scores of the weights as they are now --------------------------------------------------------------

    def lattice(self, n: int, *, margin: bool = False, context: Mapping[str, Any] | None = None) -> Lattice:
        """The scores of sequence `n`; with `margin`, every label but the gold ones gains the margin."""
        if self._shared is None:
            edges, first, last = self._core.transitions()
            layout = self._start.layout
            self._shared = (
                Transitions(edges, labels=self.labels),
                first if len(layout.first_outputs) else None,
                last if len(layout.last_outputs) else None,
            )
        steps: Transitions | Floats
        steps, first_scores, last_scores = self._shared
        tokens = self.tokens[n]
        if self._pairs is not None and len(tokens) > 1:
            steps = self._core.steps(n)
        return Lattice(
            self._core.emissions(n, self.gold[n] if margin else None),
            steps,
            labels=self.labels,
            start=first_scores,
            end=last_scores,
            tokens=tokens,
            context=context,
        )

    def best(self, n: int, *, margin: bool = False) -> Ids:
        """The numbers of the best labels of sequence `n`, without rules: faster than `lattice`."""
        return self._core.best(n, self.gold[n] if margin else None)

    # --- learning -------------------------------------------------------------------------------------------

    def update(
        self,
        n: int,
        found: Sequence[str] | Ids,
        *,
        wanted: Sequence[str] | Ids | None = None,
        rate: float | None = None,
    ) -> bool:
        """Make `wanted` (the gold labels, if not given) score better and `found` worse; whether they differ.

        Labels are names, or int32 arrays of their numbers.
        """
        target = self.gold[n] if wanted is None else self.ids(wanted)
        changed = self._core.update(n, target, self.ids(found), self._rate if rate is None else rate)
        if changed:
            self._shared = None
        return changed

    def advance(self, sequences: float = 1) -> None:
        """Count sequences as seen: the average is over the weights after each of them."""
        self._core.advance(sequences)

    def epoch(self, order: npt.ArrayLike) -> float:
        """Go over labelled sequences in this order, without rules; the mean share of wrong labels."""
        self._shared = None
        return self._core.epoch(np.asarray(order, dtype=np.int64))

    @property
    def time(self) -> float:
        """One more than the number of sequences seen: the average counts the first weights too."""
        return self._core.time

    def ids(self, labels: Sequence[str] | Ids) -> Ids:
        """Label numbers (T,) int32, from names or from numbers."""
        if isinstance(labels, np.ndarray):
            return np.ascontiguousarray(labels, dtype=np.int32)
        try:
            return np.fromiter((self._numbers[label] for label in labels), np.int32, len(labels))
        except KeyError as error:
            raise InputError(
                f"unknown label {error.args[0]!r}; the labels are {', '.join(self.labels)}"
            ) from None

    # --- what was learned -----------------------------------------------------------------------------------

    def _with(self, values: Floats) -> Weights:
        start = self._start
        return Weights(start.outputs, start.attribute_map, start.pair_map, start.layout, values)

    @property
    def current(self) -> Weights:
        """The weights as they are now, copied."""
        return self._with(self._core.current)

    @property
    def averaged(self) -> Weights:
        """The average of the weights after every sequence, and of the first ones."""
        return self._with(self._core.weights)

    @property
    def weight_history(self) -> SequenceHistory:
        """All updates, for a vote. Only those of a perceptron with `averaging="voted"` are kept."""
        if not self._record:
            raise InputError("updates are kept for averaging='voted' only")
        return SequenceHistory(self.sequences, self._core.time, *self._core.updates, self._pairs)

    def finish(self) -> Any:
        """Give the model what was learned, averaged or as its `averaging` says; returns the model."""
        if self._finish is None:
            raise InputError("this learner was made without a model")
        return self._finish(self)
