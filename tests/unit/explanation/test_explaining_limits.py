"""Limits hold for a whole explanation, and for the checking of an answer.

Time is the thread's own: other work on the machine does not count. The margin is 0.2 s.
"""

from __future__ import annotations

import time
from typing import Any

import numpy as np
import pytest

import lawful
from lawful.errors import LimitError

pytestmark = pytest.mark.usefixtures("no_collection")

LABELS = [f"F{index}" for index in range(8)]
LATE = 0.2


def many_changes(seed: int, length: int = 20) -> tuple[lawful.Lattice, list[lawful.Rule]]:
    """Rules that most tokens break, in many combinations."""
    rng = np.random.default_rng(seed)
    lattice = lawful.Lattice(rng.normal(size=(length, 8)), rng.normal(size=(8, 8)), labels=LABELS)
    rules = [lawful.at_most_segments(1, label) for label in LABELS]
    return lattice, rules + [lawful.before(LABELS[t], LABELS[t + 1]) for t in range(7)]


def test_states_are_counted_over_all_searches() -> None:
    lattice, rules = many_changes(0)
    decoding = lawful.decode(lattice, rules)
    enough_for_one = 2 * decoding.states
    lawful.decode(lattice, rules, max_states=enough_for_one)
    with pytest.raises(LimitError, match="max_states") as caught:
        lawful.explain(decoding, max_states=enough_for_one)
    assert caught.value.value == enough_for_one
    assert lawful.explain(decoding, max_states=10**9).changes


@pytest.mark.parametrize("timeout", [0.1, 0.3])
@pytest.mark.parametrize("decoded", [False, True])
def test_time_is_counted_over_all_searches(timeout: float, decoded: bool) -> None:
    lattice, rules = many_changes(1, length=40)
    subject = (lawful.decode(lattice, rules),) if decoded else (lattice, rules)
    started = time.thread_time()
    with pytest.raises(LimitError, match="timeout") as caught:
        lawful.explain(*subject, max_sets=10**6, runners_up=1000, timeout=timeout)
    assert time.thread_time() - started < timeout + LATE
    assert caught.value.value == timeout


def test_a_check_by_enumeration_has_a_timeout_too() -> None:
    lattice = lawful.Lattice(np.zeros((30, 3)), labels=list("ABC"))
    priced = lawful.decode(lattice, [lawful.forbid("A").soft(1.0), lawful.forbid("B", "C").soft(1.0)])
    started = time.thread_time()
    certificate = lawful.verify(priced, solver="enumeration", timeout=0.1, max_sequences=10**9)
    assert time.thread_time() - started < 0.1 + LATE
    assert certificate.finding == "open"
    assert "stopped at timeout=0.1" in certificate.reason


@pytest.mark.parametrize(
    "explain", [lawful.explain, lambda *given, **more: lawful.why_not(*given, ["F0"] * 20, **more)]
)
def test_the_advice_is_not_what_would_be_refused(explain: Any) -> None:
    lattice, rules = many_changes(1)
    with pytest.raises(LimitError, match="raise the limit, or call `decode` with on_limit='bounded'"):
        explain(lattice, rules, max_states=5)
    against = [lawful.at_most(0, "F0"), lawful.at_least(1, "F0")]
    with pytest.raises(lawful.InfeasibleError, match="or call `decode` with on_infeasible='least_bad'"):
        explain(lattice, against)
    with pytest.raises(lawful.errors.LossError, match="or call `decode` with on_exceed='plain'"):
        explain(lattice, lawful.forbid("F0"), max_loss=0.0, on_exceed="raise")
