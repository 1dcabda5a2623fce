"""Integer linear programming: forms of rules, limits, graphs, and LP files."""

import math
from fractions import Fraction

import highspy
import numpy as np
import pytest

import lawful
from lawful import Decoder, GraphLattice, Lattice, LimitError
from lawful.errors import GraphError, InternalError, UnprovedError
from lawful.rules.bound_rules import BoundRules
from lawful.solvers.engine import engine
from lawful.solvers.ilp import highs, proving, rules as linear_rules
from lawful.solvers.ilp.highs import relax
from lawful.solvers.ilp.losses import LARGEST, exact_losses
from lawful.solvers.ilp.program import Program
from lawful.solvers.ilp.ruled_program import ruled_program
from lawful.solvers.ilp.solver import ilp, search_program
from lawful.solvers.problem import Problem
from lawful.testing import (
    best_exact_score,
    enumerate_best,
    exact_score,
    random_lattice,
    random_problems,
    same_score,
    wide_problem,
)

LABELS = ["O", "A", "B"]
MOSTLY_A = Lattice(
    [[0.0, 4.0, 1.0], [2.0, 1.0, 0.0], [0.0, 3.0, 1.0], [1.0, 0.0, 0.5], [0.1, 2.0, 0.0]],
    labels=LABELS,
    tokens=["one", ",", "two", ",", "three"],
    context={"spans": [(0, 2)], "groups": [[0, 3]], "verb": 0},
)
WITH_TRANSITIONS = Lattice(
    MOSTLY_A.emissions, np.zeros((3, 3)), labels=LABELS, tokens=MOSTLY_A.tokens, context=MOSTLY_A.context
)
PLAIN = ("A", "O", "A", "O", "A")
SOFT = lawful.at_most_segments(1, "A").soft(1.5), lawful.exactly(1, "B")


def without_sources(problem: Problem) -> Problem:
    """The same automata, without the rules that they came from."""
    bound = problem.rules
    return Problem(
        problem.lattice, BoundRules.from_parts(bound.parts, bound.kinds, names=bound.names), problem.limits
    )


def problem(lattice, *rules, **limits):
    return Decoder(rules, labels=lattice.labels, **limits)._problem(lattice)


def labels(lattice, *rules):
    return lattice.labels.decode(ilp(problem(lattice, *rules)).labels)


# --- the examples of Roth & Yih (2005), section 4.2 -------------------------------------------------------------


@pytest.mark.parametrize("lattice", [MOSTLY_A, WITH_TRANSITIONS], ids=["labels", "edges"])
class TestExamplesOfThePaper:
    def test_1_a_fixed_label(self, lattice):
        assert labels(lattice, lawful.label_at(lawful.context("verb"), "O")) == ("O", *PLAIN[1:])

    def test_2_no_duplicate_segment(self, lattice):
        assert labels(lattice, lawful.at_most_segments(1, "A")) == ("A", "A", "A", "A", "A")

    def test_3_one_label_requires_another(self, lattice):
        assert labels(lattice, lawful.requires("A", "B")) == ("A", "O", "A", "B", "A")

    def test_4_tokens_that_share_a_label(self, lattice):
        assert labels(lattice, lawful.uniform()) == ("A", "A", "A", "O", "A")

    def test_5_at_least_one_segment(self, lattice):
        rules = lawful.at_most(0, "A"), lawful.at_least(1, "A", "B")
        assert labels(lattice, *rules) == ("B", "O", "B", "O", "O")

    def test_they_are_not_said_by_automata(self, lattice):
        rules = (
            lawful.label_at(0, "O"),
            lawful.at_most_segments(1, "A"),
            lawful.requires("A", "B"),
            lawful.uniform(),
            lawful.at_least(1, "A", "B"),
        )
        model = ruled_program(problem(lattice, *rules))
        assert (model.forms, model.flows) == (5, 0)


# --- which rules have a form of their own -----------------------------------------------------------------------

