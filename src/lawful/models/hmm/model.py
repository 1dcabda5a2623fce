"""The hidden Markov model: counted, smoothed, with one or several emissions a token."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Self

import numpy as np
import numpy.typing as npt

from lawful.corpus.sequences import SequencesLike, read_sequences
from lawful.errors import NotFittedError
from lawful.labels import LabelSet
from lawful.lattice import Lattice, Transitions
from lawful.lattice.arrays import Floats
from lawful.models.base.estimator import SequenceModel
from lawful.models.base.sequences import check_pairs, labels_in
from lawful.models.hmm.counts import Counts, Flat, count, flatten
from lawful.models.hmm.emission import Emission, Vocabulary, as_emissions
from lawful.models.hmm.estimates import backoff_groups, distribution, log, smooth_emissions
from lawful.models.saving import pack_strings, unpack_strings
from lawful.support.numbers import check_count, check_number

__all__ = ["HMM"]


class HMM(SequenceModel):
    """A hidden Markov model: P(first label), P(label | label before), P(token | label), by counting.

    Parameters
    ----------
    emissions : sequence of columns or `Emission`, optional
        What a label emits for a token; emissions are independent given the label. By default the token's text in lower
        case, with digits written as 0.
    emission_smoothing : float
        Added to the count of every symbol with every label. The parameter that matters most.
    transition_smoothing : float
        Added to the counts of transitions, first labels and last labels.
    end : bool
        Whether the end of a sequence is scored too: P(end | label), against all labels that could follow.
    rare : int
        Words seen at most that often also count for their class of unknown words; with 0, nothing is learned about
        unknown words.
    backoff : str or mapping, optional
        For subdivided labels: the separator of their levels ("." makes "B.2.1" a member of "B.2" and "B"), or the groups
        of each label by name. Emissions are then averages of a label's own estimates and its groups'.
    labels : sequence of str, optional
        The labels, in order; those that occur, sorted, if not given.

    Attributes
    ----------
    labels_ : LabelSet
    vocabularies_ : tuple of Vocabulary
        One for each emission.
    start_, end_ : array (K,)
        Log-probabilities; `end_` is None without `end`.
    transitions_ : array (K, K)
    emissions_ : tuple of arrays (symbols, K)
        One for each emission: words, classes of unknown words, all others.

    Examples
    --------
    >>> import lawful
    >>> model = lawful.HMM(emission_smoothing=0.5).fit([["A", "1999"], ["B", "2004"]], [["name", "year"]] * 2)
    >>> model.predict([["C", "1987"]])
    [['name', 'year']]
    >>> model.predict([["C", "1987"]], rules=lawful.ends_with("name"))
    [['name', 'name']]
    """

    kind = "hmm"

    start_: Floats
    transitions_: Floats
    end_: Floats | None
    emissions_: tuple[Floats, ...]
    vocabularies_: tuple[Vocabulary, ...]

    def __init__(
        self,
        *,
        emissions: Sequence[Emission | str | int | None] | None = None,
        emission_smoothing: float = 0.05,
        transition_smoothing: float = 0.1,
        end: bool = True,
        rare: int = 1,
        backoff: str | Mapping[str, Sequence[str]] | None = None,
        labels: Sequence[str] | None = None,
    ) -> None:
        self.emissions = emissions
        self.emission_smoothing = emission_smoothing
        self.transition_smoothing = transition_smoothing
        self.end = end
        self.rare = rare
        self.backoff = backoff
        self.given_labels = labels

    # --- fitting ------------------------------------------------------------------------------------------

    def fit(
        self,
        X: SequencesLike,
        y: Iterable[Sequence[str]],
        sample_weight: npt.ArrayLike | None = None,
    ) -> Self:
        """Count and estimate.

        Parameters
        ----------
        X : iterable of token sequences
        y : iterable of label sequences
        sample_weight : array (N,), optional
            How much each sequence counts; 1 if not given.
        """
        check_count("rare", self.rare)
        sequences = read_sequences(X, name="X").tokens
        tokens, gold = check_pairs(sequences, y)
        self._remember_cut(tokens)
        weights = None if sample_weight is None else np.asarray(sample_weight, dtype=np.float64)
        # check_pairs leaves out empty sequences: so must the weights. A wrong number of weights is refused by count.
        if weights is not None and weights.shape == (len(sequences),):
            weights = weights[[number for number, sequence in enumerate(sequences) if len(sequence)]]
        self.prepare(tokens, self.given_labels or labels_in(gold))
        return self.fit_counts(count(self.flatten(tokens), gold, self.labels_, self.vocabularies_, weights))

    def prepare(self, X: Iterable[Sequence[Any]], labels: Iterable[str]) -> Self:
        """Set labels, and vocabularies from token sequences: what counting and `fit_counts` start from."""
        tokens = list(X)
        emissions = as_emissions(self.emissions)
        self.labels_ = labels if isinstance(labels, LabelSet) else LabelSet(labels)
        self.vocabularies_ = tuple(Vocabulary.of(emission, tokens, rare=self.rare) for emission in emissions)
        return self

    def flatten(self, X: Sequence[Sequence[Any]]) -> Flat:
        """Token sequences as symbol numbers of this model; none may be empty."""
        return flatten(X, self.vocabularies_)

    def fit_counts(self, counts: Counts) -> Self:
        """Estimate from counts, which may be fractional, over this model's labels and vocabularies."""
        for name in ("emission_smoothing", "transition_smoothing"):
            check_number(name, getattr(self, name))
        chain = self.estimate_chain(counts.start, counts.transitions, counts.end)
        self.start_, self.transitions_, self.end_ = chain
        groups = backoff_groups(self.labels_, self.backoff)
        self.emissions_ = tuple(
            log(
                smooth_emissions(
                    vocabulary.with_unknown(table), self.smoothing_of(vocabulary.emission), groups
                )
            )
            for table, vocabulary in zip(counts.emissions, self.vocabularies_, strict=True)
        )
        return self._laid_out()

    def estimate_chain(
        self, start: Floats, transitions: Floats, end: Floats
    ) -> tuple[Floats, Floats, Floats | None]:
        """Log-probabilities of first labels, of steps and of last labels (None without `end`), from their counts."""
        added = self.transition_smoothing
        first = log(distribution(start, added))
        if not self.end:
            return first, log(distribution(transitions, added)), None
        rows = distribution(np.column_stack([transitions, end]), added)
        return first, log(rows[:, :-1]), log(rows[:, -1])

    def smoothing_of(self, emission: Emission) -> float:
        """What is added to every count of an emission."""
        return self.emission_smoothing if emission.smoothing is None else emission.smoothing

    def _laid_out(self) -> Self:
        self._steps = Transitions(self.transitions_, labels=self.labels_)
        return self

    # --- scoring ------------------------------------------------------------------------------------------

    def lattice(self, tokens: Sequence[Any], /) -> Lattice:
        """The log-probabilities of one sequence."""
        return self.lattices([tokens])[0]

    def lattices(self, sequences: Iterable[Sequence[Any]]) -> list[Lattice]:
        """The log-probabilities of many sequences."""
        inputs = [list(tokens) for tokens in sequences]
        flat, labels = self._known(inputs), self.labels_
        scores = self.scores(flat)
        return [
            Lattice(
                scores[start:stop],
                self._steps,
                labels=labels,
                start=self.start_,
                end=self.end_,
                tokens=tokens,
            )
            for tokens, start, stop in zip(inputs, flat.offsets[:-1], flat.offsets[1:], strict=True)
        ]

    def scores(self, flat: Flat) -> Floats:
        """(M, K): the log-probability of each token's symbols, given each label."""
        total: Floats = sum(table[ids] for table, ids in zip(self.emissions_, flat.symbols, strict=True))  # type: ignore[assignment]
        return total

    def _known(self, sequences: Sequence[Sequence[Any]]) -> Flat:
        if not hasattr(self, "_steps"):
            raise NotFittedError(type(self).__name__)
        return self.flatten(sequences)

    # --- files --------------------------------------------------------------------------------------------

    def _saved(self) -> tuple[Mapping[str, Any], Mapping[str, npt.ArrayLike]]:
        arrays: dict[str, npt.ArrayLike] = {"start": self.start_, "transitions": self.transitions_}
        if self.end_ is not None:
            arrays["end"] = self.end_
        for number, (table, words) in enumerate(zip(self.emissions_, self.vocabularies_, strict=True)):
            arrays[f"emissions.{number}"] = table
            arrays[f"words.{number}"], arrays[f"word_ends.{number}"] = pack_strings(words.words)
            arrays[f"classes.{number}"], arrays[f"class_ends.{number}"] = pack_strings(words.classes)
            arrays[f"class_of.{number}"] = words.class_of
        return {"emissions": [words.emission.as_data() for words in self.vocabularies_]}, arrays

    def _restore(self, meta: Mapping[str, Any], arrays: Mapping[str, npt.NDArray[Any]]) -> None:
        size = len(self.labels_)
        self.start_ = _shaped(arrays["start"], size)
        self.transitions_ = _shaped(arrays["transitions"], size, size)
        self.end_ = _shaped(arrays["end"], size) if "end" in arrays else None
        self.vocabularies_ = tuple(
            Vocabulary(
                emission,
                unpack_strings(arrays[f"words.{number}"], arrays[f"word_ends.{number}"]),
                unpack_strings(arrays[f"classes.{number}"], arrays[f"class_ends.{number}"]),
                arrays[f"class_of.{number}"],
            )
            for number, emission in enumerate(as_emissions(meta["emissions"]))
        )
        self.emissions_ = tuple(
            _shaped(arrays[f"emissions.{number}"], words.size, size)
            for number, words in enumerate(self.vocabularies_)
        )
        self._laid_out()

    def _parameters_as_data(self) -> dict[str, Any]:
        data = super()._parameters_as_data()
        if data["emissions"] is not None:
            data["emissions"] = [emission.as_data() for emission in as_emissions(self.emissions)]
        if isinstance(self.backoff, Mapping):
            data["backoff"] = {label: list(groups) for label, groups in self.backoff.items()}
        return data

    @classmethod
    def _parameters_from(cls, data: Mapping[str, Any]) -> dict[str, Any]:
        emissions = data["emissions"]
        return {**data, "emissions": None if emissions is None else as_emissions(emissions)}


def _shaped(array: npt.NDArray[Any], *shape: int) -> Floats:
    if array.shape != shape or array.dtype != np.float64 or not np.all(array <= 0):
        raise ValueError(f"expected log-probabilities of shape {shape}, got {array.dtype} {array.shape}")
    return array
