import itertools
from dataclasses import replace

import numpy as np
import pytest

from lawful import _core
from lawful.errors import GraphError, LimitError, UnboundedError
from lawful.lattice import GraphLattice, Lattice
from lawful.rules.bound_rules import BoundRules
from lawful.solvers.problem import Problem
from lawful.solvers.published.branch_and_bound import branch_and_bound
from lawful.solvers.published.brute_force import brute_force
from lawful.solvers.published.graph_search import GraphSearch
from lawful.solvers.published.relaxation import relaxation
from lawful.solvers.solution import Round
from lawful.support.limits import Limits

SOLVERS = [brute_force, relaxation, branch_and_bound]
A, B = 0, 1


def part(rule, delta, violations, final, *, mode="hard", price=np.inf, table=((0, 1),)):
    """A part from counting tables. A soft one must count at most one violation, so that modes do not differ."""
    delta, violations, final = (np.array(t, dtype=np.int32) for t in (delta, violations, final))
    hard = mode == "hard"
    return _core.Part(
        rule=rule,
        table=np.array(table, dtype=np.uint16),
        delta=np.where(violations > 0, -1, delta).astype(np.int32) if hard else delta,
        cost=np.zeros(delta.shape) if hard else price * violations.astype(float),
        final_cost=np.where(final > 0, np.inf, 0.0) if hard else price * final.astype(float),
        mode=mode,
        price=float(price),
        count_delta=delta,
        count_violations=violations,
        count_final=final,
    )


def at_most(n, rule=0, *, label=B, **options):
    """At most n of a label; the next one is the violation, and later ones are free."""
    states = range(n + 2)
    step = [[min(s + (k == label), n + 1) for k in (A, B)] for s in states]
    return part(
        rule, step, [[int(s == n and k == label) for k in (A, B)] for s in states], [0] * (n + 2), **options
    )


def at_least(n, rule=0, *, label=B, **options):
    """At least n of a label, judged at the end."""
    states = range(n + 1)
    step = [[min(s + (k == label), n) for k in (A, B)] for s in states]
    return part(rule, step, [[0, 0]] * (n + 1), [int(s < n) for s in states], **options)


def problem(lattice, *parts, kinds=None, **limits):
    names = tuple(f"rule {i}" for i in range(len(parts)))
    return Problem(lattice, BoundRules.from_parts(parts, kinds, names=names), Limits(**limits))


MOSTLY_B = Lattice([[0.0, 1.0], [0.0, 2.0], [0.0, 3.0], [0.0, 4.0]])


@pytest.mark.parametrize("solve", SOLVERS)
def test_hard_rules(solve):
    found = solve(problem(MOSTLY_B, at_most(2), at_least(3, 1, label=A)))
    assert found.labels == (A, A, A, B)
    assert (found.score, found.bound, found.status) == (4.0, 4.0, "optimal")


@pytest.mark.parametrize("solve", SOLVERS)
@pytest.mark.parametrize("mode", ["once", "counted"])
def test_a_soft_rule_is_broken_when_that_pays(solve, mode):
    assert solve(problem(MOSTLY_B, at_most(2, mode=mode, price=2.5))).score == 7.5
    obeyed = solve(problem(MOSTLY_B, at_most(2, mode=mode, price=3.5)))
    assert (obeyed.labels, obeyed.score) == ((A, A, B, B), 7.0)


@pytest.mark.parametrize("solve", SOLVERS)
def test_a_price_of_zero_changes_nothing(solve):
    found = solve(problem(MOSTLY_B, at_most(0, mode="once", price=0.0)))
    assert (found.labels, found.score) == ((B, B, B, B), 10.0)


@pytest.mark.parametrize("solve", SOLVERS)
def test_without_rules(solve):
    found = solve(problem(MOSTLY_B))
    assert (found.labels, found.score, found.states) == ((B,) * 4, 10.0, 0)
    assert found.rounds == (Round((), 10.0, 9, 14),)


@pytest.mark.parametrize("solve", SOLVERS)
class TestInfeasible:
    def test_a_rule_against_another_at_the_end(self, solve):
        found = solve(problem(MOSTLY_B, at_most(1), at_least(2, 1)))
        assert (found.labels, found.status, found.score, found.bound) == (
            None,
            "infeasible",
            -np.inf,
            -np.inf,
        )

    def test_the_lattice_alone(self, solve):
        dead = Lattice([[0.0, 0.0], [-np.inf, -np.inf], [0.0, 0.0]])
        assert solve(problem(dead, at_most(1))).status == "infeasible"


