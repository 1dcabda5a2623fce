"""What has to be said about answers: rules that they break, limits that ended the search, and answers without labels."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from lawful.cli.boundary import DONE, FAILED, Failure
from lawful.corpus import Sentence
from lawful.errors import NoLabelsError

__all__ = ["Remarks", "require_labels"]


LIMITS = "--timeout or --max-states"


class Remarks:
    """Counts the answers that need a remark at the end, while they pass.

    Examples
    --------
    >>> remarks = Remarks()
    >>> remarks.count(["optimal", "bounded"])
    >>> remarks.infeasible, remarks.bounded
    (0, 1)
    """

    def __init__(self) -> None:
        self.infeasible = self.bounded = 0
        self.left_out: list[str] = []

    def count(self, statuses: Sequence[str]) -> None:
        """Count answers by their statuses."""
        self.infeasible += statuses.count("infeasible")
        self.bounded += statuses.count("bounded")

    def leave_out(self, sentence: Sentence, number: int) -> None:
        """Note that a sequence is not written, since a limit left it without labels; its answer was counted as bounded."""
        self.bounded -= 1
        location = sentence.location().removesuffix(": ")
        self.left_out.append(f"sequence {number}" + (f" ({location})" if location else ""))

    def print(self) -> int:
        """Print the remarks on stderr, if there are any; the exit code of the command."""
        if self.infeasible:
            print(
                f"lawful: {_sequences(self.infeasible)} cannot obey all hard rules; "
                "the labels with the fewest violations were taken",
                file=sys.stderr,
            )
        if self.bounded:
            print(
                f"lawful: {_sequences(self.bounded)} {'was' if self.bounded == 1 else 'were'} not searched to the end; "
                f"{'its' if self.bounded == 1 else 'their'} labels may not be optimal",
                file=sys.stderr,
            )
        if self.left_out:
            left = (
                f"{_sequences(len(self.left_out))} {'was' if len(self.left_out) == 1 else 'were'} left out: "
            )
            print(f"lawful: {NoLabelsError(LIMITS, left)}", file=sys.stderr)
            for location in self.left_out:
                print(f"  {location}", file=sys.stderr)
        return FAILED if self.left_out else DONE


def require_labels(labels: Sequence[str], location: str) -> None:
    """Stop at an answer without labels: a limit ended the search before it found any that obey.

    Examples
    --------
    >>> require_labels((), "a.conll, line 3: ")
    Traceback (most recent call last):
    lawful.cli.boundary.Failure: a.conll, line 3: a limit ended the search before it found any labels that obey the rules: raise --timeout or --max-states, or leave such sequences out with --on-limit skip
    """
    if not labels:
        raise Failure(f"{NoLabelsError(LIMITS, location)}, or leave such sequences out with --on-limit skip")


def _sequences(count: int) -> str:
    return f"{count:,} sequence{'' if count == 1 else 's'}"
