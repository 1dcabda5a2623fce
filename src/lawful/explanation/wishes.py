"""Why a labelling that somebody wished for is not the answer."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from lawful.decoding import Decoding
from lawful.errors import InternalError, ShapeError
from lawful.explanation.blocks import Block, find_block
from lawful.explanation.charges import Charge, bill_of, same
from lawful.explanation.proved import proved_answer
from lawful.explanation.text.why_not import why_not_lines
from lawful.lattice import GraphLattice, Lattice
from lawful.rules.rule import Rule
from lawful.rules.ruleset import Rules
from lawful.support.styled_text import Line, Shown, finite

__all__ = ["Verdict", "WhyNot", "compare", "why_not"]

Verdict = Literal["answer", "tie", "worse", "illegal", "impossible"]


@dataclass(frozen=True, eq=False)
class WhyNot(Shown):
    """A wished-for labelling beside the answer.

    Attributes
    ----------
    labels : tuple of str
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
         token  answer      wish
      0  x      A
      1  y      A       ->  B
      2  z      A
    <BLANKLINE>
                                answer  wish
      lattice                        5     6
      at_most_segments(1, 'A')          hard  broken once
      score                          5  -inf
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
        return why_not_lines(self)

    def to_dict(self) -> dict[str, Any]:
        """Ready for JSON; infinite numbers are None."""
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


def why_not(
    lattice: Lattice | GraphLattice,
    rules: Rules | Rule | Iterable[Rule],
    labels: Sequence[str],
    **options: Any,
) -> WhyNot:
    """Why these labels are not the answer: what they score, which rules they break, and what beats them.

    Parameters
    ----------
    lattice : Lattice or GraphLattice
    rules : Rules, a rule, or an iterable of rules
    labels : sequence of T label names
    **options
        See `Decoder`.

    Examples
    --------
    >>> import lawful
    >>> lattice = lawful.Lattice([[2.0, 0.0], [0.0, 1.0]], labels=["A", "B"])
    >>> wish = why_not(lattice, lawful.forbid("B").soft(0.25), ["A", "A"])
    >>> wish.verdict, wish.score, wish.behind
    ('worse', 2.0, 0.75)
    """
    return compare(proved_answer(lattice, rules, options), labels)


def compare(decoding: Decoding, labels: Sequence[str]) -> WhyNot:
    """The same for an answer that is already there."""
    lattice = decoding.lattice
    wished = tuple(labels)
    lattice.labels.encode(wished, where="the wished-for labels")
    if lattice.length is not None and len(wished) != lattice.length:
        raise ShapeError("labels", f"({lattice.length},), one for each token", (len(wished),))
    found = bill_of(lattice, decoding.rules, wished)
    tied = same(lattice, found.score, decoding.score)
    if found.score > decoding.score and not tied:
        raise InternalError(
            f"these labels score {found.score!r}, more than the answer that was proved best: a bug in lawful; "
            "please report it with the lattice and the rules"
        )
    block = find_block(lattice, wished)
    verdict: Verdict = (
        "answer"
        if wished == decoding.labels
        else "impossible"
        if block
        else "illegal"
        if any(charge.hard for charge in found.broken)
        else "tie"
        if tied
        else "worse"
    )
    return WhyNot(
        wished,
        decoding,
        found.lattice_score,
        found.broken,
        found.score,
        0.0 if tied else decoding.score - found.score,
        block,
        verdict,
    )