class TestWhereNoPathIsLeft:
    def where(self, lattice, *parts):
        search = GraphSearch(problem(lattice, *parts))
        return search.dead_at(search.problem.rules.in_force)

    def test_at_the_end(self):
        assert self.where(MOSTLY_B, at_most(1), at_least(2, 1)) is None

    def test_in_the_middle(self):
        assert self.where(MOSTLY_B, at_most(1), at_most(1, 1, label=A)) == 2

    def test_the_lattice_alone(self):
        dead = Lattice([[0.0, 0.0], [-np.inf, -np.inf], [0.0, 0.0]])
        assert self.where(dead, at_most(1)) == 1

    def test_a_soft_rule_does_not_matter(self):
        soft = at_most(0, 2, mode="once", price=1.0)
        assert self.where(MOSTLY_B, at_most(1), at_most(1, 1, label=A), soft) == 2

    def test_limits_hold(self):
        parts = (at_most(1), at_most(1, 1, label=A))
        small = replace(problem(MOSTLY_B, *parts), limits=Limits(max_states=3))
        with pytest.raises(LimitError, match="max_states=3"):
            GraphSearch(small).dead_at(small.rules.in_force)


class TestRelaxation:
    def test_only_broken_rules_enter(self):
        found = relaxation(problem(MOSTLY_B, at_least(1), at_most(2, 1), at_most(3, 2, label=A)))
        assert [r.rules for r in found.rounds] == [(), (1,)]
        assert [r.score for r in found.rounds] == [10.0, 7.0]
        assert found.rounds[0].arcs < found.rounds[1].arcs
        assert found.why == "1 of 3 rules entered"

    def test_orders(self):
        lattice = Lattice([[0.0, 1.0]] * 5)
        often = part(2, [[0, 0]], [[0, 1]], [0])
        rules = (at_most(3), at_most(1, 1), often)
        entered = {
            order: relaxation(problem(lattice, *rules), order=order).rounds[1].rules
            for order in ("given", "most_violated", "smallest")
        }
        assert entered == {"given": (0,), "most_violated": (2,), "smallest": (2,)}
        first = {
            relaxation(problem(lattice, *rules), order="random", seed=s).rounds[1].rules for s in range(20)
        }
        assert first == {(0,), (1,), (2,)}

    def test_at_once(self):
        rules = (at_most(3), at_most(1, 1))
        found = relaxation(problem(MOSTLY_B, *rules), at_once=True)
        assert [r.rules for r in found.rounds] == [(), (0, 1)]
        assert [r.rules for r in relaxation(problem(MOSTLY_B, *rules)).rounds] == [(), (0,), (1,)]

    def test_parts_of_a_rule_enter_together(self):
        found = relaxation(problem(MOSTLY_B, at_most(2), at_least(3, label=A)))
        assert found.labels == (A, A, A, B)
        assert len(found.rounds) == 2


class TestBranchAndBound:
    def test_both_branches(self):
        # Obeying costs 1 (the weakest B); paying costs 3. The second branch finds 10 - 3 first.
        found = branch_and_bound(problem(MOSTLY_B, at_most(3, mode="once", price=3.0)))
        assert (found.labels, found.score) == ((A, B, B, B), 9.0)
        assert [r.rules for r in found.rounds] == [(), (0,)]

    def test_a_branch_that_cannot_win_is_dropped(self):
        # Paying for the first rule costs 0.25; each branch that obeys more is bounded by 10.
        rules = [at_most(n, i, mode="once", price=0.25) for i, n in enumerate((3, 2, 1))]
        rounds = {
            prune: len(branch_and_bound(problem(MOSTLY_B, *rules), prune=prune).rounds)
            for prune in ("branch", "none")
        }
        assert rounds["branch"] < rounds["none"]

    def test_pruned_edges_make_smaller_lattices(self):
        rules = [at_most(n, i, mode="once", price=1.75) for i, n in enumerate((3, 2, 1))]
        arcs = {
            prune: sum(r.arcs for r in branch_and_bound(problem(MOSTLY_B, *rules), prune=prune).rounds)
            for prune in ("branch", "edges")
        }
        assert arcs["edges"] < arcs["branch"]

    def test_the_early_exit_saves_branches(self):
        rules = [at_most(n, i, mode="once", price=2.0) for i, n in enumerate((3, 2, 1, 0))]
        rounds = [
            len(branch_and_bound(problem(MOSTLY_B, *rules), prune="none", early_exit=early).rounds)
            for early in (True, False)
        ]
        assert rounds[0] < rounds[1]


@pytest.mark.parametrize("solve", SOLVERS)
class TestLimits:
    RULES = (at_most(3), at_most(1, 1))

    def test_raise(self, solve):
        with pytest.raises(LimitError, match="max_states=12") as caught:
            solve(problem(MOSTLY_B, *self.RULES, max_states=12))
        assert caught.value.limit == "max_states"
        with pytest.raises(LimitError, match="timeout"):
            solve(problem(MOSTLY_B, *self.RULES, timeout=0.0))
        with pytest.raises(LimitError, match="max_memory"):
            solve(problem(MOSTLY_B, *self.RULES, max_memory=10))

    def test_bounded_without_an_answer(self, solve):
        found = solve(problem(MOSTLY_B, *self.RULES, max_states=0, on_limit="bounded"))
        assert (found.labels, found.score, found.status) == (None, -np.inf, "bounded")
        assert found.bound >= 10.0
        assert "max_states=0" in found.why

    def test_bounded_with_an_answer(self, solve):
        soft = [at_most(n, i, mode="once", price=1.25) for i, n in enumerate((3, 0))]
        exact = brute_force(problem(MOSTLY_B, *soft)).score
        for most in range(60):
            found = solve(problem(MOSTLY_B, *soft, max_states=most, on_limit="bounded"))
            assert found.score <= exact <= found.bound
            assert found.labels is not None
            assert found.states <= most + 20

    def test_enough_is_enough(self, solve):
        found = solve(problem(MOSTLY_B, *self.RULES, max_states=1000, timeout=60.0, max_memory=10**7))
        assert found.status == "optimal"


