"""Which sequences a report shows, and all that is known of one."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from lawful.corpus import Sentence
from lawful.decoding import Decoder, Decoding
from lawful.errors import LawfulError
from lawful.explanation import Explanation, explain
from lawful.explanation.text.token_rows import token_text
from lawful.report.content import ShownSequence

__all__ = ["Candidate", "explain_quietly", "show"]

EXPLAINING = 5.0  # seconds for each search
MOST_SETS = 100


@dataclass(frozen=True)
class Candidate:
    """A labelled sequence that a report may show."""

    number: int
    sentence: Sentence
    found: Decoding
    broken: tuple[str, ...]
    contradiction: tuple[str, ...]

    @cached_property
    def judged(self) -> tuple[int, int]:
        """How many changed tokens became right, and how many wrong."""
        if self.sentence.labels is None:
            return 0, 0
        old, new, gold = self.found.plain_labels, self.found.labels, self.sentence.labels
        places = self.found.changed
        return sum(new[t] == gold[t] for t in places), sum(old[t] == gold[t] for t in places)

    def interest(self) -> tuple[float, ...]:
        """Contradictions first, then what the rules did most to: for better, for worse, at a high price."""
        better, worse = self.judged
        found = self.found
        odd = float(found.status != "optimal")
        return (odd, better + 2 * worse, len(found.changed), found.loss, float(bool(self.broken)))


def show(candidate: Candidate, *, gold: bool) -> ShownSequence:
    """Everything about one sequence: reasons, prices, probabilities."""
    sentence, found = candidate.sentence, candidate.found
    why = explain_quietly(found)
    try:
        probabilities = Decoder(labels=found.lattice.labels).marginals(found.lattice).labels
    except LawfulError:
        probabilities = None  # scores that no probabilities can be made of
    return ShownSequence(
        number=candidate.number,
        place=sentence.location().rstrip(": "),
        tokens=tuple(token_text(token) for token in sentence.tokens),
        before=found.plain_labels,
        after=found.labels,
        gold=sentence.labels if gold else None,
        loss=found.loss,
        status=found.status,
        broken=candidate.broken,
        still_broken=found.broken,
        changes=() if why is None else why.changes,
        prices=() if why is None else why.prices,
        contradiction=candidate.contradiction,
        probabilities=probabilities,
    )


def explain_quietly(
    found: Decoding, *, runners_up: int = 0, timeout: float = EXPLAINING
) -> Explanation | None:
    """Why an answer is what it is; None if nothing changed, or it is not proved best, or a limit was reached."""
    if found.status != "optimal" or not found.changed:
        return None
    try:
        return explain(found, runners_up=runners_up, max_sets=MOST_SETS, timeout=timeout)
    except LawfulError:
        return None
