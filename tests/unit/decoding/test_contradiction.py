"""The search for a contradiction against a look at all subsets, whatever the oracle tells beyond what it is asked."""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations

from hypothesis import given, strategies as st

from lawful.decoding.contradictions.contradiction import (
    Contradiction,
    ContradictionSearch,
    RuleIndices,
    Trial,
)

RULES = frozenset(range(7))
conflicts = st.lists(
    st.frozensets(st.sampled_from(sorted(RULES)), min_size=1, max_size=5), min_size=1, max_size=6
)


def can_hold(rules: RuleIndices, infeasible: list[RuleIndices]) -> bool:
    return not any(conflict <= rules for conflict in infeasible)


def smallest_size(infeasible: list[RuleIndices]) -> int:
    """The size of the smallest infeasible subset, by looking at all of them."""
    return next(
        size
        for size in range(len(RULES) + 1)
        for chosen in combinations(sorted(RULES), size)
        if not can_hold(frozenset(chosen), infeasible)
    )


def oracle(infeasible: list[RuleIndices], draw: st.DrawFn | None = None) -> Callable[[RuleIndices], Trial]:
    """Answers the question, and shows as much more as is drawn."""

    def attempt(rules: RuleIndices) -> Trial:
        assert rules <= RULES
        feasible = can_hold(rules, infeasible)
        shown = rules
        if draw is not None:
            for rule in draw(st.permutations(sorted(RULES)))[: draw(st.integers(0, len(RULES)))]:
                other = shown | {rule} if feasible else shown - {rule}
                shown = other if can_hold(other, infeasible) == feasible else shown
        return Trial(feasible, shown)

    return attempt


def find(infeasible: list[RuleIndices], attempt: Callable[[RuleIndices], Trial | None]) -> Contradiction:
    """Both steps; if the first one finds something, the second one must hold as well."""
    search = ContradictionSearch(RULES, attempt)
    below, above = search.from_below(), search.from_above()
    check(above, infeasible)
    return above if below is None else below


def check(contradiction: Contradiction, infeasible: list[RuleIndices]) -> None:
    """It is one, and is what it says of itself."""
    rules = frozenset(contradiction.rules)
    assert list(contradiction.rules) == sorted(rules)
    assert not can_hold(rules, infeasible)
    if contradiction.minimal:
        assert all(can_hold(rules - {rule}, infeasible) for rule in rules)
    if contradiction.smallest:
        assert contradiction.minimal
        assert len(rules) == smallest_size(infeasible)


@given(conflicts)
def test_it_is_infeasible_and_none_is_smaller(infeasible: list[RuleIndices]) -> None:
    contradiction = find(infeasible, oracle(infeasible))
    check(contradiction, infeasible)
    assert contradiction.smallest


@given(conflicts, st.data())
def test_what_else_a_trial_shows_may_be_used(infeasible: list[RuleIndices], data: st.DataObject) -> None:
    contradiction = find(infeasible, oracle(infeasible, data.draw))
    check(contradiction, infeasible)
    assert contradiction.smallest


@given(conflicts, st.data())
def test_what_could_not_be_decided_is_not_claimed(infeasible: list[RuleIndices], data: st.DataObject) -> None:
    answer = oracle(infeasible, data.draw)
    undecided: dict[RuleIndices, bool] = {}

    def attempt(rules: RuleIndices) -> Trial | None:
        if undecided.setdefault(rules, data.draw(st.booleans())):
            return None
        return answer(rules)

    check(find(infeasible, attempt), infeasible)


def test_what_was_undecided_from_below_may_be_decided_from_above() -> None:
    def attempt(rules: RuleIndices) -> Trial | None:
        return None if len(rules) == 1 else Trial(not {1, 2} <= rules, rules)

    search = ContradictionSearch(RULES, attempt)
    assert search.from_below() is None
    assert search.from_above() == Contradiction((1, 2), minimal=False, smallest=False)
    decided = ContradictionSearch(RULES, lambda rules: attempt(rules) or Trial(feasible=True, rules=rules))
    assert decided.from_below(max_sets=1) is None
    assert decided.from_above() == Contradiction((1, 2), minimal=True, smallest=False)
    assert decided.from_below(max_sets=100) == Contradiction((1, 2), minimal=True, smallest=True)


@given(conflicts, st.integers(0, 40))
def test_the_first_step_may_end_early(infeasible: list[RuleIndices], max_sets: int) -> None:
    search = ContradictionSearch(RULES, oracle(infeasible))
    below = search.from_below(max_sets=max_sets)
    assert below is not None or max_sets < 2 ** len(RULES)
    above = search.from_above()
    assert above.minimal
    for contradiction in (above, below or above):
        check(contradiction, infeasible)


@given(conflicts, st.data())
def test_it_may_start_from_less(infeasible: list[RuleIndices], data: st.DataObject) -> None:
    known = data.draw(st.sampled_from(infeasible)) | data.draw(st.frozensets(st.sampled_from(sorted(RULES))))
    search = ContradictionSearch(RULES, oracle(infeasible), known=known)
    above = search.from_above()
    check(above, infeasible)
    assert above.minimal
    assert set(above.rules) <= known
    below = search.from_below()
    assert below is not None
    check(below, infeasible)


def test_nothing_is_to_blame_if_nothing_is_feasible() -> None:
    search = ContradictionSearch(RULES, lambda _: Trial(feasible=False, rules=frozenset()))
    assert search.from_below() == search.from_above() == Contradiction((), minimal=True, smallest=True)


def test_all_may_be_to_blame() -> None:
    contradiction = find([RULES], oracle([RULES]))
    assert contradiction == Contradiction(tuple(sorted(RULES)), minimal=True, smallest=True)


def test_nothing_decided_leaves_what_is_known() -> None:
    search = ContradictionSearch(RULES, lambda _: None, known=[2, 5])
    assert search.from_below() is None
    assert search.from_above() == Contradiction((2, 5), minimal=False, smallest=False)


def test_few_of_many_take_few_questions() -> None:
    asked: list[RuleIndices] = []

    def attempt(rules: RuleIndices) -> Trial:
        asked.append(rules)
        return Trial(not {17, 900} <= rules, rules)

    search = ContradictionSearch(range(1000), attempt)
    assert search.from_above() == Contradiction((17, 900), minimal=True, smallest=False)
    assert len(asked) < 50
