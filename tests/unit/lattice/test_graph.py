import numpy as np
import pytest

from lawful import _core
from lawful.errors import DtypeError, GraphError, ScoreError, UnboundedError, UnknownLabelError
from lawful.lattice import GraphLattice, Lattice, path_score

AB = ["a", "b"]


def graph(arcs, finals, **options):
    return GraphLattice.from_arcs(arcs, labels=AB, finals=finals, **options)


def best(lattice):
    found = lattice.core.best_path()
    return lattice.labels.decode(found.labels), found.score


def test_states_may_have_any_numbers():
    sparse = graph([(10**9, 3, "a", 1.0), (3, 70, "b", 2.0)], {70: 0.5}, start=10**9)
    assert best(sparse) == (("a", "b"), 3.5)
    assert sparse.states == (10**9, 3, 70)
    assert sparse.length == 2


def test_frozen():
    lattice = graph([(0, 1, "a", 1.0)], [1], context={"verb": 0}, tokens=["x"])
    with pytest.raises(AttributeError):
        lattice.start = 1
    with pytest.raises(ValueError, match="read-only"):
        lattice.arcs.weight[0] = 2
    with pytest.raises(TypeError):
        lattice.context["verb"] = 1
    assert repr(lattice) == "GraphLattice(2 states, 1 arcs, 2 labels)"


@pytest.mark.parametrize(
    ("arcs", "finals", "error", "message"),
    [
        ([(0, 1, "a", 0.0), (0, 1, "c", 0.0)], [1], UnknownLabelError, "in arc 1"),
        ([(0, 1, "a", np.nan)], [1], ScoreError, r"arcs\[0\] \(label 'a'\) is nan"),
        ([(0, 1, "a", np.inf)], [1], ScoreError, r"arcs\[0\]"),
        ([(0, 1, "a", "x")], [1], DtypeError, r"arcs\[0\] must hold a number"),
        ([(0, -1, "a", 0.0)], [1], GraphError, "arc 0: a state is a number"),
        ([(0, 1 << 63, "a", 0.0)], [1], GraphError, "arc 0: a state is a number"),
        ([(0, 1.5, "a", 0.0)], [1], GraphError, "arc 0: a state is a number"),
        ([(0, 1, "a")], [1], GraphError, "arc 0 must be"),
        ([(1, 2, "a", 0.0)], [2], GraphError, "no arc leaves the start, state 0"),
        ([(0, 1, "a", 0.0)], [2], GraphError, "final state 2"),
        ([(0, 1, "a", 0.0)], [], GraphError, "at least one final state"),
        ([(0, 1, "a", 0.0)], {1: np.nan}, ScoreError, r"finals\[1\]"),
    ],
)
def test_what_is_wrong_is_named(arcs, finals, error, message):
    with pytest.raises(error, match=message):
        graph(arcs, finals)


def test_paths_must_fit_the_tokens():
    arcs = [(0, 1, "a", 0.0), (1, 2, "b", 0.0)]
    assert graph(arcs, [2], tokens=["x", "y"]).length == 2
    with pytest.raises(GraphError, match="one label per token, 3 in all, but the paths read 2"):
        graph(arcs, [2], tokens=["x", "y", "z"])
    with pytest.raises(GraphError, match="differ"):
        graph(arcs, [1, 2], tokens=["x", "y"])
    assert graph(arcs, [1, 2]).length is None
    # States that lie on no path do not count.
    assert graph([*arcs, (1, 7, "a", 0.0), (7, 7, "a", 5.0)], [2]).length == 2


def test_epsilons_spell_nothing():
    lattice = graph([(0, 1, None, 1.0), (0, 1, "b", 0.0), (1, 2, "a", 0.5)], [2])
    assert best(lattice) == (("a",), 1.5)
    assert path_score(lattice, ["a"]) == 1.5
    assert path_score(lattice, ["b", "a"]) == 0.5
    assert path_score(lattice, ["b"]) == -np.inf
    assert lattice.length is None