COMMA = lawful.token.is_in([","])
FORMS = [
    lawful.allow_only("A", "O"),
    lawful.allowed_transitions([("A", "O"), ("O", "A")], end=["A"]),
    lawful.at_least(2, "B"),
    lawful.at_least_segments(2, "B"),
    lawful.at_most(1, "A"),
    lawful.at_most_segments(1, "A"),
    lawful.before("A", "O"),
    lawful.change_only_after(COMMA),
    lawful.ends_with("O"),
    lawful.exactly(1, "A"),
    lawful.exactly_segments(1, "A"),
    lawful.excludes("A", "O"),
    lawful.label_at(0, "O"),
    lawful.forbid("A"),
    lawful.requires("A", "B"),
    lawful.same_label(),
    lawful.segment_length("A", 2, 3),
    lawful.starts_with("O"),
    lawful.uniform(),
    lawful.when(COMMA).never("O"),
    lawful.when(COMMA).then("B"),
    lawful.forbid("B") & lawful.at_most(1, "A"),
    lawful.forbid("A") | (lawful.at_most(1, "A") & lawful.starts_with("B")),
]
FLOWS = [
    ~lawful.forbid("A"),
    lawful.forbid("A") ^ lawful.forbid("O"),
    lawful.forbid("O").implies(lawful.forbid("A")),
    lawful.pattern("A* O* B*"),
    lawful.automaton(lawful.automata.Dfa([[0, 1], [1, 0]], [True, False]), classes={"O": 0, "A": 1, "B": 0}),
    ~lawful.forbid("A") & lawful.forbid("B"),
]


def priced(rule):
    return [rule, rule.soft(1.25), rule.soft(0.75, per="violation")]


@pytest.mark.parametrize("lattice", [MOSTLY_A, WITH_TRANSITIONS], ids=["labels", "edges"])
@pytest.mark.parametrize("rule", FORMS + FLOWS, ids=repr)
def test_form_and_automaton_say_the_same(rule, lattice):
    for one in priced(rule):
        whole = problem(lattice, one)
        model, by_flow = ruled_program(whole), ruled_program(without_sources(whole))
        assert (model.forms, model.flows) == ((1, 0) if rule in FORMS else (0, 1))
        assert by_flow.flows == 1
        best = engine(whole)
        assert best.status == ilp(whole).status == ilp(without_sources(whole)).status
        if best.status == "optimal":
            assert same_score(ilp(whole).score, best.score)
            assert same_score(ilp(without_sources(whole)).score, best.score)


def test_a_subclass_of_a_rule_means_what_its_automaton_says():
    class NeverAtAll(type(lawful.at_most(1, "A"))):
        def compile(self, labels):
            return lawful.forbid("A").compile(labels)

    assert labels(MOSTLY_A, NeverAtAll(3, ("A",))) == ("B", "O", "B", "O", "O")
    linear_rules._compiled.cache_clear()  # or this module, and all that it holds, would live for ever


def test_a_price_of_zero_adds_nothing():
    assert ruled_program(problem(MOSTLY_A, lawful.forbid("A").soft(0))).pure


# --- without rules ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(60))
def test_without_rules_the_linear_program_is_integral(seed):
    """The matrix of a network is totally unimodular, so that a linear program does what Viterbi does."""
    rng = np.random.default_rng([5, seed])
    lattice = random_lattice(rng, length=int(rng.integers(1, 12)), forbid=0.05)
    arrays = ruled_program(Problem(lattice)).program.arrays()
    relaxed, best = relax(arrays), engine(Problem(lattice))
    assert relaxed.status == best.status
    if best.status == "optimal":
        assert np.minimum(np.abs(relaxed.values), np.abs(relaxed.values - 1)).max() < 1e-7
        assert same_score(relaxed.bound, best.score)


def test_with_rules_a_relaxation_may_be_fractional():
    whole = problem(MOSTLY_A, lawful.at_most(1, "A").soft(3.0))
    arrays = ruled_program(whole).program.arrays()
    assert not relax(arrays).integral(arrays)
    assert relax(arrays).bound > ilp(whole).score
    assert "nodes searched: 1" in ilp(whole).why


def test_why_names_the_size():
    assert ilp(problem(MOSTLY_A)).why == "a linear program with 15 variables and 5 constraints"
    assert ilp(problem(MOSTLY_A, lawful.at_most(1, "A"), lawful.pattern("A .*"))).why.startswith(
        "an integer program with 24 variables and 20 constraints; rules in a linear form of their own: 1, "
        "as the flow of their automata: 1; nodes searched: "
    )


# --- nothing is legal, and limits -------------------------------------------------------------------------------


