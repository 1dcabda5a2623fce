"""Whether rules can hold together: a sequence that obeys them all, or a few that contradict each other."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import product
from typing import NamedTuple

from lawful.errors import LimitError
from lawful.rules.checking.search import Searcher, Step
from lawful.rules.languages.acceptors import Reading
from lawful.support.limits import Limits

__all__ = ["Answer", "find_witness"]

FEW = 4
EASY = 100  # states to spend on a shortest sequence, before any sequence will do


class Answer(NamedTuple):
    """A sequence that obeys all rules; or None, and the names of rules that leave no sequence.

    None of these can be left out, unless a limit `stopped` the search for those that can.
    """

    sequence: tuple[Step, ...] | None
    core: tuple[str, ...] = ()
    stopped: LimitError | None = None


def find_witness(
    rules: Mapping[str, Reading], required: Sequence[Reading] = (), limits: Limits | None = None
) -> Answer:
    """A sequence that obeys all rules and that all of `required` accept.

    Rules are added one at a time, and only if the sequence that was found without them breaks them: the relaxation of
    Tromble and Eisner (2006), for whole languages. So many unrelated rules cost little.

    Parameters
    ----------
    rules : mapping from names to readings
    required : sequence of Reading
    limits : Limits
        `max_states` holds for each product, and `timeout` for all that is done since the clock was started. Beyond them:
        `LimitError`.

    Examples
    --------
    >>> from lawful.labels import LabelSet
    >>> from lawful.rules import at_least, at_most, forbid
    >>> from lawful.rules.languages.alphabet import Outcomes
    >>> from lawful.rules.languages.acceptors import read_symbols
    >>> rules = [forbid("B"), at_least(2, "A"), at_most(1, "A")]
    >>> labels, kinds = LabelSet(["A", "B"]), Outcomes.of([])
    >>> readings = {rule.name: read_symbols(rule, labels, kinds) for rule in rules}
    >>> find_witness(readings).core
    ("at_least(2, 'A')", "at_most(1, 'A')")
    """
    limits = (limits or Limits()).started()
    active: list[str] = []
    shortest, rounds = True, 0
    while True:
        sequence, short = _solve([*(rules[name] for name in active), *required], limits, shortest=shortest)
        shortest &= short
        if sequence is None:
            return _without_spare(active, rules, required, limits)
        broken = [
            name for name, reading in rules.items() if name not in active and not _accepts(reading, sequence)
        ]
        if not broken:
            return Answer(sequence)
        if required and rounds == 0:  # if a single rule excludes it, that rule alone is the reason
            for name in broken:
                if _solve([rules[name], *required], limits)[0] is None:
                    return Answer(None, (name,))
        rounds += 1
        # Most contradictions are between few rules, so more than one is added at a time only after a few rounds.
        fresh = sorted(broken, key=lambda name: rules[name].dfa.states)[: max(1, 2 ** (rounds - FEW))]
        if not required or len(fresh) == 1:  # two rules that contradict each other show it in a small product
            for pair in product(active, fresh):
                if _solve([*(rules[name] for name in pair), *required], limits)[0] is None:
                    return _without_spare(pair, rules, required, limits)
        active += fresh


def _solve(
    readings: Sequence[Reading], limits: Limits, *, shortest: bool = True
) -> tuple[tuple[Step, ...] | None, bool]:
    """A sequence, and whether it is a shortest one."""
    limits.require_rest()
    if not readings:
        return (Step(0, 0),), True
    searcher = Searcher(readings, limits.within(EASY) if shortest else limits)
    if not shortest:
        return searcher.any(), False
    try:
        return searcher.shortest(), True
    except LimitError:
        searcher.limits = limits
        return searcher.any(), False


def _without_spare(
    names: Sequence[str], rules: Mapping[str, Reading], required: Sequence[Reading], limits: Limits
) -> Answer:
    """The names, without the rules that the contradiction does not need."""
    kept = list(names)
    stopped: LimitError | None = None
    for name in names:
        fewer = [other for other in kept if other != name]
        try:
            if _solve([*(rules[other] for other in fewer), *required], limits)[0] is None:
                kept = fewer
        except LimitError as reached:
            stopped = reached
    return Answer(None, tuple(name for name in rules if name in kept), stopped)


def _accepts(reading: Reading, steps: Sequence[Step]) -> bool:
    return reading.dfa.accepts(int(reading.columns[step.kind, step.label]) for step in steps)
