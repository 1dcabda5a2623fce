"""Every solver on graphs against plain enumeration of label sequences."""

import itertools

import numpy as np
import pytest

from lawful import _core
from lawful.lattice import GraphLattice, Lattice, path_score
from lawful.rules.bound_rules import BoundRules
from lawful.solvers.problem import Problem
from lawful.solvers.published.branch_and_bound import branch_and_bound
from lawful.solvers.published.brute_force import brute_force
from lawful.solvers.published.relaxation import relaxation

SOLVERS = {
    "brute_force": brute_force,
    "given": relaxation,
    "random": lambda problem: relaxation(problem, order="random", seed=3),
    "most_violated": lambda problem: relaxation(problem, order="most_violated"),
    "smallest": lambda problem: relaxation(problem, order="smallest"),
    "at_once": lambda problem: relaxation(problem, at_once=True),
    "branch": branch_and_bound,
    "edges": lambda problem: branch_and_bound(problem, prune="edges"),
    "no_prune": lambda problem: branch_and_bound(problem, prune="none"),
    "no_exit": lambda problem: branch_and_bound(problem, early_exit=False),
}


class Machine:
    """A random counting machine and its own count, in plain Python."""

    def __init__(self, rng, labels, length):
        states, classes, kinds = (int(n) for n in rng.integers(1, 4, size=3))
        kinds = kinds if length is not None else 1
        self.delta = rng.integers(0, states, (states, classes)).astype(np.int32)
        self.violations = (rng.random((states, classes)) < 0.25).astype(np.int32) * rng.integers(1, 3)
        self.violations = self.violations.astype(np.int32)
        self.final = (rng.random(states) < 0.15).astype(np.int32)
        self.table = rng.integers(0, classes, (kinds, labels)).astype(np.uint16)
        self.kinds = rng.integers(0, kinds, length).astype(np.uint16) if kinds > 1 else None

    def count(self, labels):
        state = total = 0
        for t, label in enumerate(labels):
            read = self.table[0 if self.kinds is None else self.kinds[t], label]
            total += self.violations[state, read]
            state = self.delta[state, read]
        return int(total + self.final[state])

    def part(self, rule, mode, price):
        delta, cost = self.delta.copy(), np.zeros(self.delta.shape)
        final = np.zeros(len(self.final))
        if mode == "hard":
            delta[self.violations > 0] = -1
            final[self.final > 0] = np.inf
        elif mode == "counted":
            cost, final = price * self.violations, price * self.final
        else:  # one more state: paid
            paid = len(delta)
            delta[self.violations > 0] = paid
            delta = np.vstack([delta, np.full(delta.shape[1], paid, dtype=np.int32)])
            cost = np.vstack([price * (self.violations > 0), cost[:1] * 0])
            final = np.append(price * (self.final > 0), 0.0)
        return _core.Part(
            rule=rule,
            table=self.table,
            delta=delta.astype(np.int32),
            cost=cost.astype(float),
            final_cost=final.astype(float),
            mode=mode,
            price=float(price),
            count_delta=self.delta,
            count_violations=self.violations,
            count_final=self.final,
        )


def random_rules(rng, labels, length):
    """Parts for a problem, and a function that gives the penalty of a label sequence."""
    priced, parts, kinds = [], [], []
    for rule in range(int(rng.integers(0, 5))):
        mode = str(rng.choice(["hard", "once", "counted"]))
        price = np.inf if mode == "hard" else float(rng.choice([0.0, 0.5, 1.0, 3.0]))
        for _ in range(1 if mode == "once" or rng.random() < 0.8 else 2):
            machine = Machine(rng, labels, length)
            priced.append((machine, mode, price))
            parts.append(machine.part(rule, mode, price))
            kinds.append(machine.kinds)

    def penalty(path):
        total = 0.0
        for machine, mode, price in priced:
            if count := machine.count(path):
                total += price * count if mode == "counted" else price
        return total

    return BoundRules.from_parts(parts, kinds, names="abcde"), penalty


def scores(rng, shape):
    """Real numbers or, half of the time, small integers that tie; some of them forbidden."""
    values = rng.normal(size=shape) if rng.random() < 0.5 else rng.integers(-1, 2, shape).astype(float)
    return np.where(rng.random(shape) < 0.1 * (rng.random() < 0.5), -np.inf, values)