def test_the_best_of_equal_spellings_counts():
    lattice = graph([(0, 1, "a", 1.0), (0, 2, "a", 3.0), (1, 3, "b", 5.0), (2, 3, "b", 1.0)], [3])
    assert best(lattice) == (("a", "b"), 6.0)
    assert path_score(lattice, ["a", "b"]) == 6.0


def test_ties_go_to_the_first_label():
    arcs = [(0, 1, "b", 1.0), (0, 1, "a", 1.0), (1, 2, "b", 0.0), (1, 2, "a", 0.0)]
    assert best(graph(arcs, [2])) == (("a", "a"), 1.0)
    assert best(graph(arcs[::-1], [2])) == (("a", "a"), 1.0)


def test_no_path():
    lattice = graph([(0, 1, "a", -np.inf), (1, 2, "a", 0.0)], [2])
    assert (lattice.core.states, lattice.core.arcs) == (0, 0)
    assert lattice.core.best_path().score == -np.inf
    assert path_score(lattice, ["a", "a"]) == -np.inf
    assert graph([(0, 1, "a", 0.0)], {1: -np.inf}).core.states == 0


def test_the_start_alone():
    assert best(graph([], {0: 2.0})) == ((), 2.0)


class TestCycles:
    def test_a_cycle_that_loses_is_left(self):
        lattice = graph([(0, 0, "a", -1.0), (0, 1, "b", 2.0), (1, 0, "a", -3.0)], [1])
        assert not lattice.core.acyclic
        assert best(lattice) == (("b",), 2.0)

    def test_arcs_that_gain_in_a_cycle_that_does_not(self):
        arcs = [(0, 1, "a", 5.0), (1, 2, "a", -6.0), (2, 0, "a", 0.5), (1, 3, "b", -4.0), (2, 3, "b", 3.0)]
        assert best(graph(arcs, [3])) == (("a", "a", "b"), 2.0)

    def test_a_cycle_that_gains_is_named(self):
        lattice = graph(
            [(5, 6, "a", 1.0), (6, 7, "a", -0.5), (7, 6, "b", 0.75), (6, 8, "b", 0.0)], [8], start=5
        )
        found = lattice.core.best_path()
        assert sorted(found.cycle) == [6, 7]
        assert found.gain == 0.25

    @pytest.mark.parametrize("arc", [(1, 3, "a", 0.0), (3, 1, "a", 0.0)])
    def test_a_cycle_that_no_path_uses_does_not_matter(self, arc):
        lattice = graph([(0, 1, "a", 1.0), arc, (3, 3, "b", 9.0)], [1])
        assert best(lattice) == (("a",), 1.0)

    def test_rounding_is_no_gain(self):
        assert 0.1 + 0.2 - 0.3 > 0
        arcs = [(0, 1, "a", 0.1), (1, 2, "a", 0.2), (2, 0, "a", -0.3), (2, 3, "b", 1.0)]
        assert best(graph(arcs, [3])) == (("a", "a", "b"), pytest.approx(1.3))

    def test_epsilon_cycles(self):
        still = graph([(0, 0, None, 0.0), (0, 1, "a", 1.0)], [1])
        assert best(still) == (("a",), 1.0)
        assert path_score(still, ["a"]) == 1.0
        assert still.length == 1
        gains = graph([(0, 0, None, 0.5), (0, 1, "a", 1.0)], [1])
        assert gains.core.best_path().gain == 0.5
        with pytest.raises(UnboundedError):
            path_score(gains, ["a"])
        assert path_score(gains, ["b"]) == -np.inf

    def test_a_large_cycle(self):
        n = 2000
        arcs = [(i, (i + 1) % n, "a", 1.0 if i % 2 else -1.0) for i in range(n)]
        assert best(graph(arcs, [n - 1]))[1] == -1.0
        arcs[0] = (0, 1, "a", -0.999)
        assert graph(arcs, [n - 1]).core.best_path().gain == pytest.approx(0.001)


