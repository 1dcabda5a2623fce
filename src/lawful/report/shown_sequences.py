"""The sequences that a report shows: which ones, and what it says about each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from lawful.corpus import Sentence
from lawful.decoding import Decoding
from lawful.decoding.functions import label_probabilities
from lawful.errors import LawfulError
from lawful.explanation import Explanation, explain
from lawful.explanation.text.token_rows import token_text
from lawful.report.content import ShownSequence
from lawful.report.sentence_view import SentenceView
from lawful.voting import Ensemble, VoteExplanation

__all__ = ["Candidate", "explain_quietly", "show", "vote_quietly"]

EXPLAINING = 5.0  # seconds for each search
MOST_SETS = 100


@dataclass(frozen=True)
class Candidate:
    """A labelled sequence that a report may show: which rules it breaks before and after, and which contradict each other."""

    number: int
    sentence: Sentence
    decoding: Decoding
    broken: tuple[str, ...]
    still_broken: tuple[str, ...]
    contradiction: tuple[str, ...]
    view: SentenceView | None = None

    @cached_property
    def judged(self) -> tuple[int, int]:
        """How many changed tokens became right, and how many wrong."""
        if self.sentence.labels is None:
            return 0, 0
        old, new, gold = self.decoding.plain_labels, self.decoding.labels, self.sentence.labels
        changed = self.decoding.changed
        return sum(new[t] == gold[t] for t in changed), sum(old[t] == gold[t] for t in changed)

    def interest(self) -> tuple[float, ...]:
        """What candidates are ordered by: contradictions first, then how much the rules changed, for better or worse."""
        better, worse = self.judged
        decoding = self.decoding
        unusual = float(decoding.status != "optimal")
        return (
            unusual,
            better + 2 * worse,  # what the rules made worse is shown rather than what they made better
            len(decoding.changed),
            decoding.loss,
            float(bool(self.broken)),
        )


def show(candidate: Candidate, *, gold: bool, ensemble: Ensemble | None = None) -> ShownSequence:
    """Everything that a report says about one sequence: reasons, prices, probabilities."""
    sentence, decoding = candidate.sentence, candidate.decoding
    explanation = explain_quietly(decoding)
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


def explain_quietly(
    decoding: Decoding, *, runners_up: int = 0, timeout: float = EXPLAINING
) -> Explanation | None:
    """The explanation of an answer; None if nothing changed, if it may not be optimal, or if a limit was reached."""
    if decoding.status != "optimal" or not decoding.changed:
        return None
    try:
        return explain(decoding, runners_up=runners_up, max_sets=MOST_SETS, timeout=timeout)
    except LawfulError:
        return None
