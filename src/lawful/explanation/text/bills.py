"""The scores of two labellings side by side: what the lattice gives, and what each broken rule costs."""

from __future__ import annotations

from collections.abc import Sequence

from lawful.explanation.charges import Bill
from lawful.support.styled_text import Line, StyledRun, columns, figures, times

__all__ = ["bill_rows"]


def bill_rows(rules: Sequence[str], answer: Bill, proposed: Bill) -> list[Line]:
    """A table of the lattice score, the cost of each broken rule and the total.

    Parameters
    ----------
    rules : sequence of str
        The names of all rules, in order; only those that one of the two breaks are shown.
    answer, proposed : Bill
    """
    answer_charges = {charge.rule: charge for charge in answer.broken}
    proposed_charges = {charge.rule: charge for charge in proposed.broken}
    broken = [name for name in rules if name in answer_charges or name in proposed_charges]
    answer_column, proposed_column = (
        [
            bill.lattice_score,
            *(-charges[name].cost if name in charges else 0.0 for name in broken),
            bill.total.score,
        ]
        for bill, charges in ((answer, answer_charges), (proposed, proposed_charges))
    )
    # Both columns are formatted in one call, so that they get the same number of decimals.
    numbers = figures([*answer_column, *proposed_column])
    left, right = numbers[: len(answer_column)], numbers[len(answer_column) :]
    rows = [[StyledRun(""), StyledRun("answer", "dim"), StyledRun("proposed", "dim")]]
    rows.append([StyledRun("lattice"), StyledRun(left[0]), StyledRun(right[0])])
    for name, answer_cost, proposed_cost in zip(broken, left[1:-1], right[1:-1], strict=True):
        charge = proposed_charges.get(name)
        rows.append(
            [
                StyledRun(name),
                StyledRun(answer_cost if name in answer_charges else ""),
                StyledRun("" if charge is None else "hard" if charge.hard else proposed_cost, "red"),
                StyledRun("" if charge is None else f"broken {times(charge.violations)}", "dim"),
            ]
        )
    rows.append([StyledRun("score", "bold"), StyledRun(left[-1], "bold"), StyledRun(right[-1], "bold")])
    return columns(rows, right=[1, 2])
