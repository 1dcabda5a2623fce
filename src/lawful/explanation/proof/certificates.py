"""Certificates: an answer is scored again by the definition, and bounded by another solver."""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass
from typing import Any, Literal

from lawful.decoding import Decoding
from lawful.errors import InputError
from lawful.explanation.charges import bill_of
from lawful.explanation.proof.bounds import (
    ENUMERATION,
    UpperBound,
    another_solver,
    bound_by_enumeration,
    bound_by_solver,
)
from lawful.lattice.sums import PathSum, add_up
from lawful.rules.ruleset import Rules
from lawful.support.limits import Limits
from lawful.support.styled_text import Line, Shown, StyledRun, columns, figures, finite

__all__ = ["Certificate", "verify"]

MOST_SEQUENCES = 100_000

Finding = Literal["proved", "refuted", "open"]


@dataclass(frozen=True)
class Certificate(Shown):
    """The outcome of checking an answer.

    Attributes
    ----------
    finding : "proved", "refuted" or "open"
        "open": a limit ended the check before it could decide.
    reason : str
        The finding in a sentence.
    claimed : float
        The score that the answer claims.
    score : float
        The score of its labels by the definition: the lattice's path score less the prices of the rules that
        they break, by the rules' reference meaning. NaN if they cannot be scored.
    bound : float
        No label sequence scores more, according to the other solver. Infinite if no other solver ran.
    solver : str
        The solver that found the answer.
    checked_by : str
        The solver that found the bound; empty if none ran.

    Examples
    --------
    >>> import lawful
    >>> lattice = lawful.Lattice([[2.0, 0.0], [0.0, 1.0], [3.0, 0.5]], labels=["A", "B"])
    >>> print(lawful.verify(lawful.decode(lattice, lawful.at_most_segments(1, "A"))))
    proved: no label sequence scores more than this one
    <BLANKLINE>
      claimed     5  by auto
      recomputed  5  path score and the rules' reference meaning
      bound       5  by relaxation
    """

    finding: Finding
    reason: str
    claimed: float
    score: float
    bound: float
    solver: str
    checked_by: str

    @property
    def holds(self) -> bool:
        """Whether everything that the answer claims is proved."""
        return self.finding == "proved"

    def __bool__(self) -> bool:
        return self.holds

    def to_dict(self) -> dict[str, Any]:
        """The certificate as a dict, ready for JSON; numbers that are not finite are None."""
        numbers = {name: finite(getattr(self, name)) for name in ("claimed", "score", "bound")}
        return asdict(self) | numbers | {"holds": self.holds}

    def lines(self) -> list[Line]:
        """The text, line by line, with styles."""
        colour = {"proved": "bold green", "refuted": "bold red", "open": "bold yellow"}[self.finding]
        claimed, score, bound = figures([self.claimed, self.score, self.bound])
        rows = [
            [StyledRun("claimed"), StyledRun(claimed), StyledRun(f"by {self.solver}", "dim")],
            [
                StyledRun("recomputed"),
                StyledRun(score),
                StyledRun("path score and the rules' reference meaning", "dim"),
            ],
        ]
        if self.checked_by:
            rows.append([StyledRun("bound"), StyledRun(bound), StyledRun(f"by {self.checked_by}", "dim")])
        return [
            (StyledRun(self.finding, colour), StyledRun(f": {self.reason}")),
            (),
            *columns(rows, right=[1]),
        ]