def check(problem, penalty, candidates, *, complete=True):
    totals = {path: score - penalty(path) for path, score in candidates.items()}
    best = max(totals.values(), default=-np.inf)
    if not complete:  # longer paths may be better: the solvers must at least agree, and beat what is known
        longest = max(solve(problem).score for solve in SOLVERS.values())
        assert longest >= best - 1e-9
        best = longest
    for name, solve in SOLVERS.items():
        found = solve(problem)
        assert found.bound == found.score, name
        assert found.score == pytest.approx(best, rel=1e-9, abs=1e-9), name
        if found.score == -np.inf:
            assert found.status == "infeasible" and found.labels is None, name
            continue
        assert found.status == "optimal", name
        judged = path_score(problem.lattice, found.labels) - penalty(found.labels)
        assert judged == pytest.approx(found.score, rel=1e-9, abs=1e-9), name
        assert not complete or totals[found.labels] == pytest.approx(best, rel=1e-9, abs=1e-9), name


@pytest.mark.parametrize("seed", range(10))
def test_trellises(seed):
    rng = np.random.default_rng(seed)
    for _ in range(60):
        length, count = int(rng.integers(1, 6)), int(rng.integers(1, 4))
        maybe = [rng.random() < 0.5 for _ in range(4)]
        shape = (count, count) if rng.random() < 0.5 else (length - 1, count, count)
        lattice = Lattice(
            scores(rng, (length, count)),
            scores(rng, shape) if maybe[0] else None,
            start=scores(rng, count) if maybe[1] else None,
            end=scores(rng, count) if maybe[2] else None,
            mask=rng.random((length, count)) < 0.9 if maybe[3] else None,
        )
        rules, penalty = random_rules(rng, count, length)
        paths = itertools.product(range(count), repeat=length)
        candidates = {path: path_score(lattice, path) for path in paths}
        check(Problem(lattice, rules), penalty, candidates)
        if rng.random() < 0.3:
            check(Problem(GraphLattice.from_lattice(lattice), rules), penalty, candidates)


def random_graph(rng, *, cyclic):
    """A graph of up to six states, epsilons and ties included. Cycles never gain, though some of their arcs do."""
    states, count = int(rng.integers(2, 7)), int(rng.integers(1, 4))
    names = [str(k) for k in range(count)]
    heights = rng.integers(-2, 3, states) * (rng.random() < 0.5)  # cancel along every cycle
    arcs = []
    for _ in range(int(rng.integers(1, 4 * states))):
        source, target = sorted(int(s) for s in rng.choice(states, 2, replace=False))
        weight = float(scores(rng, ()))
        if cyclic:
            source, target = (int(s) for s in rng.integers(0, states, 2))
            weight = -abs(weight) - 0.25 * (rng.random() < 0.7) + float(heights[target] - heights[source])
        arcs.append((source, target, None if rng.random() < 0.15 else str(rng.choice(names)), weight))
    arcs.append((0, states - 1, names[0], -5.0))
    finals = {s: float(rng.normal()) for s in {states - 1, *(a[1] for a in arcs if rng.random() < 0.2)}}
    return GraphLattice.from_arcs(arcs, labels=names, finals=finals), arcs, finals


def spelled(arcs, finals, longest):
    """The best score of every label sequence, by walking all paths of up to `longest` arcs."""
    found = {}

    def walk(state, labels, score, steps):
        if state in finals:
            found[labels] = max(found.get(labels, -np.inf), score + finals[state])
        if steps == longest:
            return
        for source, target, label, weight in arcs:
            if source == state and weight > -np.inf:
                walk(target, labels if label is None else (*labels, int(label)), score + weight, steps + 1)

    walk(0, (), 0.0, 0)
    return found


@pytest.mark.parametrize("seed", range(10))
def test_acyclic_graphs(seed):
    rng = np.random.default_rng(100 + seed)
    for _ in range(50):
        graph, arcs, finals = random_graph(rng, cyclic=False)
        rules, penalty = random_rules(rng, len(graph.labels), graph.length)
        check(Problem(graph, rules), penalty, spelled(arcs, finals, longest=6))


@pytest.mark.parametrize("seed", range(10))
def test_cyclic_graphs(seed):
    rng = np.random.default_rng(200 + seed)
    for _ in range(40):
        graph, arcs, finals = random_graph(rng, cyclic=True)
        arcs = arcs[-8:]  # keeps the enumeration small
        finals = {s: w for s, w in finals.items() if any(s in arc[:2] for arc in arcs)}
        graph = GraphLattice.from_arcs(arcs, labels=graph.labels, finals=finals)
        rules, penalty = random_rules(rng, len(graph.labels), graph.length)
        problem = Problem(graph, rules)
        check(problem, penalty, spelled(arcs, finals, longest=6), complete=False)
