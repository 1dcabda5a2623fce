"""Taggers that vote, as one model: predict under rules, choose weights, save, load."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Self, Unpack

import numpy.typing as npt

from lawful.corpus.sequences import ContextsLike, SequencesLike, read_sequences
from lawful.decoding import Decoding
from lawful.decoding.options import DecoderOptions
from lawful.decoding.predicting import cut_for
from lawful.errors import InfeasibleError, InputError, SearchError
from lawful.lattice import AnyLattice, Tagger
from lawful.lattice.tagger import in_context, is_calibrated, lattices_of, require_tagger
from lawful.models.base.estimator import SequenceModel
from lawful.models.base.predictor import GivenRules
from lawful.models.loading import models_inside, save_inside
from lawful.rules.given_rules import as_rules
from lawful.support.numbers import check_choice
from lawful.voting.ballot import (
    METHODS,
    Ballot,
    Method,
    check_weights,
    joint_labels,
    nothing_in_common,
    require_linear,
    vote_behind,
)
from lawful.voting.explanation import VoteExplanation, explain_vote
from lawful.voting.log_linear import LogLinear
from lawful.voting.result import Vote, Voters
from lawful.voting.weights import WeightSearch, choose_weights

__all__ = ["Ensemble", "vote"]


class Ensemble(SequenceModel):
    """Taggers that vote, in the same or in different encodings.

    With `method="log-linear"` it is a tagger like any other: it has lattices, so that every solver, n-best lists, marginals,
    reports and the playground work with it. It can be saved if its taggers can.

    Parameters
    ----------
    taggers : sequence of Tagger
        Models of lawful, models in encodings (`encodings.Encoded`), adapters, or anything with `labels` and `lattice`.
    weights : sequence of float, optional
        0 or more; they are divided by their sum. Equal ones if not given.
    method : "log-linear", "linear", "local" or "repaired"
        See `lawful.vote`.
    names : sequence of str, optional
        Of the taggers; after what they are, if not given.

    Examples
    --------
    >>> import lawful
    >>> from lawful.encodings import Encoded, scheme_encoding
    >>> X, y = [["the", "big", "cat", "the", "dog", "ran"]] * 3, [["I", "I", "I", "B", "I", "O"]] * 3
    >>> models = [lawful.HMM(), Encoded(lawful.HMM(), scheme_encoding("IOB1", "IOE2"))]
    >>> ensemble = Ensemble(models).fit(X, y)
    >>> ensemble.predict([["the", "cat", "ran"]])
    [['I', 'I', 'O']]
    >>> ensemble.predict([["the", "cat", "ran"]], rules=lawful.at_least(1, "B"))
    [['I', 'B', 'O']]
    """

    kind = "ensemble"

    def __init__(
        self,
        taggers: Sequence[Tagger],
        weights: Sequence[float] | None = None,
        *,
        method: Method = "log-linear",
        names: Sequence[str] | None = None,
    ) -> None:
        self.taggers, self.weights, self.method, self.names = taggers, weights, method, names
        if taggers and all(_is_fitted(tagger) for tagger in taggers):
            self._check()

    def _check(self) -> Self:
        check_choice("method", self.method, METHODS)
        taggers = list(self.taggers)
        if not taggers:
            raise InputError("a vote needs at least one tagger, got none")
        for number, tagger in enumerate(taggers):
            require_tagger(tagger, f"taggers[{number}]")
        for what, given in (("weights", self.weights), ("names", self.names)):
            if given is not None and len(given) != len(taggers):
                raise InputError(f"there are {len(taggers)} taggers but {len(given)} {what}")
        self.weights_ = check_weights([1.0] * len(taggers) if self.weights is None else self.weights)
        self.names_ = tuple(self.names) if self.names is not None else _names(taggers)
        if self.method == "linear":
            self._require_probabilities()
        self.labels_ = joint_labels(tagger.labels for tagger in taggers)
        return self

    def _require_probabilities(self) -> None:
        for tagger, name, weight in zip(self.taggers, self.names_, self.weights_, strict=True):
            if weight > 0 and not is_calibrated(tagger):
                raise InputError(
                    f"a linear vote adds up probabilities, but the scores of {name} are none: give it a temperature with "
                    "lawful.learning.calibrate(model, held_out), or let taggers vote with method='log-linear'"
                )

    def _scores_are_log_probabilities(self) -> bool:
        return all(is_calibrated(tagger) for tagger in self.taggers)

    def fit(self, X: SequencesLike, y: Iterable[Sequence[str]]) -> Self:
        """Fit each of the models; the weights stay as they are."""
        tokens, labels = list(X), list(y)
        for tagger in self.taggers:
            fit = getattr(tagger, "fit", None)
            if fit is None:
                raise InputError(f"{type(tagger).__name__} cannot be fitted")
            fit(tokens, labels)
        return self._check()

    # --- scores -----------------------------------------------------------------------------------------------

    def lattice(self, tokens: Sequence[Any], /) -> AnyLattice:
        """The scores of a log-linear vote on one sequence. Other votes are no lattices: use `predict` or `votes`."""
        return next(iter(self.lattices([tokens])))

    def lattices(self, sequences: Iterable[Sequence[Any]]) -> Iterator[AnyLattice]:
        """The scores of a log-linear vote on many sequences."""
        if self.method != "log-linear":
            raise InputError(
                f"a {self.method} vote is no lattice: use predict or votes of the ensemble, which take rules too, or `lawful vote FILE --model ENSEMBLE`"
            )
        known: tuple[object, LogLinear] | None = self.__dict__.get("_combine")
        if known is None or known[0] != (self.weights_, self.labels):
            known = self._combine = (self.weights_, self.labels), LogLinear(self.weights_, self.labels)
        return map(known[1], self.said(list(sequences)))

    def said(
        self, sequences: Sequence[Sequence[Any]], contexts: Sequence[Mapping[str, Any]] | None = None
    ) -> Iterator[tuple[AnyLattice, ...]]:
        """What all taggers say about each sequence: one lattice per tagger, in their order."""
        said = zip(*(lattices_of(tagger, sequences) for tagger in self.taggers), strict=True)
        if contexts is None:
            return said
        return (
            tuple(in_context(lattice, context) for lattice in lattices)
            for lattices, context in zip(said, contexts, strict=True)
        )

    # --- votes ------------------------------------------------------------------------------------------------

    def votes(
        self,
        X: SequencesLike,
        rules: GivenRules = None,
        *,
        contexts: ContextsLike = None,
        tolerance: float = 0.0,
        max_paths: int | None = None,
        **options: Unpack[DecoderOptions],
    ) -> Iterator[Vote]:
        """The vote on each sequence, one after another; parameters as in `lawful.vote`. Sequences must have tokens."""
        ballot = Ballot(
            self.labels,
            self.weights_,
            method=self.method,
            rules=() if rules is None else as_rules(rules),
            names=self.names_,
            tolerance=tolerance,
            max_paths=max_paths,
            **options,
        )
        tokens, named = read_sequences(cut_for(self, X), contexts)
        for number, of_sequence in enumerate(tokens):
            if not len(of_sequence):
                raise InputError(f"sequence {number + 1} is empty, so there is nothing to vote on")
        said = self.said([list(of_sequence) for of_sequence in tokens], named)
        return _numbered(map(ballot.decide, said))

    def predict(
        self,
        X: SequencesLike,
        rules: GivenRules = None,
        *,
        contexts: ContextsLike = None,
        jobs: int | None = None,
        tolerance: float = 0.0,
        max_paths: int | None = None,
        **options: Unpack[DecoderOptions],
    ) -> list[list[str]]:
        """The labels that win, under rules if there are any; an empty sequence gets an empty answer.

        Parameters are those of `lawful.vote`.
        """
        tokens, named = read_sequences(cut_for(self, X), contexts)
        if self.method == "log-linear":
            require_linear(self.method, tolerance, max_paths)
            try:
                return super().predict(tokens, rules, contexts=named, jobs=jobs, **options)
            except InfeasibleError as error:
                if error.sequence is None:
                    raise
                [said] = self.said([tokens[error.sequence]])
                raise nothing_in_common(error, Voters(self.names_, self.weights_, said)) from None
        filled = [number for number, of_sequence in enumerate(tokens) if len(of_sequence)]
        answers: list[list[str]] = [[] for _ in tokens]
        votes = self.votes(
            [tokens[number] for number in filled],
            rules,
            contexts=None if named is None else [named[number] for number in filled],
            tolerance=tolerance,
            max_paths=max_paths,
            **options,
        )
        try:
            for number, decided in zip(filled, votes, strict=True):
                answers[number] = list(decided.labels)
        except SearchError as error:  # about one of those that are not empty
            raise error if error.sequence is None else error.in_sequence(filled[error.sequence]) from None
        return answers

    def explain(self, decoding: Decoding, tokens: Sequence[Any]) -> VoteExplanation:
        """What each tagger wanted where a decoding of the vote's lattice decided, who won, and at what price.

        Parameters
        ----------
        decoding : Decoding
            Of `lattice(tokens)`, under any rules.
        tokens : sequence
        """
        [said] = self.said([tokens], [decoding.lattice.context])
        return explain_vote(vote_behind(decoding, Voters(self.names_, self.weights_, said)))

    def choose_weights(
        self,
        X: SequencesLike,
        y: Iterable[Sequence[str]],
        rules: GivenRules = None,
        *,
        contexts: ContextsLike = None,
        **search: Unpack[WeightSearch],
    ) -> Ensemble:
        """The same taggers with the weights that are best on labelled sequences that they were not fitted to.

        Parameters
        ----------
        X, y : sequences and their labels
        rules, contexts
            As in `predict`: the weights are chosen for votes under these rules.
        **search
            See `lawful.voting.choose_weights`.
        """
        tokens, named = read_sequences(X, contexts)
        said = self.said([list(of_sequence) for of_sequence in tokens], named)
        chosen = choose_weights(
            said,
            list(y),
            method=self.method,
            rules=() if rules is None else as_rules(rules),
            labels=self.labels,
            **search,
        )
        return Ensemble(self.taggers, chosen.weights, method=self.method, names=self.names)

    def _models_inside(self) -> list[SequenceModel]:
        return [tagger for tagger in self.taggers if isinstance(tagger, SequenceModel)]

    # --- files ------------------------------------------------------------------------------------------------

    def _saved(self) -> tuple[Mapping[str, Any], Mapping[str, npt.ArrayLike]]:
        models = self._models_inside()
        for tagger in self.taggers:
            if not isinstance(tagger, SequenceModel):
                raise InputError(
                    f"{type(tagger).__name__} is no model of lawful, so the ensemble cannot be saved"
                )
        saved, arrays = save_inside(models)
        own = {"models": saved, "weights": list(self.weights_), "method": self.method}
        return {**own, "names": list(self.names_)}, arrays

    def _restore(self, meta: Mapping[str, Any], arrays: Mapping[str, npt.NDArray[Any]]) -> None:
        self.taggers = models_inside(meta["models"], arrays)
        self.weights, self.method, self.names = list(meta["weights"]), meta["method"], list(meta["names"])
        self._check()

    def _parameters_as_data(self) -> dict[str, Any]:
        return {}

    @classmethod
    def _parameters_from(cls, data: Mapping[str, Any]) -> dict[str, Any]:
        return {"taggers": []}


def vote(
    taggers: Sequence[Tagger],
    X: SequencesLike,
    *,
    method: Method = "log-linear",
    weights: Sequence[float] | None = None,
    rules: GivenRules = None,
    contexts: ContextsLike = None,
    names: Sequence[str] | None = None,
    tolerance: float = 0.0,
    max_paths: int | None = None,
    **options: Unpack[DecoderOptions],
) -> list[Vote]:
    """Let taggers vote on sequences, in the same or in different encodings. Rules hold in every vote, exactly.

    Parameters
    ----------
    taggers : sequence of Tagger
    X : iterable of token sequences, or of `Sentence`
    method : "log-linear", "linear", "local" or "repaired"
        Multiply the taggers' probabilities of whole label sequences, each to the power of its weight; add them up; or
        let each token take the label that most taggers give it, among all label sequences or only among those that at least one
        tagger gives a chance. A linear vote needs taggers whose scores are log-probabilities.
    weights : sequence of float, optional
        One per tagger, 0 or more; they are divided by their sum. Equal ones if not given; `Ensemble.choose_weights` finds better ones.
    rules : Rules, rule, iterable of rules, or the path of a rule file, optional
        Soft ones cost their price in the vote's score.
    contexts : iterable of mappings, optional
        What comes with each sequence by name, for rules that ask for it.
    names : sequence of str, optional
        Of the taggers, for explanations.
    tolerance : float
        For a linear vote: the share of the best score that the winner may lack. 0 is exact.
    max_paths : int, optional
        For a linear vote: the most ways that are kept in a group. The bound of the answer says what that may have cost.
    **options
        Those of a `Decoder`: limits, and for votes that are not linear also the solver and so on.

    Returns
    -------
    list of Vote

    Examples
    --------
    >>> import lawful
    >>> class Says:
    ...     labels = lawful.LabelSet(["A", "B"])
    ...     def __init__(self, *scores): self.scores = scores
    ...     def lattice(self, tokens):
    ...         return lawful.Lattice([self.scores] * len(tokens), labels=self.labels, tokens=tokens)
    >>> [winner] = lawful.vote([Says(1.0, 0.0), Says(0.0, 3.0)], [["x", "y"]])
    >>> winner.labels, lawful.vote([Says(1.0, 0.0), Says(0.0, 3.0)], [["x", "y"]], rules=lawful.at_most(1, "B"))[0].labels
    (('B', 'B'), ('B', 'A'))
    """
    given: object = taggers
    if isinstance(given, str) or not isinstance(given, Iterable):
        raise InputError(f"taggers must be a list of taggers, got {given!r:.60}")
    ensemble = Ensemble(list(taggers), weights, method=method, names=names)._check()
    return list(
        ensemble.votes(X, rules, contexts=contexts, tolerance=tolerance, max_paths=max_paths, **options)
    )


def _is_fitted(tagger: Tagger) -> bool:
    return not isinstance(tagger, SequenceModel) or hasattr(tagger, "labels_")


def _names(taggers: Sequence[Tagger]) -> tuple[str, ...]:
    """What each tagger is, with numbers where that is not enough."""
    plain = [
        str(getattr(getattr(tagger, "encoding", None), "name", "")) or type(tagger).__name__
        for tagger in taggers
    ]
    return tuple(
        name if plain.count(name) == 1 else f"{name} {plain[: index + 1].count(name)}"
        for index, name in enumerate(plain)
    )


def _numbered(votes: Iterator[Vote]) -> Iterator[Vote]:
    """Errors say which sequence they are about."""
    number = 0
    while True:
        try:
            decided = next(votes)
        except StopIteration:
            return
        except SearchError as error:
            raise error.in_sequence(number) from None
        except Exception as error:
            error.add_note(f"in sequence {number + 1}")
            raise
        yield decided
        number += 1
