"""The temperature at which a tagger's scores are log-probabilities: prices are nats, and mean nothing beside other scores."""

from __future__ import annotations

import math
from collections.abc import Callable

from lawful.decoding import log_partition
from lawful.errors import InputError
from lawful.lattice import AnyLattice, Tagger, path_score
from lawful.lattice.tagger import lattices_of
from lawful.learning.gold import Gold, Labelled, labelled_sequences
from lawful.learning.prices.cross_fitting import CrossFitted
from lawful.models.base.estimator import SequenceModel
from lawful.models.calibrated import Calibrated, scaled_lattices

__all__ = ["calibrate", "fit_temperature"]

WIDEST = math.log(1e6)  # temperatures are sought between 1e-6 and 1e6
CLOSE = 1e-3  # relative
GOLDEN = (math.sqrt(5) - 1) / 2


def calibrate(model: SequenceModel, gold: Gold, *, folds: int | None = None) -> Calibrated:
    """The same model at the temperature at which labelled sequences are most likely.

    Parameters
    ----------
    model : SequenceModel
        Fitted. Its lattices must be trellises.
    gold : iterable of Sentence, or of (tokens, labels) or (tokens, labels, context)
        Sequences that it was not fitted to, or, with `folds`, those that it was fitted to.
    folds : int, optional
        Divide the sequences into so many parts, and score each by a model like it that is fitted to the others.

    Examples
    --------
    >>> import lawful
    >>> from lawful.tasks import generate_citations
    >>> gold = [(sentence.tokens, sentence.labels) for sentence in generate_citations(60, seed=1)]
    >>> model = lawful.models.StructuredPerceptron(epochs=5).fit(*zip(*gold[:40]))
    >>> calibrated = lawful.learning.calibrate(model, gold[40:])
    >>> calibrated.temperature > 1  # sums of weights are too sure of themselves
    True
    """
    return Calibrated(model, fit_temperature(model, gold, folds=folds))


def fit_temperature(tagger: Tagger, gold: Gold, *, folds: int | None = None) -> float:
    """What a tagger's scores must be divided by to make labelled sequences most likely; parameters as in `calibrate`.

    The likelihood is concave in one over the temperature, so that there is one best. A tagger that gets everything right
    has none: the lowest temperature is taken then. Sequences whose labels it excludes are left out.

    Examples
    --------
    >>> import lawful
    >>> class Sure:
    ...     labels = lawful.LabelSet(["A", "B"])
    ...     def lattice(self, tokens):
    ...         return lawful.Lattice([[8.0, 0.0]] * len(tokens), labels=self.labels, tokens=tokens)
    >>> temperature = fit_temperature(Sure(), [(["x"], ["A"])] * 3 + [(["x"], ["B"])])
    >>> round(8.0 / temperature, 2) == round(math.log(3), 2)  # an A is three times as likely as a B
    True
    """
    sequences = labelled_sequences(gold)
    if not sequences:
        raise InputError("a temperature is fitted to labelled sequences, and there are none")
    scorer: Tagger = tagger if folds is None else CrossFitted(tagger, sequences, folds=folds)
    lattices, right = _usable(scorer, sequences)

    def surprise(log_factor: float) -> float:
        factor = math.exp(log_factor)
        sums = (log_partition(lattice) for lattice in scaled_lattices(lattices, factor))
        return sum(total - factor * score for total, score in zip(sums, right, strict=True))

    return math.exp(-_lowest(surprise, -WIDEST, WIDEST))


def _usable(scorer: Tagger, sequences: list[Labelled]) -> tuple[list[AnyLattice], list[float]]:
    lattices: list[AnyLattice] = []
    right: list[float] = []
    for lattice, sequence in zip(
        lattices_of(scorer, [sequence.tokens for sequence in sequences]), sequences, strict=True
    ):
        if set(sequence.labels) <= set(lattice.labels):
            score = path_score(lattice, sequence.labels)
            if math.isfinite(score):
                lattices.append(lattice)
                right.append(score)
    if not lattices:
        raise InputError("the tagger excludes the labels of every sequence: no temperature makes them likely")
    return lattices, right


def _lowest(function: Callable[[float], float], low: float, high: float) -> float:
    """Where a function with one valley is lowest, by golden sections."""
    left, right = high - GOLDEN * (high - low), low + GOLDEN * (high - low)
    at_left, at_right = function(left), function(right)
    while high - low > CLOSE:
        if at_left < at_right:
            high, right, at_right = right, left, at_left
            left = high - GOLDEN * (high - low)
            at_left = function(left)
        else:
            low, left, at_left = left, right, at_right
            right = low + GOLDEN * (high - low)
            at_right = function(right)
    return (low + high) / 2
