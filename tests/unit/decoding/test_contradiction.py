"""The smallest contradiction against a search through all subsets."""

from __future__ import annotations

from itertools import combinations

from hypothesis import given, strategies as st

from lawful.decoding.contradiction import smallest_contradiction

RULES = range(7)
conflicts = st.lists(st.frozensets(st.sampled_from(RULES), min_size=1, max_size=5), min_size=1, max_size=6)


def smallest_size(infeasible: list[frozenset[int]]) -> int:
    """The size of the smallest infeasible subset, by looking at all of them."""
    return next(
        size
        for size in range(len(RULES) + 1)
        for chosen in combinations(RULES, size)
        if any(conflict <= set(chosen) for conflict in infeasible)
    )


@given(conflicts)
def test_it_is_infeasible_and_none_is_smaller(infeasible: list[frozenset[int]]) -> None:
    found = smallest_contradiction(RULES, lambda held: not any(one <= held for one in infeasible))
    assert any(one <= set(found) for one in infeasible)
    assert len(found) == smallest_size(infeasible)
    assert list(found) == sorted(found)


def test_nothing_is_to_blame_if_nothing_is_feasible() -> None:
    assert smallest_contradiction(RULES, lambda _: False) == ()


def test_all_may_be_to_blame() -> None:
    assert smallest_contradiction(RULES, lambda held: len(held) < len(RULES)) == tuple(RULES)
