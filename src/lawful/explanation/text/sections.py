"""The sections of an explanation: what changed and why, what rules cost, which answers came close."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

from lawful.decoding import Decoding
from lawful.explanation.changes import Change
from lawful.explanation.charges import Charge
from lawful.explanation.prices import RulePrice
from lawful.explanation.runners_up import RunnerUp
from lawful.explanation.text.token_rows import short_text, token_rows
from lawful.support.styled_text import Line, StyledRun, columns, figures, times

__all__ = ["broken_section", "change_section", "headline", "price_section", "runner_up_section"]

MOST_DIFFERENCES = 4
MOST_TOKENS = 3


def headline(decoding: Decoding) -> list[Line]:
    """How many tokens changed, and what that cost."""
    changed, length = len(decoding.changed), len(decoding.labels)
    tokens = "1 token" if length == 1 else f"{length} tokens"
    loss, before, after = figures([decoding.loss, decoding.plain.score, decoding.score])
    score = (
        f"the score fell by {loss}, from {before} to {after}" if decoding.loss else f"the score is {after}"
    )
    summary = f"{changed} of {tokens} changed" if changed else "the rules change nothing"
    return [(StyledRun(summary, "bold"), StyledRun(f"; {score}; proved best"))]


def change_section(decoding: Decoding, changes: Sequence[Change]) -> list[Line]:
    """The changed tokens, each with the rules that forced the change."""
    notes = {change.start: _because(change) for change in changes}
    continued = {t: ['"'] for change in changes for t in range(change.start + 1, change.end)}
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
        return ["a tie: an equally good answer leaves this unchanged"]
    sets = [" + ".join(rules) for rules in change.because]
    return [f"because of {sets[0]}", *(f"     or of {rules}" for rules in sets[1:])]


def price_section(prices: Sequence[RulePrice], *, changed: bool) -> list[Line]:
    """What dropping each rule alone would regain, the most expensive rule first."""
    if not (changed or any(price.active for price in prices)):
        return []  # nothing to regain
    active = sorted((price for price in prices if price.active), key=lambda price: -price.price)
    rows = [
        [StyledRun(number, "yellow"), StyledRun(price.rule)]
        for number, price in zip(figures(price.price for price in active), active, strict=True)
    ]
    free = [price.rule for price in prices if not price.active]
    if free:
        which = free[0] if len(free) == 1 else f"any of the {'others' if active else f'{len(free)} rules'}"
        # Without an active rule, a change is demanded by several rules at once: dropping one regains nothing.
        reason = "; the others demand the same" if changed and not active and len(free) > 1 else ""
        rows.append([StyledRun("0", "dim"), StyledRun(which + reason, "dim")])
    return [(StyledRun("dropping one rule would regain", "bold"),), *columns(rows, right=[0])]


def broken_section(broken: Sequence[Charge]) -> list[Line]:
    """The soft rules that the answer breaks, and what it pays for that."""
    rows = [
        [
            StyledRun(number, "red"),
            StyledRun(charge.rule),
            StyledRun(f"broken {times(charge.violations)}", "dim"),
        ]
        for number, charge in zip(figures(charge.cost for charge in broken), broken, strict=True)
    ]
    return (
        [(StyledRun("paid for rules that stay broken", "bold"),), *columns(rows, right=[0])] if rows else []
    )


def runner_up_section(
    decoding: Decoding, runners_up: Sequence[RunnerUp], broken: Sequence[Charge]
) -> list[Line]:
    """The next best answers, as differences from the answer; `broken` is what the answer itself breaks."""
    numbers = figures(runner_up.behind for runner_up in runners_up)
    rows = [
        [
            StyledRun(f"{number} behind" if runner_up.behind else "as good", "yellow"),
            StyledRun(_differences(decoding, runner_up, broken)),
        ]
        for number, runner_up in zip(numbers, runners_up, strict=True)
    ]
    return [(StyledRun("runners-up", "bold"),), *columns(rows, right=[0])] if rows else []


def _differences(decoding: Decoding, other: RunnerUp, broken: Sequence[Charge]) -> str:
    """What would have to change to get this answer, neighbours with the same change together."""

    def labels_at(t: int) -> tuple[str, str]:
        pair = (labels[t] if t < len(labels) else "nothing" for labels in (decoding.labels, other.labels))
        return next(pair), next(pair)

    # Neighbours have the same difference between their position and their index.
    differences = []
    for (before, after, _), run in groupby(
        enumerate(other.differs), key=lambda numbered: (*labels_at(numbered[1]), numbered[1] - numbered[0])
    ):
        positions = [t for _, t in run]
        differences.append(f"{_tokens_at(decoding, positions)} {before} -> {after}")
    hidden = len(differences) - MOST_DIFFERENCES
    more = [f"and {hidden} more"] if hidden > 0 else []
    pays = "".join(f"; breaks {charge.rule}" for charge in other.broken if charge not in broken)
    return ", ".join([*differences[:MOST_DIFFERENCES], *more]) + pays


def _tokens_at(decoding: Decoding, positions: list[int]) -> str:
    """Neighbouring positions as "2-4 'the first .. last'"."""
    numbers = f"{positions[0]}-{positions[-1]}" if len(positions) > 1 else str(positions[0])
    tokens = decoding.lattice.tokens
    if tokens is None:
        return numbers
    ends = positions if len(positions) <= MOST_TOKENS else [positions[0], None, positions[-1]]
    words = (".." if t is None else short_text(tokens, t) for t in ends)
    return f"{numbers} '{' '.join(words)}'"