class TestNBest:
    def test_it_is_a_trie(self):
        lattice = GraphLattice.from_nbest([("aab", -1.0), ("ab", -2.0), ("aab", -0.5), ("aab", -3.0)])
        assert best(lattice) == (("a", "a", "b"), -0.5)
        assert path_score(lattice, "ab") == -2.0
        assert path_score(lattice, "aa") == -np.inf
        assert len(lattice.arcs.label) == 4

    def test_labels_may_be_given(self):
        assert list(GraphLattice.from_nbest([("b", 0.0)], labels=AB).labels) == AB
        with pytest.raises(UnknownLabelError):
            GraphLattice.from_nbest([("c", 0.0)], labels=AB)

    def test_errors(self):
        with pytest.raises(GraphError, match="at least one candidate"):
            GraphLattice.from_nbest([])
        for scores in [(0.0, np.nan), (np.nan, 0.0)]:
            with pytest.raises(ScoreError):
                GraphLattice.from_nbest([("a", score) for score in scores])


def test_deep_graphs_need_no_recursion():
    n = 200_000
    source, states = np.arange(n, dtype=np.int32), np.arange(n + 1)
    core = _core.Graph.from_arcs(
        labels=1,
        start=0,
        source=source,
        target=source + 1,
        label=source * 0,
        weight=np.ones(n),
        final=np.zeros(n + 1),
        origin=states,
    )
    assert core.best_path().score == n


@pytest.mark.parametrize("seed", range(20))
def test_a_trellis_as_a_graph_two_ways(seed):
    rng = np.random.default_rng(seed)
    length, count = rng.integers(1, 7, 2)
    shape = (count, count) if seed % 2 else (length - 1, count, count)
    arrays = [rng.normal(size=s) for s in ((length, count), shape, count, count)]
    for array in arrays:
        array[rng.random(array.shape) < 0.1] = -np.inf
    lattice = Lattice(arrays[0], arrays[1], start=arrays[2], end=arrays[3])
    ours, kernel = GraphLattice.from_lattice(lattice).core, _core.Graph.from_trellis(lattice.core)
    assert (ours.states, ours.arcs, ours.acyclic, ours.length) == (
        kernel.states,
        kernel.arcs,
        True,
        kernel.length,
    )
    assert ours.best_path().labels == kernel.best_path().labels
    if kernel.states:
        assert path_score(lattice, kernel.best_path().labels) == pytest.approx(kernel.best_path().score)


@pytest.mark.parametrize("seed", range(20))
def test_pruning_keeps_exactly_what_scores_enough(seed):
    rng = np.random.default_rng(seed)
    arcs = [
        (*sorted(rng.choice(6, 2, replace=False).tolist()), AB[rng.integers(2)], rng.normal())
        for _ in range(14)
    ]
    if seed % 2:  # a cycle, which loses
        arcs += [(4, 2, "a", -9.0), (0, 5, "b", -1.0)]
    lattice = graph([*arcs, (0, 5, "a", 0.0)], [5])
    threshold = lattice.core.best_path().score - 1.0
    pruned = lattice.core.prune(threshold)
    assert pruned.best_path().score == lattice.core.best_path().score
    assert 0 < pruned.arcs <= lattice.core.arcs
    assert lattice.core.prune(-np.inf).arcs == lattice.core.arcs
    assert lattice.core.prune(threshold + 1.1).states == 0
    # Every arc that is left lies on a path that scores enough: without it, some such path is lost.
    on_good_paths = set()

    def walk(state, taken, score):
        if len(taken) > 7:
            return
        if state == 5 and score >= threshold:
            on_good_paths.update(taken)
        for index, (source, target, _, weight) in enumerate([*arcs, (0, 5, "a", 0.0)]):
            if source == state:
                walk(target, (*taken, index), score + weight)

    walk(0, (), 0.0)
    assert pruned.arcs == len(on_good_paths)
