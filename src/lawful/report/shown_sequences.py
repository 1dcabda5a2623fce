"""The sequences that a report shows: which ones, and what it says about each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import compress
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from lawful.corpus import Sentence
from lawful.decoding import Decoding, Decodings
from lawful.decoding.functions import label_probabilities
from lawful.errors import LawfulError
from lawful.explanation import Explanation, explain
from lawful.explanation.explanation import explain_answers
from lawful.explanation.subset_answers import SubsetAnswers
from lawful.explanation.text.token_rows import token_text
from lawful.report.content import ShownSequence
from lawful.report.sentence_view import SentenceView
from lawful.support.limits import Limits
from lawful.voting import Ensemble, VoteExplanation

__all__ = ["Candidate", "Candidates", "Interest", "explain_quietly", "show", "vote_quietly"]

EXPLAINING = 5.0  # seconds for each search
MOST_SETS = 100


class Interest(NamedTuple):
    """What sequences are ordered by: contradictions first, then how much the rules changed, for better or worse."""

    unusual: bool = False
    judged: int = 0
    changed: int = 0
    loss: float = 0.0
    broken: bool = False


@dataclass(frozen=True)
class Candidate:
    """A labelled sequence that a report may show: which rules it breaks before and after, and which contradict each other.

    `counts` says how often its labels before and after violate each rule.
    """

    number: int
    sentence: Sentence
    decoding: Decoding
    broken: tuple[str, ...]
    still_broken: tuple[str, ...]
    contradiction: tuple[str, ...]
    counts: Sequence[Sequence[int]]
    view: SentenceView | None = None

    @cached_property
    def answers(self) -> SubsetAnswers:
        """What would happen without some of the rules: asked for their effects, and again to explain them."""
        labels = self.decoding.plain_labels, self.decoding.labels
        return SubsetAnswers(self.decoding, counted=dict(zip(labels, self.counts, strict=True)))

    @cached_property
    def judged(self) -> tuple[int, int]:
        """How many changed tokens became right, and how many wrong."""
        if self.sentence.labels is None:
            return 0, 0
        old, new, gold = self.decoding.plain_labels, self.decoding.labels, self.sentence.labels
        changed = self.decoding.changed
        return sum(new[t] == gold[t] for t in changed), sum(old[t] == gold[t] for t in changed)

    @property
    def interest(self) -> Interest:
        """How interesting it is."""
        better, worse = self.judged
        decoding = self.decoding
        return Interest(
            unusual=decoding.status != "optimal",
            # What the rules made worse is shown rather than what they made better.
            judged=better + 2 * worse,
            changed=len(decoding.changed),
            loss=decoding.loss,
            broken=bool(self.broken),
        )


@dataclass(frozen=True)
class Candidates:
    """The sequences of a batch, by index. Each is looked at when it is asked for: few are.

    Attributes
    ----------
    first : int
        The number of the first one.
    sentences, views : sequences
        There may be no views at all.
    plain, ruled : Decodings
        Without rules, and with rules.
    names : tuple of str
        Of the rules.
    counts : int array (N, 3, R)
        How often the labels of each sequence without rules, with rules, and the gold ones violate each rule.
    contradictions : mapping of index to rules
    """

    first: int
    sentences: Sequence[Sentence]
    views: Sequence[SentenceView | None] | None
    plain: Decodings
    ruled: Decodings
    names: tuple[str, ...]
    counts: npt.NDArray[np.int64]
    contradictions: Mapping[int, tuple[str, ...]]
    _known: dict[int, Candidate] = field(default_factory=dict)

    def __getitem__(self, index: int) -> Candidate:
        if index not in self._known:
            decoding = self.ruled[index]
            decoding.plain = self.plain[index]  # to be decoded alone would take longer
            before, after = self.counts[index, :2].tolist()
            self._known[index] = Candidate(
                number=self.first + index,
                sentence=self.sentences[index],
                decoding=decoding,
                broken=tuple(compress(self.names, before)),
                still_broken=tuple(compress(self.names, after)),
                contradiction=self.contradictions.get(index, ()),
                counts=(before, after),
                view=None if self.views is None else self.views[index],
            )
        return self._known[index]


def show(candidate: Candidate, *, gold: bool, ensemble: Ensemble | None = None) -> ShownSequence:
    """Everything that a report says about one sequence: reasons, prices, probabilities."""
    sentence, decoding = candidate.sentence, candidate.decoding
    explanation = _explain_candidate(candidate)
    try:
        probabilities = label_probabilities(decoding.lattice)
    except LawfulError:
        probabilities = None  # scores that have no marginals
    return ShownSequence(
        number=candidate.number,
        location=sentence.location().rstrip(": "),
        tokens=tuple(token_text(token) for token in sentence.tokens),
        before=decoding.plain_labels,
        after=decoding.labels,
        gold=sentence.labels if gold else None,
        loss=decoding.loss,
        status=decoding.status,
        broken=candidate.broken,
        still_broken=candidate.still_broken,
        changes=() if explanation is None else explanation.changes,
        prices=() if explanation is None else explanation.prices,
        contradiction=candidate.contradiction,
        probabilities=probabilities,
        view=candidate.view,
        vote=None if ensemble is None else vote_quietly(ensemble, decoding, list(sentence.inputs())),
    )


def vote_quietly(ensemble: Ensemble, decoding: Decoding, tokens: Sequence[Any]) -> VoteExplanation | None:
    """What each tagger of an ensemble wanted; None where the rules contradict each other, so that nobody won."""
    return None if decoding.status == "infeasible" else ensemble.explain(decoding, tokens)


def _explain_candidate(candidate: Candidate) -> Explanation | None:
    if not _explicable(candidate.decoding):
        return None
    try:
        candidate.answers.limit(Limits(timeout=EXPLAINING))
        return explain_answers(candidate.answers, runners_up=0, max_sets=MOST_SETS)
    except LawfulError:
        return None


def _explicable(decoding: Decoding) -> bool:
    return decoding.status == "optimal" and bool(decoding.changed)


def explain_quietly(decoding: Decoding, *, runners_up: int, timeout: float) -> Explanation | None:
    """The explanation of an answer; None if nothing changed, if it may not be optimal, or if a limit was reached."""
    if not _explicable(decoding):
        return None
    try:
        return explain(decoding, runners_up=runners_up, max_sets=MOST_SETS, timeout=timeout)
    except LawfulError:
        return None