def test_contradictory_rules_are_infeasible():
    found = ilp(problem(MOSTLY_A, lawful.forbid("A", "B"), lawful.at_least(1, "A")))
    assert (found.labels, found.status, found.score) == (None, "infeasible", -np.inf)


@pytest.mark.parametrize("transitions", [None, np.zeros((1, 1))])
def test_a_lattice_without_a_path_is_infeasible(transitions):
    lattice = Lattice([[-np.inf], [-np.inf]], transitions)
    assert ilp(problem(lattice)).status == "infeasible"


def test_the_decoder_names_the_contradiction():
    with pytest.raises(lawful.InfeasibleError, match="cannot all hold"):
        lawful.decode(MOSTLY_A, [lawful.forbid("A"), lawful.at_least(1, "A")], solver="ilp")


HARD = [
    *(lawful.at_most_segments(2, label).soft(1.5) for label in "ABCD"),
    lawful.before("A", "B").soft(2.0, per="violation"),
    lawful.pattern("(A | B | C D* | E+ A)*").soft(4.0),
    lawful.exactly(7, "E").soft(3.0),
    lawful.requires("A", "C"),
]


def a_larger_lattice():
    rng = np.random.default_rng(5)
    names = lawful.LabelSet(list("ABCDE"))
    return random_lattice(
        rng, labels=names, length=40, forbid=0.0, transitions="shared", boundaries=False, masked=False
    )


@pytest.mark.parametrize(
    "limit", [{"timeout": 1e-6}, {"timeout": 0.3}, {"max_states": 100}, {"max_memory": 1000}]
)
def test_at_a_limit_it_raises_or_gives_a_bound(limit):
    lattice = a_larger_lattice()
    with pytest.raises(LimitError, match=next(iter(limit))):
        lawful.decode(lattice, HARD, solver="ilp", **limit)
    best = lawful.decode(lattice, HARD).score
    found = lawful.decode(lattice, HARD, solver="ilp", on_limit="bounded", **limit)
    assert found.status == "bounded"
    assert found.score <= best <= found.bound < np.inf
    assert "stopped at" in found.why


def test_limits_that_are_not_reached_change_nothing():
    limits = {"timeout": 60.0, "max_states": 1000, "max_memory": 10**6}
    found = lawful.decode(MOSTLY_A, lawful.at_most(1, "A"), solver="ilp", **limits)
    assert (found.labels, found.status) == (("A", "O", "B", "O", "O"), "optimal")


@pytest.mark.parametrize("scale", [1e-9, 1e9])
def test_scores_of_any_size(scale):
    lattice = Lattice(MOSTLY_A.emissions * scale, labels=LABELS)
    rules = lawful.at_most(1, "A").soft(2.5 * scale), lawful.exactly_segments(2, "O")
    assert ilp(problem(lattice, *rules)).score == pytest.approx(
        engine(problem(lattice, *rules)).score, rel=1e-9
    )


def test_a_program_that_is_worth_something_else_than_its_labels_is_a_bug(monkeypatch):
    right = proving.solve
    monkeypatch.setattr(proving, "solve", lambda *a, **k: right(*a, **k)._replace(bound=99.0))
    with pytest.raises(InternalError, match="worth"):
        ilp(problem(MOSTLY_A, lawful.at_most(1, "A")))


# --- what HiGHS cannot do ---------------------------------------------------------------------------------------

NARROW = Lattice(  # without the A, which no rule allows, all is at 1e-9
    [[1e300, 1.0, 2.0], *[[0.0, -1e-9, 1e-9]] * 3], labels=["A", "B", "C"]
)


def failing(monkeypatch, times):
    """HiGHS fails so many times before it works; gives the list of the options that it was tried with."""
    right, tried = highs._run_once, []

    def run_once(arrays, *, options, **rest):
        tried.append(options)
        if len(tried) <= times:
            return highs.Outcome("failed", None, np.inf, 0, "HiGHS ended with 'Solve error'")
        return right(arrays, options=options, **rest)

    monkeypatch.setattr(highs, "_run_once", run_once)
    return tried


