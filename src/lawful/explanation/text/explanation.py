"""How an explanation is shown."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING

from lawful.explanation.changes import Change
from lawful.explanation.runners_up import RunnerUp
from lawful.explanation.text.token_rows import short_text, token_rows
from lawful.support.styled_text import Line, StyledRun, columns, figures, times

if TYPE_CHECKING:
    from lawful.explanation.explaining import Explanation

__all__ = ["explanation_lines"]

MOST_DIFFERENCES = 4
MOST_TOKENS = 3


def explanation_lines(why: Explanation) -> list[Line]:
    """The text of `Explanation`: what changed and why, what rules cost, what nearly won."""
    sections = [_headline(why), _tokens(why), _prices(why), _broken(why), _runners_up(why)]
    lines: list[Line] = []
    for section in filter(None, sections):
        lines += [(), *section] if lines else section
    return lines


def _headline(why: Explanation) -> list[Line]:
    decoding = why.decoding
    changed, length = len(decoding.changed), len(decoding.labels)
    tokens = "1 token" if length == 1 else f"{length} tokens"
    loss, before, after = figures([decoding.loss, decoding.plain.score, decoding.score])
    fell = f"the score fell by {loss}, from {before} to {after}" if decoding.loss else f"the score is {after}"
    said = f"{changed} of {tokens} changed" if changed else "the rules change nothing"
    return [(StyledRun(said, "bold"), StyledRun(f"; {fell}; proved best"))]


def _tokens(why: Explanation) -> list[Line]:
    decoding = why.decoding
    notes = {change.start: _because(change) for change in why.changes}
    continued = {t: ['"'] for change in why.changes for t in range(change.start + 1, change.end)}
    return token_rows(
        decoding.lattice,
        decoding.plain_labels,
        decoding.labels,
        decoding.changed,
        heads=("before", "after"),
        notes=notes | continued,
    )


def _because(change: Change) -> list[str]:
    if not change.because:
        return ["by chance: an answer that is as good leaves this as it was"]
    sets = [" + ".join(rules) for rules in change.because]
    return [f"because of {sets[0]}", *(f"     or of {rules}" for rules in sets[1:])]


def _prices(why: Explanation) -> list[Line]:
    if not why.prices:
        return []
    shown = why.active
    rows = [
        [StyledRun(number, "yellow"), StyledRun(one.rule)]
        for number, one in zip(figures(one.price for one in shown), shown, strict=True)
    ]
    free = [one.rule for one in why.prices if not one.active]
    if free:
        which = free[0] if len(free) == 1 else f"any of the {'others' if shown else f'{len(free)} rules'}"
        reason = "; the others demand the same" if why.changes and not shown and len(free) > 1 else ""
        rows.append([StyledRun("0", "dim"), StyledRun(which + reason, "dim")])
    return [(StyledRun("dropping one rule would regain", "bold"),), *columns(rows, right=[0])]


def _broken(why: Explanation) -> list[Line]:
    rows = [
        [
            StyledRun(number, "red"),
            StyledRun(charge.rule),
            StyledRun(f"broken {times(charge.violations)}", "dim"),
        ]
        for number, charge in zip(figures(one.cost for one in why.broken), why.broken, strict=True)
    ]
    return (
        [(StyledRun("paid for rules that stay broken", "bold"),), *columns(rows, right=[0])] if rows else []
    )


def _runners_up(why: Explanation) -> list[Line]:
    numbers = figures(one.behind for one in why.runners_up)
    rows = [
        [
            StyledRun(f"{number} behind" if one.behind else "as good", "yellow"),
            StyledRun(_differences(why, one)),
        ]
        for number, one in zip(numbers, why.runners_up, strict=True)
    ]
    return [(StyledRun("runners-up", "bold"),), *columns(rows, right=[0])] if rows else []


def _differences(why: Explanation, other: RunnerUp) -> str:
    """What one would change to get this answer, neighbours with the same change together."""
    decoding = why.decoding

    def labels_at(t: int) -> tuple[str, str]:
        pair = (labels[t] if t < len(labels) else "nothing" for labels in (decoding.labels, other.labels))
        return next(pair), next(pair)

    said = []
    for (before, after, _), run in groupby(
        enumerate(other.differs), key=lambda numbered: (*labels_at(numbered[1]), numbered[1] - numbered[0])
    ):
        places = [t for _, t in run]
        said.append(f"{_place(why, places)} {before} -> {after}")
    more = [f"and {len(said) - MOST_DIFFERENCES} more"] if len(said) > MOST_DIFFERENCES else []
    pays = [f"breaks {charge.rule}" for charge in other.broken if charge not in why.broken]
    return ", ".join([*said[:MOST_DIFFERENCES], *more]) + "".join(f"; {one}" for one in pays)


def _place(why: Explanation, places: list[int]) -> str:
    numbers = f"{places[0]}-{places[-1]}" if len(places) > 1 else str(places[0])
    tokens = why.decoding.lattice.tokens
    if tokens is None:
        return numbers
    ends = places if len(places) <= MOST_TOKENS else [places[0], None, places[-1]]
    words = (".." if t is None else short_text(tokens, t) for t in ends)
    return f"{numbers} '{' '.join(words)}'"
