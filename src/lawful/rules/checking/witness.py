"""Whether rules can hold together: a sequence that obeys them all, or the few that contradict each other."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import product
from typing import NamedTuple

from lawful.errors import LimitError
from lawful.rules.checking.search import Searcher, Step
from lawful.rules.languages.acceptors import Reading

__all__ = ["Answer", "find_witness"]

FEW = 4
EASY = 100  # states within which a shortest sequence is looked for, before any is welcome


class Answer(NamedTuple):
    """A sequence that obeys all rules; or none, and then the rules (by name) that leave none."""

    sequence: tuple[Step, ...] | None
    core: tuple[str, ...]
    shortest: bool = False


def find_witness(
    rules: Mapping[str, Reading], wanted: Sequence[Reading] = (), *, limit: int = 10_000
) -> Answer:
    """A sequence that obeys all rules and that all of `wanted` accept.

    Rules enter one at a time, and only when the sequence found without them breaks them: the relaxation of Tromble
    and Eisner (2006), for whole languages. So many rules that have nothing to do with each other cost little.

    Raises
    ------
    LimitError
        If that takes a product of more than `limit` states.

    Examples
    --------
    >>> from lawful.labels import LabelSet
    >>> from lawful.rules import at_least, at_most, forbid
    >>> from lawful.rules.languages.alphabet import Outcomes
    >>> from lawful.rules.languages.acceptors import read_symbols
    >>> rules = [forbid("B"), at_least(2, "A"), at_most(1, "A")]
    >>> readings = {one.name: read_symbols(one, LabelSet(["A", "B"]), Outcomes.of([])) for one in rules}
    >>> find_witness(readings).core
    ("at_least(2, 'A')", "at_most(1, 'A')")
    """
    active: list[str] = []
    shortest, rounds = True, 0
    while True:
        found, short = _solve([*(rules[name] for name in active), *wanted], limit, shortest=shortest)
        shortest &= short
        if found is None:
            return Answer(None, _without_spare(active, rules, wanted, limit))
        broken = [
            name for name, reading in rules.items() if name not in active and not _accepts(reading, found)
        ]
        if not broken:
            return Answer(found, (), shortest)
        if wanted and rounds == 0:  # what one rule rules out is told by it alone
            for name in broken:
                if _solve([rules[name], *wanted], limit)[0] is None:
                    return Answer(None, (name,))
        rounds += 1
        # Most contradictions are between few rules: it gets in a hurry only when those have had their chance.
        fresh = sorted(broken, key=lambda name: rules[name].dfa.states)[: max(1, 2 ** (rounds - FEW))]
        if not wanted or len(fresh) == 1:  # two that clash need no large product to show it
            for pair in product(active, fresh):
                if _solve([*(rules[name] for name in pair), *wanted], limit)[0] is None:
                    return Answer(None, _without_spare(pair, rules, wanted, limit))
        active += fresh


def _solve(
    readings: Sequence[Reading], limit: int, *, shortest: bool = True
) -> tuple[tuple[Step, ...] | None, bool]:
    """A sequence, and whether it is a shortest one."""
    if not readings:
        return (Step(0, 0),), True
    searcher = Searcher(readings, limit=min(EASY, limit) if shortest else limit)
    if not shortest:
        return searcher.any(), False
    try:
        return searcher.shortest(), True
    except LimitError:
        searcher.limit = limit
        return searcher.any(), False


def _without_spare(
    names: Sequence[str], rules: Mapping[str, Reading], wanted: Sequence[Reading], limit: int
) -> tuple[str, ...]:
    """The names without those that the contradiction can do without."""
    kept = list(names)
    for name in names:
        fewer = [one for one in kept if one != name]
        try:
            if _solve([*(rules[one] for one in fewer), *wanted], limit)[0] is None:
                kept = fewer
        except LimitError:
            continue
    return tuple(name for name in rules if name in kept)


def _accepts(reading: Reading, steps: Sequence[Step]) -> bool:
    return reading.dfa.accepts(int(reading.columns[step.kind, step.label]) for step in steps)