@pytest.mark.parametrize("times", range(1, len(highs.WAYS) + len(highs.INTEGRAL_WAYS)))
def test_where_highs_gives_up_it_is_asked_in_another_way(times, monkeypatch):
    best = engine(problem(MOSTLY_A, *SOFT))
    tried = failing(monkeypatch, times)
    found = ilp(problem(MOSTLY_A, *SOFT))
    assert found.status == "optimal" and same_score(found.score, best.score)
    assert tried[times] == highs.OPTIONS | (*highs.WAYS, *highs.INTEGRAL_WAYS)[times]


def test_five_tokens_on_which_presolve_never_ended():
    """Found by `make agreement`: HiGHS 1.15.1 turned in circles before its search began."""
    rules, lattices = random_problems(
        np.random.default_rng([3006, 0, 23, 8]), "trellis", count=5, largest=4000
    )
    best = enumerate_best(lattices[3], rules)
    found = lawful.decode(lattices[3], rules, solver="ilp", timeout=60)
    assert found.status == "optimal" and same_score(found.score, best.score)


def test_rows_that_presolve_calls_infeasible():
    """Found by `make agreement` and cut down: zeros fulfil them, but not for the presolve of HiGHS 1.15.1."""
    program = Program()
    a, b, c, d, e, f, g, h = range(8)
    program.add_columns([-0.24, -0.42], binary=True, name=str)
    program.add_columns([-0.27, 0, 0, 0, 0, 0], binary=False, name=str)
    for plus, minus in ([h], [a]), ([f, g], []), ([d, e], [b]), ([], [d, f]), ([h], [e, g]), ([d, e], [c]):
        program.add_row(np.array(plus, dtype=np.intp), np.array(minus, dtype=np.intp), lower=0, upper=0)
    outcome = highs._run(program.arrays(), integral=True, seconds=None)
    assert outcome.status == "optimal"
    assert outcome.bound == 0


def test_a_search_ends_after_so_many_steps():
    """Each call of HiGHS that asks whether to go on is a step; a max-2-SAT takes many."""
    rng = np.random.default_rng(0)
    clauses = []
    for _ in range(90):
        (a, b), (x, y) = rng.choice(30, 2, replace=False).tolist(), rng.choice(["A", "B"], 2).tolist()
        clauses.append((lawful.label_at(a, x) | lawful.label_at(b, y)).soft(1.0 + rng.random()))
    lattice = Lattice(rng.normal(size=(30, 2)) / 100, labels=["A", "B"])
    program = ruled_program(problem(lattice, *clauses)).program.arrays()
    ended = highs.solve(program, steps=3)
    done = highs.solve(program)
    assert (ended.status, done.status) == ("limit", "optimal")
    assert ended.bound >= done.bound
    stopped = search_program(problem(lattice, *clauses, on_limit="bounded"), work=3 * len(program.cost))
    assert (stopped.status, stopped.limit) == ("bounded", "budget")


def test_what_highs_said_is_in_the_error(monkeypatch):
    failing(monkeypatch, 10**6)
    with pytest.raises(UnprovedError, match="HiGHS ended with 'Solve error'; use solver='auto'") as caught:
        ilp(problem(MOSTLY_A, *SOFT))
    assert caught.value.solver == "ilp"
    found = ilp(problem(MOSTLY_A, *SOFT, on_limit="bounded"))
    best = engine(problem(MOSTLY_A, *SOFT)).score
    assert found.status == "bounded" and found.score <= best <= found.bound
    assert "HiGHS ended with 'Solve error'" in found.why


def test_a_rule_that_costs_too_much_to_see_the_rest(monkeypatch):
    with pytest.raises(
        UnprovedError, match=r"the rules cost 1e\+300 here, while the answer's own scores add up to 2"
    ):
        ilp(problem(NARROW, lawful.forbid("A")))
    found = ilp(problem(NARROW, lawful.forbid("A"), on_limit="bounded"))
    assert found.status == "bounded" and found.score <= 2.0 + 3e-9 <= found.bound


@pytest.mark.parametrize("price", [1e6, 1e15, 1e300])
def test_a_price_that_nobody_pays_is_as_good_as_a_hard_rule(price):
    for rule in (lawful.at_most_segments(1, "A"), lawful.exactly(2, "B"), ~lawful.forbid("B")):
        hard = ilp(problem(MOSTLY_A, rule))
        soft = ilp(problem(MOSTLY_A, rule.soft(price, per="violation")))
        assert (soft.labels, soft.status) == (hard.labels, "optimal")


