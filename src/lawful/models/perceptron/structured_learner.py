"""A linear sequence model while it learns by the perceptron, in steps: under rules for example."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from lawful import _core
from lawful.corpus.sequences import ContextsLike, SequencesLike, filled_sequences
from lawful.errors import InputError
from lawful.labels import LabelSet
from lawful.lattice import Lattice, Transitions
from lawful.lattice.arrays import Floats
from lawful.models.base.sequences import check_data, labels_in
from lawful.models.linear.attributes import core_sequences
from lawful.models.linear.fitting import FeatureParameters, read_features
from lawful.models.linear.weights import Weights
from lawful.models.perceptron.weight_history import SequenceHistory

__all__ = ["StructuredLearner"]

Ids = npt.NDArray[np.int32]


class StructuredLearner:
    """The weights of a structured perceptron, changed in place, one sequence after another.

    `StructuredPerceptron.learner` makes one, and `RuledPerceptron` learns with one. It knows nothing of rules: the caller
    finds labels for the scores of `lattice`, in any way it likes, and gives them to `update`. Sequences are read once and
    go by their numbers; those without tokens are left out.

    The average is the usual one of Collins (2002): the mean of the weights after each step, a step being one call of
    `advance` (or one sequence of an `epoch`). The weights at the start do not count. CRFsuite, and so
    `CRF(algorithm="averaged_perceptron")`, counts them too: from zeros, n steps give n / (n + 1) times the weights of this
    average, and the same best labels. Averaging costs nothing until `averaged` is asked for.

    Parameters
    ----------
    model : CRF or StructuredPerceptron
        Its templates and choice of features; it stays as it is until `finish`.
    X, y : iterables of token sequences and label sequences
        What the features are taken from, and what is learned.
    labels : LabelSet, optional
        The labels, if the data may lack some; by default those that occur, in alphabetical order.
    contexts : iterable of mappings, optional
        What comes with each labelled sequence by name, for rules that ask for it; a `Sentence` brings its own.
    unlabelled : iterable of token sequences, or of `Sentence`
        More sequences, numbered after the labelled ones; they bring no features of their own.
    unlabelled_contexts : iterable of mappings, optional
        What comes with each of those.
    margin, rate : float
        What each wrong label gains with `margin=True`, and how far an update goes.
    record : bool
        Whether to keep all updates, for the voted perceptron.
    finish : function, optional
        Gives the model what was learned.

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
        model: FeatureParameters,
        X: SequencesLike,
        y: Iterable[Sequence[str]],
        *,
        labels: LabelSet | None = None,
        contexts: ContextsLike = None,
        unlabelled: SequencesLike = (),
        unlabelled_contexts: ContextsLike = None,
        margin: float = 0.0,
        rate: float = 1.0,
        record: bool = False,
        finish: Callable[[StructuredLearner], Any] | None = None,
    ) -> None:
        sequences, gold, named = check_data(X, y, contexts)
        self.labels = labels_in(gold) if labels is None else labels
        self._numbers: Mapping[str, int] = {label: number for number, label in enumerate(self.labels)}
        self.gold: list[Ids] = [self.ids(labelling) for labelling in gold]
        flat = np.concatenate(self.gold)
        corpus, self._start, _ = read_features(model, sequences, flat, self.labels)
        pool = filled_sequences(unlabelled, unlabelled_contexts, name="unlabelled")
        more, nothing = pool.tokens, dict[str, Any]()
        self._contexts = [
            *([nothing] * len(sequences) if named is None else named),
            *([nothing] * len(more) if pool.contexts is None else pool.contexts),
        ]
        self.tokens = [tuple(tokens) for tokens in (*sequences, *more)]
        self.sequences, self._pairs = corpus.sequences, corpus.pairs
        if more:
            self.sequences = self._start.attribute_map.extract(self.tokens)
            self._pairs = None if corpus.pair_map is None else corpus.pair_map.extract(self.tokens)
            flat = np.concatenate([flat, np.zeros(sum(map(len, more)), dtype=np.int32)])
        self._data = core_sequences(self.sequences)
        self._core_pairs = None if self._pairs is None else core_sequences(self._pairs)
        self._flat, self._margin, self._rate = flat, margin, rate
        self._record, self._finish = record, finish
        self.restart(self._start.values)

    def restart(self, values: Floats) -> None:
        """Begin again from other weights (F,) of the same features, with nothing to average yet."""
        self._first = values.copy()
        self._core = _core.StructuredPerceptron(
            self._start.layout,
            self._data,
            self._core_pairs,
            self._flat,
            values,
            margin=self._margin,
            rate=self._rate,
            record=self._record,
        )
        self._shared: tuple[Transitions, Floats | None, Floats | None] | None = None

    def __reduce__(self) -> tuple[Any, ...]:
        """Refused: it is changed in place, and two copies would learn different things."""
        raise InputError("a learner cannot be pickled or copied: take the model that `finish` gives")

    def __len__(self) -> int:
        """How many labelled sequences there are."""
        return len(self.gold)

    # --- scores of the weights as they are now --------------------------------------------------------------

    def lattice(self, n: int, *, margin: bool = False, context: Mapping[str, Any] | None = None) -> Lattice:
        """The scores of sequence `n`; with `margin`, every label but the gold ones gains the margin."""
        if context is None:
            context = self._contexts[n] or None
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
        """One more than the number of sequences seen."""
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
        """The mean of the weights after each step; the weights as they are if there was none."""
        time = self._core.time
        if time <= 1:
            return self.current
        # The core's mean is over the weights at the start and after each step, as CRFsuite's is.
        return self._with((time * self._core.weights - self._first) / (time - 1))

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