def verify(
    decoding: Decoding,
    *,
    solver: str | None = None,
    max_states: int | None = None,
    timeout: float | None = None,
    max_memory: int | None = None,
    max_sequences: int = MOST_SEQUENCES,
) -> Certificate:
    """Check an answer without trusting the solver that found it.

    Its labels are scored again by the definition; then another solver finds the best score. For an answer that is only
    bounded, its bound is checked; for one that breaks hard rules ("least bad"), that no answer obeys them all.

    Parameters
    ----------
    decoding : Decoding
    solver : str, optional
        The solver that bounds the score; by default one with another implementation than the answer's. "enumeration"
        scores, by the rules' reference meaning, every label sequence to which the trellis alone gives more than the
        answer: it shares nothing with the solvers, not even the rules' automata.
    max_states, timeout, max_memory : number, optional
        Limits of the check. "enumeration" knows `timeout` only.
    max_sequences : int
        Maximum number of sequences that "enumeration" may score.

    Examples
    --------
    >>> import lawful
    >>> lattice = lawful.Lattice([[2.0, 0.0], [0.0, 1.0], [3.0, 0.5]], labels=["A", "B"])
    >>> best = lawful.decode(lattice, lawful.at_most_segments(1, "A"))
    >>> verify(best).holds, verify(best, solver="enumeration").reason
    (True, 'no label sequence scores more than this one')
    """
    limits = Limits(max_states, timeout, max_memory, "bounded").started()
    lattice, claimed = decoding.lattice, decoding.score
    rules = Rules() if decoding.fell_back else decoding.rules
    name = another_solver(decoding, solver)

    def certificate(
        finding: Finding, reason: str, score: float, bound: float = math.inf, by: str = ""
    ) -> Certificate:
        return Certificate(finding, reason, claimed, score, bound, decoding.solver, by)

    answer = add_up([-math.inf])  # no labels at all
    if decoding.solution.labels is not None:
        try:
            bill = bill_of(lattice, rules, decoding.labels)
        except InputError as error:
            return certificate("refuted", f"these labels do not fit the lattice: {error}", math.nan)
        hard = [charge.rule for charge in bill.broken if charge.hard]
        if hard and decoding.status != "infeasible":
            return certificate("refuted", f"these labels break the hard rule {hard[0]!r}", -math.inf)
        answer = bill.under([charge.rule for charge in bill.broken if not charge.hard])
    score = answer.score
    if not (claimed == score or abs(claimed - score) <= answer.rounding):
        return certificate("refuted", f"these labels score {score:.12g}, not {claimed:.12g}", score)
    promised, slack = _promised(decoding, answer)
    if name == ENUMERATION:
        bound = bound_by_enumeration(lattice, rules, promised, max_sequences, limits, rounding=slack)
    else:
        bound = bound_by_solver(lattice, rules, name, limits)
    finding, reason = _judged(decoding, answer, bound)
    return certificate(finding, reason, score, bound.most, name)


def _promised(decoding: Decoding, answer: PathSum) -> tuple[float, float]:
    """The score that no label sequence exceeds if the answer is right, and what rounding may hide in it."""
    return {
        "optimal": (answer.score, answer.rounding),
        "bounded": (decoding.bound, 0.0),
        "infeasible": (-math.inf, 0.0),
    }[decoding.status]


def _judged(decoding: Decoding, answer: PathSum, bound: UpperBound) -> tuple[Finding, str]:
    promised, slack = _promised(decoding, answer)
    reached = bound.reached
    # Each of the paths that are compared may be put wrong by the rounding of its own terms, and by nothing else.
    rounding = 0.0 if reached is None else reached.rounding
    if reached is not None and reached.score > promised + slack + rounding:
        return "refuted", f"another label sequence obeys all hard rules and scores {reached.score:.12g}"
    if bound.most > promised + slack + rounding:
        return "open", f"the check ended before it could decide: {bound.stopped}"
    if decoding.status == "infeasible":
        return "proved", "no label sequence obeys all hard rules (how well this one does was not checked)"
    if answer.score > bound.most + answer.rounding + rounding:
        return "refuted", f"the solvers disagree: the other one finds no more than {bound.most:.12g}"
    if decoding.status == "bounded":
        return "proved", f"no label sequence scores more than the bound {promised:.12g}"
    without = " without rules (obeying them costs more than max_loss)" if decoding.fell_back else ""
    return "proved", f"no label sequence scores more than this one{without}"