@pytest.mark.parametrize("solve", SOLVERS)
class TestGraphs:
    def test_rules_may_look_at_tokens(self, solve):
        graph = GraphLattice.from_lattice(MOSTLY_B)
        never_b_at_kind_1 = part(0, [[0, 0]], [[0, 1]], [0], table=((0, 0), (0, 1)))
        kinds = np.array([0, 1, 0, 1], dtype=np.uint16)
        for lattice in (graph, MOSTLY_B):
            assert solve(problem(lattice, never_b_at_kind_1, kinds=[kinds])).labels == (B, A, B, A)

    def test_tokens_need_unique_positions(self, solve):
        looks = part(0, [[0, 0]], [[0, 1]], [0], table=((0, 0), (0, 1)))
        arcs = [(0, 9, "a", 0.0), (0, 9, None, 0.5), (9, 2, "b", 1.0)]
        graph = GraphLattice.from_arcs(arcs, labels=["a", "b"], finals=[2])
        with pytest.raises(GraphError, match="rule 'rule 0': state 9 is reached after different numbers"):
            solve(problem(graph, looks, at_most(0, 1), kinds=[np.array([1, 1], dtype=np.uint16), None]))

    def test_more_labels_than_tokens(self, solve):
        looks = part(0, [[0, 0]], [[0, 1]], [0], table=((0, 0), (0, 1)))
        with pytest.raises((GraphError, ValueError), match="more labels than"):
            solve(problem(MOSTLY_B, looks, kinds=[np.array([1, 1], dtype=np.uint16)]))

    def test_an_unbounded_lattice(self, solve):
        arcs = [(4, 4, "b", 1.0), (4, 7, "a", 0.0)]
        graph = GraphLattice.from_arcs(arcs, labels=["a", "b"], start=4, finals=[7])
        with pytest.raises(UnboundedError) as caught:
            solve(problem(graph, at_least(1)))
        assert (caught.value.cycle, caught.value.weight) == ((4,), 1.0)
        with pytest.raises(UnboundedError):
            solve(problem(graph, at_most(2, mode="once", price=5.0)))

    def test_a_rule_may_bound_it(self, solve):
        graph = GraphLattice.from_arcs([(0, 0, "b", 1.0), (0, 1, "a", 0.0)], labels=["a", "b"], finals=[1])
        found = solve(problem(graph, at_least(1), at_most(3, 1)))
        assert (found.labels, found.score) == ((B, B, B, A), 3.0)
        each = part(0, [[0, 0]], [[0, 1]], [0], mode="counted", price=1.5)
        assert solve(problem(graph, each)).labels == (A,)

    def test_long_detours_to_obey(self, solve):
        graph = GraphLattice.from_arcs([(0, 0, "b", -1.0), (0, 1, "a", 0.0)], labels=["a", "b"], finals=[1])
        assert solve(problem(graph, at_least(30))).score == -30.0


def test_counting_refuses_what_does_not_fit():
    rule = at_most(1)
    assert _core.count_violations(rule, None, np.array([B, B, A, B], dtype=np.int32)) == 1
    with pytest.raises(ValueError, match="a label does not exist"):
        _core.count_violations(rule, None, np.array([2], dtype=np.int32))
    looks = part(0, [[0, 0]], [[0, 1]], [0], table=((0, 0), (0, 1)))
    with pytest.raises(ValueError, match="kinds are needed"):
        _core.count_violations(looks, None, np.array([B], dtype=np.int32))
    with pytest.raises(ValueError, match="kind that does not exist"):
        _core.count_violations(looks, np.array([2], dtype=np.uint16), np.array([B], dtype=np.int32))
    with pytest.raises(ValueError, match="more labels than tokens"):
        _core.count_violations(looks, np.array([1], dtype=np.uint16), np.array([B, B], dtype=np.int32))


def test_obeyed_keeps_exactly_what_obeys():
    rule = at_most(2, mode="once", price=1.0)
    graph = _core.Graph.from_trellis(MOSTLY_B.core).intersect(rule, None, obeyed=True).graph
    best = max(
        sum(score for score, label in zip((1, 2, 3, 4), path, strict=True) if label == B)
        for path in itertools.product((A, B), repeat=4)
        if sum(path) <= 2
    )
    assert graph.best_path().score == best