def test_near_ties_are_told_apart():
    # Obeying costs 1,000 while the answers score 1e-3 and differ by 1e-8 of that.
    lattice = Lattice([[1000.0, 1e-3, 1e-3 + 1e-11]], labels=["A", "B", "C"])
    found = ilp(problem(lattice, lawful.forbid("A")))
    assert (found.labels, found.status) == ((2,), "optimal")


def test_losses_are_exact():
    losses = exact_losses(ruled_program(problem(Lattice([[1e300, 1.0], [1e-300, 2e-300]]))))
    assert Fraction(losses.plain, losses.unit) == Fraction(1e300) + Fraction(2e-300)
    lost = [Fraction(loss, losses.unit) for loss in losses.columns]
    assert lost == [0, Fraction(1e300) - 1, Fraction(2e-300) - Fraction(1e-300), 0]
    cost, scale = losses.objective(losses.largest)
    assert -LARGEST <= cost.min() < -LARGEST / 2 and LARGEST * scale >= losses.largest
    assert losses.objective(1)[0].tolist() == [0.0, -LARGEST, -LARGEST, 0.0]


def test_a_solution_can_be_forbidden():
    program = Program()
    x = program.add_columns([2.0, 3.0, 1.5], binary=True, name=str)
    program.add_row(x, upper=2)
    arrays = program.arrays()
    assert highs.solve(arrays).values.tolist() == [1.0, 1.0, 0.0]
    assert highs.solve(arrays.without([0, 1])).values.tolist() == [0.0, 1.0, 1.0]
    assert highs.solve(arrays.without([0, 1]).without([1, 2])).values.tolist() == [1.0, 0.0, 1.0]


# --- graphs -----------------------------------------------------------------------------------------------------


def test_a_graph_whose_paths_differ_in_length():
    graph = GraphLattice.from_nbest([(["A", "B", "A"], -1.0), (["A"], -2.0), ([], -3.0)], labels=["A", "B"])
    assert ilp(problem(graph)).labels == (0, 1, 0)
    assert ilp(problem(graph, lawful.at_most(1, "A"))).labels == (0,)
    assert ilp(problem(graph, lawful.forbid("A"))).labels == ()


def test_tokens_and_epsilons_in_a_graph():
    arcs = [(0, 1, "A", 1.0), (1, 2, None, 0.5), (1, 3, "A", 3.0), (2, 3, "B", 1.0)]
    graph = GraphLattice.from_arcs(arcs, labels=["A", "B"], finals={3: 0.25}, tokens=["x", "y"])
    assert ilp(problem(graph)).score == 4.25
    found = ilp(problem(graph, lawful.when(lawful.token.is_in(["y"])).never("A")))
    assert (found.labels, found.score) == ((0, 1), 2.75)


def test_a_cycle_is_refused():
    loop = GraphLattice.from_arcs([(0, 0, "A", -1.0), (0, 1, "A", 2.0)], labels=["A"], finals=[1])
    with pytest.raises(GraphError, match="cycle"):
        ilp(problem(loop))


def test_a_cycle_that_leads_nowhere_carries_nothing():
    arcs = [
        (0, 1, "A", 1.0),
        (0, 2, "A", 5.0),
        (2, 3, "A", 5.0),
        (3, 2, "A", 5.0),
        (4, 4, "A", 9.0),
        (4, 1, "A", 1.0),
    ]
    graph = GraphLattice.from_arcs(arcs, labels=["A"], finals=[1])
    assert ilp(problem(graph)).score == 1.0


# --- programs and LP files --------------------------------------------------------------------------------------


def test_entries_that_meet_are_added_and_zeros_dropped():
    program = Program()
    x = program.add_columns([1.0, 1.0], binary=True, name=str)
    program.add_row(x, x[:1], upper=1)
    arrays = program.arrays()
    assert (arrays.columns.tolist(), arrays.values.tolist(), arrays.starts.tolist()) == ([1], [1.0], [0, 1])


