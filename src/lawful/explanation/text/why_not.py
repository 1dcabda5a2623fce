"""How a wish is shown beside the answer."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lawful.explanation.charges import bill_of
from lawful.explanation.runners_up import positions_apart
from lawful.explanation.text.token_rows import token_rows
from lawful.support.styled_text import Line, StyledRun, columns, figures, times

if TYPE_CHECKING:
    from lawful.explanation.wishes import WhyNot

__all__ = ["why_not_lines"]


def why_not_lines(wish: WhyNot) -> list[Line]:
    """The text of `WhyNot`: the verdict, the tokens that differ, and both scores as bills."""
    lines: list[Line] = [(StyledRun(_verdict(wish), "bold"),)]
    apart = positions_apart(wish.labels, wish.decoding.labels)
    if apart:
        lines += [
            (),
            *token_rows(
                wish.decoding.lattice, wish.decoding.labels, wish.labels, apart, heads=("answer", "wish")
            ),
        ]
    return [*lines, (), *_bills(wish)]


def _verdict(wish: WhyNot) -> str:
    hard = sum(charge.hard for charge in wish.broken)
    (behind,) = figures([wish.behind])
    return {
        "answer": "these labels are the answer",
        "tie": "these labels are as good as the answer",
        "worse": f"these labels score {behind} less than the answer",
        "illegal": f"these labels break {'a hard rule' if hard == 1 else f'{hard} hard rules'}",
        "impossible": f"the lattice forbids {wish.block.what if wish.block else 'these labels'}",
    }[wish.verdict]


def _bills(wish: WhyNot) -> list[Line]:
    """What the lattice gives and what each broken rule takes, for the answer and for the wish."""
    decoding = wish.decoding
    answer = bill_of(decoding.lattice, decoding.rules, decoding.labels)
    ours = {charge.rule: charge for charge in answer.broken}
    theirs = {charge.rule: charge for charge in wish.broken}
    rules = [name for name in decoding.rules.names if name in ours or name in theirs]
    paid = [[-by[name].cost if name in by else 0.0 for name in rules] for by in (ours, theirs)]
    numbers = figures(
        [answer.lattice_score, *paid[0], answer.score, wish.lattice_score, *paid[1], wish.score]
    )
    left, right = numbers[: len(rules) + 2], numbers[len(rules) + 2 :]
    rows = [[StyledRun(""), StyledRun("answer", "dim"), StyledRun("wish", "dim")]]
    rows.append([StyledRun("lattice"), StyledRun(left[0]), StyledRun(right[0])])
    for name, mine, yours in zip(rules, left[1:-1], right[1:-1], strict=True):
        charge = theirs.get(name)
        rows.append(
            [
                StyledRun(name),
                StyledRun(mine if name in ours else ""),
                StyledRun("" if charge is None else "hard" if charge.hard else yours, "red"),
                StyledRun("" if charge is None else f"broken {times(charge.violations)}", "dim"),
            ]
        )
    rows.append([StyledRun("score", "bold"), StyledRun(left[-1], "bold"), StyledRun(right[-1], "bold")])
    return columns(rows, right=[1, 2])
