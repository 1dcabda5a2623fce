"""Why other labels than the answer's lose against it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal, Unpack

from lawful.decoding import Decoding
from lawful.decoding.options import DecoderOptions
from lawful.errors import InternalError, ShapeError
from lawful.explanation.charges import Bill, Charge, bill_of
from lawful.explanation.proved import proved_decoding
from lawful.explanation.runners_up import positions_apart
from lawful.explanation.text.bills import bill_rows
from lawful.explanation.text.token_rows import token_rows
from lawful.lattice import AnyLattice
from lawful.lattice.base import Block
from lawful.rules.given_rules import RulesLike
from lawful.support.styled_text import Line, Shown, StyledRun, figures, finite

__all__ = ["Verdict", "WhyNot", "compare", "why_not"]

Verdict = Literal["answer", "tie", "worse", "illegal", "impossible"]


@dataclass(frozen=True, eq=False)
class WhyNot(Shown):
    """Proposed labels compared with the answer.

    Attributes
    ----------
    labels : tuple of str
        The proposed labels.
    decoding : Decoding
        The answer.
    lattice_score : float
        What the lattice gives the labels, without rules; -inf if it forbids them.
    broken : tuple of Charge
        The rules that the labels break, and what that costs.
    score : float
        The lattice score less those costs.
    behind : float
        How much less that is than the best score: 0 if nothing is better, infinite if the labels are forbidden.
    block : Block or None
        Where the lattice forbids the labels, if it does.
    verdict : str
        "answer": these labels are the answer; "tie": they are as good; "worse": they score less; "illegal":
        they break hard rules; "impossible": the lattice forbids them.

    Examples
    --------
    >>> import lawful
    >>> lattice = lawful.Lattice([[2.0, 0.0], [0.0, 1.0], [3.0, 0.5]], labels=["A", "B"], tokens=["x", "y", "z"])
    >>> print(lawful.why_not(lattice, lawful.at_most_segments(1, "A"), ["A", "B", "A"]))
    these labels break a hard rule
    <BLANKLINE>
         token  answer      proposed
      0  x      A
      1  y      A       ->  B
      2  z      A
    <BLANKLINE>
                                answer  proposed
      lattice                        5         6
      at_most_segments(1, 'A')              hard  broken once
      score                          5      -inf
    """

    labels: tuple[str, ...]
    decoding: Decoding
    lattice_score: float
    broken: tuple[Charge, ...]
    score: float
    behind: float
    block: Block | None
    verdict: Verdict

    def lines(self) -> list[Line]:
        """The text, line by line, with styles."""
        decoding = self.decoding
        lines: list[Line] = [(StyledRun(self._verdict_text(), "bold"),)]
        apart = positions_apart(self.labels, decoding.labels)
        if apart:
            heads = ("answer", "proposed")
            lines += [(), *token_rows(decoding.lattice, decoding.labels, self.labels, apart, heads=heads)]
        answer = bill_of(decoding.lattice, decoding.rules, decoding.labels)
        proposed = Bill((self.lattice_score,), self.broken)
        return [*lines, (), *bill_rows(decoding.rules.names, answer, proposed)]

    def to_dict(self) -> dict[str, Any]:
        """The comparison as a dict, ready for JSON; infinite numbers are None."""
        return {
            "labels": list(self.labels),
            "verdict": self.verdict,
            "lattice_score": finite(self.lattice_score),
            "broken": [charge.to_dict() for charge in self.broken],
            "score": finite(self.score),
            "behind": finite(self.behind),
            "block": None if self.block is None else self.block._asdict(),
            "best_labels": list(self.decoding.labels),
            "best_score": self.decoding.score,
        }

    def _verdict_text(self) -> str:
        hard = sum(charge.hard for charge in self.broken)
        (behind,) = figures([self.behind])
        return {
            "answer": "these labels are the answer",
            "tie": "these labels are as good as the answer",
            "worse": f"these labels score {behind} less than the answer",
            "illegal": f"these labels break {'a hard rule' if hard == 1 else f'{hard} hard rules'}",
            "impossible": f"the lattice forbids {self.block.what if self.block else 'these labels'}",
        }[self.verdict]


def why_not(
    lattice: AnyLattice,
    rules: RulesLike,
    labels: Sequence[str],
    **options: Unpack[DecoderOptions],
) -> WhyNot:
    """Why these labels are not the answer: what they score, which rules they break, and what beats them.

    Parameters
    ----------
    lattice : Lattice or GraphLattice
    rules : Rules, a rule, an iterable of rules, or the path of a rule file
    labels : sequence of T label names
    **options
        See `Decoder`.

    Examples
    --------
    >>> import lawful
    >>> lattice = lawful.Lattice([[2.0, 0.0], [0.0, 1.0]], labels=["A", "B"])
    >>> other = why_not(lattice, lawful.forbid("B").soft(0.25), ["A", "A"])
    >>> other.verdict, other.score, other.behind
    ('worse', 2.0, 0.75)
    """
    return compare(proved_decoding(lattice, rules, options), labels)


def compare(decoding: Decoding, labels: Sequence[str]) -> WhyNot:
    """Compare labels with an answer that is already known."""
    lattice = decoding.lattice
    proposed = tuple(labels)
    lattice.labels.encode(proposed, where="the proposed labels")
    if lattice.length is not None and len(proposed) != lattice.length:
        raise ShapeError("labels", f"({lattice.length},), one for each token", (len(proposed),))
    bill = bill_of(lattice, decoding.rules, proposed)
    total, answer = bill.total, bill_of(lattice, decoding.rules, decoding.labels).total
    if total.beats(answer):
        raise InternalError(
            f"these labels score {total.score!r}, more than the answer that was proved best: this is a bug in lawful; "
            "please report it with the lattice and the rules"
        )
    block = lattice.find_block(proposed)
    verdict: Verdict = (
        "answer"
        if proposed == decoding.labels
        else "impossible"
        if block
        else "illegal"
        if any(charge.hard for charge in bill.broken)
        else "worse"
        if answer.beats(total)
        else "tie"
    )
    return WhyNot(
        proposed,
        decoding,
        bill.lattice_score,
        bill.broken,
        total.score,
        answer.lead(total),
        block,
        verdict,
    )