def read(path):
    """The optimum of an LP file, by HiGHS; None if it is infeasible."""
    highs = highspy.Highs()
    highs.setOptionValue("output_flag", False)
    highs.setOptionValue("mip_rel_gap", 0.0)
    assert highs.readModel(str(path)) == highspy.HighsStatus.kOk
    highs.run()
    known = highspy.HighsModelStatus
    if highs.getModelStatus() in (known.kInfeasible, known.kUnboundedOrInfeasible):
        return None
    assert highs.getModelStatus() == known.kOptimal
    return highs.getObjectiveValue()


RISKY_NAMES = ["inf", "end", "e5", "St", "1st", "subject to", "nan", "free", "x", "flow", "bounds", "é\n\\"]


@pytest.mark.parametrize("lattice", [MOSTLY_A, WITH_TRANSITIONS], ids=["labels", "edges"])
def test_an_lp_file_can_be_read_back(lattice, tmp_path):
    rules = [
        one.named(f"{RISKY_NAMES[i % len(RISKY_NAMES)]}{' ' * (i // len(RISKY_NAMES))}")
        for i, one in enumerate(price for rule in (FORMS + FLOWS)[::3] for price in priced(rule)[1:])
    ]
    text = lawful.decoding.to_lp(lattice, rules, tmp_path / "program.lp")
    assert (tmp_path / "program.lp").read_text() == text
    assert max(map(len, text.splitlines())) < 255
    assert read(tmp_path / "program.lp") == pytest.approx(lawful.decode(lattice, rules).score, abs=1e-6)


def test_the_lp_file_of_a_graph_and_of_what_is_infeasible(tmp_path):
    graph = GraphLattice.from_nbest([(["A", "B"], -1.0), (["A"], -2.0)], labels=["A", "B"])
    lawful.decoding.to_lp(graph, lawful.forbid("B"), tmp_path / "graph.lp")
    assert read(tmp_path / "graph.lp") == pytest.approx(-2.0)
    lawful.decoding.to_lp(graph, lawful.forbid("A"), tmp_path / "none.lp")
    assert read(tmp_path / "none.lp") is None
    lawful.decoding.to_lp(Lattice([[-np.inf]]), path=tmp_path / "empty.lp")
    assert read(tmp_path / "empty.lp") is None


def test_names_of_labels_that_a_reader_would_not_take(tmp_path):
    lattice = Lattice([[1.0, 2.0, 0.0], [0.0, 0.0, 1.0]], np.eye(3), labels=["B-PER", "B.PER", "+ é"])
    text = lawful.decoding.to_lp(lattice, path=tmp_path / "program.lp")
    assert "\\ Label 'B.PER' is written B_PER_2." in text
    assert text.isascii()
    assert read(tmp_path / "program.lp") == pytest.approx(3.0)


def test_edges_rules_and_tokens_are_named():
    text = lawful.decoding.to_lp(
        WITH_TRANSITIONS, [lawful.at_most_segments(1, "A").named("A once").soft(2.0)]
    )
    assert "\\ Token 2 is 'two'." in text
    assert "\\ A once (2 if broken)" in text
    assert "\n A_once: x0.A + x1.O.A + x1.B.A + " in text
    assert "- 2.0 broken.A_once" in text


@pytest.mark.parametrize("timeout", [1e20, 1e308, math.inf])
def test_a_timeout_may_be_longer_than_any_clock_counts(timeout: float) -> None:
    lattice = Lattice([[1.0, 0.0]] * 3, labels=["A", "B"])
    best = lawful.decode(lattice, lawful.exactly(1, "B"), solver="ilp", timeout=timeout)
    assert (best.status, best.score) == ("optimal", 2.0)


@pytest.mark.parametrize(("longest", "seed"), [(5, (0, 27, 151)), (30, (2, 3, 78))])
def test_small_differences_beside_a_price_that_must_be_paid_are_seen(
    longest: int, seed: tuple[int, ...]
) -> None:
    """HiGHS may leave each column its tolerance, and along a path these add up: both found by `make agreement`."""
    lattice, rules = wide_problem(np.random.default_rng([3012, *seed]), longest=longest)
    by_engine = lawful.decode(lattice, rules)
    best = exact_score(lattice, rules, by_engine.labels) if longest > 5 else best_exact_score(lattice, rules)
    assert best is not None
    answer = exact_score(lattice, rules, lawful.decode(lattice, rules, solver="ilp").labels)
    assert answer is not None
    assert best.score - answer.score <= Fraction(1e-9) * best.size
