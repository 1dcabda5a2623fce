"""What arrives with an example: missing, misplaced, shared."""

from __future__ import annotations

import numpy as np
import pytest

from lawful.errors import ContextError, MissingContextError, PositionError, SpanError
from lawful.labels import LabelSet
from lawful.rules import Example, allow_only, context, forbid, label_at, same_label, uniform

LABELS = LabelSet(["A", "B", "C"])


@pytest.mark.parametrize(
    "rule",
    [
        uniform(),
        same_label(),
        label_at(context("verb"), "A"),
        forbid(context("banned")),
        uniform() & forbid("A"),
    ],
)
def test_missing_context(rule) -> None:
    for use in (
        lambda: rule.violations(["A"], context={"other": 1}),
        lambda: rule.compile(LABELS).bind(Example(1)),
    ):
        with pytest.raises(MissingContextError):
            use()
    with pytest.raises(MissingContextError, match="it has 'other'"):
        rule.violations(["A"], context={"other": 1})


@pytest.mark.parametrize(
    "span", [(0, 4), (-1, 2), (2, 2), (2, 1), (0,), 3, ("a", "b"), (0.0, 1.0), (True, 2)]
)
def test_spans_must_fit(span: object) -> None:
    extra = {"spans": [span]}
    with pytest.raises(SpanError) as caught:
        uniform().compile(LABELS).bind(Example(3, context=extra))
    assert (caught.value.span, caught.value.length) == (span, 3)
    with pytest.raises(SpanError):
        uniform().violations(["A", "A", "A"], context=extra)


@pytest.mark.parametrize("position", [3, -4, "x", None, 1.0, True])
def test_positions_must_fit(position: object) -> None:
    for rule, extra in [
        (label_at(context("at"), "A"), {"at": position}),
        (same_label(), {"groups": [[0, position]]}),
    ]:
        with pytest.raises(PositionError) as caught:
            rule.compile(LABELS).bind(Example(3, context=extra))
        assert caught.value.position == position
        with pytest.raises(PositionError):
            rule.violations(["A", "A", "A"], context=extra)
    with pytest.raises(PositionError):
        label_at(3, "A").violations(["A", "A", "A"])


@pytest.mark.parametrize("spans", [3, "spans", None])
def test_spans_must_be_a_list(spans: object) -> None:
    with pytest.raises(ContextError, match="needs a list of spans"):
        uniform().violations(["A"], context={"spans": spans})
    with pytest.raises(ContextError, match="list"):
        same_label().violations(["A"], context={"groups": [spans]})


def test_numpy_positions_are_welcome() -> None:
    extra = {"spans": np.array([[0, 2]]), "groups": np.array([[0, 1]]), "verb": np.int64(1)}
    for rule in (uniform(), same_label(), label_at(context("verb"), "A")):
        assert rule.violations(["A", "B"], context=extra) == 1


def test_spans_share_one_machine_and_disjoint_ones_a_layer() -> None:
    compiled = uniform().compile(LABELS)
    bounds = compiled.bind(Example(6, context={"spans": [(4, 6), (0, 2), (1, 3), (2, 4), (5, 6)]}))
    assert [bound.kinds for bound in bounds] == [[1, 2, 1, 2, 1, 2], [0, 1, 2, 0, 0, 0]]
    assert len({id(bound.machine) for bound in bounds}) == len({id(bound.table) for bound in bounds}) == 1
    assert bounds[0].machine.states == len(LABELS) + 1
    assert not compiled.static


def test_groups_share_one_machine_and_forget_after_their_last() -> None:
    first, second = (
        same_label().compile(LABELS).bind(Example(5, context={"groups": [[3, 0, 1], [2], [4, -3]]}))
    )
    assert first.kinds == [1, 2, 0, 3, 0]
    assert second.kinds == [0, 0, 1, 0, 3]
    assert first.machine is second.machine
    assert first.table is second.table
    assert first.machine.delta[:, first.table[3]].max() == 0


@pytest.mark.parametrize("make", [forbid, allow_only])
def test_equal_label_sets_share_a_table(make) -> None:
    compiled = make(context("some")).compile(LABELS)
    (first,), (same,), (other,) = (
        compiled.bind(Example(2, context={"some": some})) for some in (["A", "B"], ["B", "A", "A"], ["C"])
    )
    assert first.table is same.table
    assert first.machine is other.machine
    assert first.table.tolist() != other.table.tolist()
    assert not first.table.flags.writeable
