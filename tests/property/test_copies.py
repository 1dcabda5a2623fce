"""Everything that a user holds can be pickled and copied, and answers the same afterwards: here and in another process."""

from __future__ import annotations

import copy
import inspect
import multiprocessing
import pickle
from collections.abc import Callable, Iterator
from typing import Any, Protocol

import numpy as np
import pytest

import lawful
from lawful.decoding import Prepared
from lawful.errors import InfeasibleError, LawfulError, MissingLabelWarning, RuleError
from lawful.learning.learner import RuledLearner
from lawful.rules import Rules
from lawful.testing import random_problems, random_rule


def pickled(value: Any, protocol: int | None = None) -> Any:
    return pickle.loads(pickle.dumps(value, protocol))  # noqa: S301 - our own


ROUND_TRIPS: list[Callable[[Any], Any]] = [
    pickled,
    lambda value: pickled(value, 2),
    copy.deepcopy,
    copy.copy,
]
trips = pytest.mark.parametrize("trip", ROUND_TRIPS, ids=["pickle", "protocol 2", "deepcopy", "copy"])

X, Y = [["a", "b"], ["b", "a", "a"]], [["A", "B"], ["B", "A", "A"]]
RULES = Rules(
    lawful.at_most_segments(1, "A").named("one A"),
    lawful.when(lawful.token.is_in(["b"])).then("B").soft(0.3, name="b is B"),
    lawful.label_at(lawful.context("verb", default=0), "A").soft(1.5, name="verb"),
)


def lattice() -> lawful.Lattice:
    return lawful.Lattice(
        [[2.0, 0.0], [0.0, 1.0], [3.0, -np.inf]],
        [[0.0, 0.5], [0.25, 0.0]],
        labels=["A", "B"],
        start=[0.0, 0.1],
        tokens=["a", "b", "a"],
        context={"verb": 2},
    )


def samples() -> Iterator[Any]:
    """One of each class that the rooms below export, as far as it can be made by hand."""
    decoder = lawful.Decoder(RULES, labels=["A", "B"], solver="beam", width=4, timeout=9.0)
    auto = lawful.Decoder(RULES, labels=["A", "B"])
    decoding = auto.decode(lattice())
    explanation = lawful.explain(lattice(), RULES)
    certificate = lawful.verify(decoding)
    yield from (decoder, decoding, auto.decode_batch([lattice(), lattice()]), auto.marginals(lattice()))
    yield from (auto.prepare([lattice()]), auto.prepare([lattice()])[0], auto.nbest(lattice(), 1)[0])
    yield from (
        auto.bind(3, ["a", "b", "a"], {"verb": 1}),
        certificate,
        explanation,
        explanation.why_not(["B"] * 3),
    )
    yield from (*explanation.changes, *explanation.prices, *explanation.broken, *explanation.runners_up)
    yield from (lattice(), lawful.GraphLattice.from_lattice(lattice()), lawful.lattice.Transitions([[0.0]]))
    yield from (lattice().find_block(["A", "A", "B"]), lattice().labels, RULES, auto._problem(lattice()))
    yield from (decoding.solution, *decoding.rounds, lawful.solvers.Limits(timeout=1.0))
    columns = lawful.lattice.Columns(
        {"A.1": "A", "A.2": "A", "B": "B"}, tags=["A.1", "A.2", "B"], labels=["A", "B"]
    )
    tags = lawful.Lattice([[1.0, 3.0, 0.0], [1.0, 0.0, 0.5]], labels=["A.1", "A.2", "B"])
    yield from (columns, lawful.lattice.TagLattice(tags, columns))
    yield lawful.SemiCRF(max_iterations=3).fit(X, Y).lattice(X[0])
    yield lawful.decoding.estimate_confidence(auto, lattice(), decoding.labels)
    yield from (cls_made(cls) for cls in public(lawful.models) if cls is not lawful.models.StructuredLearner)
    yield from (cls_made(cls) for cls in public(lawful.learning))


def public(room: Any) -> Iterator[type[Any]]:
    """The classes that a room exports and that have instances of their own."""
    for name in dir(room):
        cls = getattr(room, name)
        if inspect.isclass(cls) and not inspect.isabstract(cls) and Protocol not in cls.__mro__[:2]:
            yield cls


def cls_made(cls: type[Any]) -> Any:
    """A fitted model or learner; for other classes, some instance."""
    if cls is lawful.models.Blend:
        return cls([lawful.HMM().fit(X, Y), lawful.HMM().fit(X, Y)], [0.5, 0.5])
    if cls is lawful.models.Calibrated:
        return cls(lawful.HMM().fit(X, Y), 2.0)
    if issubclass(cls, lawful.models.SequenceModel):
        return cls().fit(X, Y)
    if issubclass(cls, RuledLearner):
        base = lawful.HMM() if cls is lawful.learning.EM else lawful.CRF(max_iterations=3)
        return cls(base).fit(X, Y)  # type: ignore[attr-defined]
    others: dict[type[Any], Callable[[], Any]] = {
        lawful.models.Emission: lambda: lawful.HMM().fit(X, Y).vocabularies_[0].emission,
        lawful.models.SegmentFeatures: lawful.models.SegmentFeatures,
        lawful.learning.Tally: lambda: lawful.learning.tally_violations(RULES, zip(X, Y, strict=True))[
            "one A"
        ],
        lawful.learning.Round: lambda: lawful.CoDL(lawful.HMM()).fit(X, Y).history_[0],
        lawful.learning.Epoch: lambda: lawful.learning.Epoch(1, 0.5, 2),
        lawful.learning.Choice: lambda: lawful.learning.choose_model(X, Y, kinds=["hmm"]),
        lawful.learning.HeldOutRules: held_out_rules,
        lawful.learning.TriedRules: lambda: lawful.learning.choose_together([held_out_rules()])[1][0],
        lawful.learning.RuleChoice: lambda: lawful.learning.choose_rules(
            RULES, zip(X, Y, strict=True), tagger=lawful.HMM().fit(X, Y)
        ),
    }
    return others[cls]()


def held_out_rules() -> lawful.learning.HeldOutRules:
    return lawful.learning.HeldOutRules(RULES, zip(X, Y, strict=True), tagger=lawful.HMM().fit(X, Y))


SAMPLES = [*samples(), lawful.Decoder(labels=["A", "B"]).decode_arrays([[0.0, 1.0], [1.0, 0.0]], [1, 1])]


def seen(value: Any) -> Any:
    """What a user can ask of an object, in a form that can be compared."""
    if isinstance(value, lawful.Decoder):
        answer = value.decode(lattice())
        return value.rules, value.labels, value.solver, value.options, seen(answer)
    if isinstance(value, lawful.Decoding):
        return (value.labels, value.score, value.bound, value.status, value.why, value.rounds, value.rules,
                value.violations, value.plain_labels, value.loss, value.fell_back, seen(value.lattice))  # fmt: skip
    if isinstance(value, lawful.decoding.Decodings):
        return value.labels, value.scores.tolist(), value.statuses, [seen(item) for item in value]
    if isinstance(value, lawful.decoding.ArrayDecodings):
        return value.named, value.scores.tolist(), value.offsets.tolist(), value.statuses
    if isinstance(value, lawful.Lattice):
        arrays = (value.emissions, value.transitions, value.start, value.end)
        return (
            [None if a is None else a.tolist() for a in arrays],
            value.labels,
            value.tokens,
            dict(value.context),
        )
    if isinstance(value, lawful.GraphLattice):
        arcs = [column.tolist() for column in (*value.arcs, value.final)]
        return (
            arcs,
            value.labels,
            value.start,
            list(value.states),
            value.tokens,
            dict(value.context),
            value.length,
        )
    if isinstance(value, lawful.lattice.Columns):
        return value.tag_of.tolist(), value.label_of.tolist(), value.tags, value.labels
    if isinstance(value, lawful.lattice.SegmentLattice):
        return seen(value.whole()), value.least, lawful.decode(value, RULES).labels
    if isinstance(value, lawful.lattice.TagLattice):
        return seen(value.columns), lawful.decode(value).labels, lawful.decode(value).score
    if isinstance(value, lawful.lattice.Transitions):
        return value.scores.tolist()
    if isinstance(value, lawful.decoding.Marginals):
        drawn = value.sample(3, seed=1)
        return value.labels.tolist(), value.log_partition, value.confidence(drawn[0]), drawn
    if isinstance(value, lawful.rules.bound_rules.BoundRules):
        return value.names, value.prices, value.per, value.in_force, value.count(["A", "B", "A"]).tolist()
    if isinstance(value, Prepared):
        answer = lawful.Decoder(value.rules.rules, labels=value.lattice.labels).decode(value)
        return seen(answer), value.core is None
    if isinstance(value, lawful.decoding.PreparedBatch):
        return [seen(item) for item in value], value.others
    if isinstance(value, lawful.solvers.Problem):
        return seen(value.lattice), seen(value.rules), value.limits
    if isinstance(value, lawful.learning.HeldOutRules):
        return value.priced(value.names), value.answers(value.names).tolist()
    if isinstance(value, lawful.explanation.Explanation):
        return str(value), value.to_dict()
    if hasattr(value, "predict"):
        return value.predict(X), repr(value)
    return repr(value)


@trips
@pytest.mark.parametrize("value", SAMPLES, ids=lambda value: type(value).__name__)
def test_a_copy_answers_the_same(value: Any, trip: Callable[[Any], Any]) -> None:
    again = trip(value)
    assert type(again) is type(value)
    assert seen(again) == seen(value)


def test_no_exported_class_is_forgotten() -> None:
    rooms = [
        lawful.decoding,
        lawful.lattice,
        lawful.explanation,
        lawful.models,
        lawful.learning,
        lawful.solvers,
    ]
    exported = {cls for room in rooms for cls in public(room)}
    refused = {lawful.models.StructuredLearner}
    assert exported - refused - {type(value) for value in SAMPLES} == set()


@trips
@pytest.mark.parametrize("seed", range(6))
def test_random_problems_decode_alike_after_a_round_trip(seed: int, trip: Callable[[Any], Any]) -> None:
    rng = np.random.default_rng(seed)
    for shape in ("trellis", "levelled", "acyclic"):
        rules, lattices = random_problems(rng, shape, count=3)  # type: ignore[arg-type]
        decoder = lawful.Decoder(rules, labels=lattices[0].labels, on_infeasible="least_bad")
        try:
            results = decoder.decode_batch(lattices)
        except InfeasibleError:  # a lattice without any path
            continue
        again_decoder, again_lattices, again_results = trip((decoder, lattices, results))
        assert seen(again_results)[:3] == seen(results)[:3]
        assert [seen(item) for item in again_decoder.decode_batch(again_lattices)] == [
            seen(item) for item in results
        ]
        assert [item.bound_rules.count(item.labels).tolist() for item in again_results] == [
            item.bound_rules.count(item.labels).tolist() for item in results
        ]


@pytest.mark.parametrize("seed", range(200))
def test_random_rules_stay_what_they_are(seed: int) -> None:
    rule = random_rule(np.random.default_rng(seed), lawful.LabelSet(["A", "B", "C"]))
    again = pickled(rule)
    assert again == rule
    assert repr(again) == repr(rule)
    assert copy.deepcopy(rule) is rule


def test_what_is_shared_stays_shared() -> None:
    shared = lawful.lattice.Transitions([[0.0, 1.0], [1.0, 0.0]])
    first, second = (lawful.Lattice([[1.0, 2.0]] * 3, shared, labels=["A", "B"]) for _ in range(2))
    again = pickled([first, second])
    assert again[0]._transitions is again[1]._transitions
    decodings = pickled(list(lawful.Decoder(RULES, labels=["A", "B"]).decode_batch([lattice()] * 2)))
    assert decodings[0].bound_rules._compiled is decodings[1].bound_rules._compiled


def test_prices_and_narrowed_rules_are_kept() -> None:
    bound = lawful.Decoder(RULES, labels=["A", "B"]).bind(3, ["a", "b", "a"])
    dear = bound.at_prices([7.0, 0.0, np.inf])
    for rules in (dear, bound.only([1, 2]), dear.only([2])):
        assert seen(pickled(rules)) == seen(rules)
    with pytest.raises(lawful.InputError, match="made from parts"):
        pickle.dumps(lawful.rules.bound_rules.BoundRules.from_parts((), names=["by hand"]))


def test_a_pool_of_other_processes_decodes() -> None:
    decoder = lawful.Decoder(RULES, labels=["A", "B"])
    impossible = lawful.Decoder([lawful.at_least(4, "A").named("four")], labels=["A", "B"])
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        results = pool.map(decoder.decode, [lattice(), lattice()])
        explanation = pool.apply(lawful.explain, (lattice(), RULES))
        with pytest.raises(InfeasibleError, match="no path of the lattice obeys rule 'four'") as caught:
            pool.apply(impossible.decode, (lattice(),))
    assert [seen(result) for result in results] == [seen(decoder.decode(lattice()))] * 2
    assert str(explanation) == str(lawful.explain(lattice(), RULES))
    assert caught.value.rules == ("four",)


def test_errors_come_back_with_their_fields() -> None:
    wrong: list[Callable[[], Any]] = [
        lambda: lawful.Lattice([[np.nan]]),
        lambda: lawful.Lattice([[0.0, 1.0]], labels=["A"]),
        lambda: lawful.Decoder(lawful.forbid("C"), labels=["A"]),
        lambda: lawful.load_model("nowhere.lawful"),
        lambda: lawful.rules.files.parse_rules("[[rule]]"),
        lambda: lawful.decode(lattice(), lawful.uniform()),
        lambda: lawful.decode(lattice(), lawful.at_least(9, "A")),
        lambda: lawful.decode(lattice(), lawful.forbid("A"), max_loss=0.1, on_exceed="raise"),
    ]
    for cause in wrong:
        with pytest.raises(LawfulError) as caught:
            cause()
        error = caught.value
        again = pickled(error)
        assert type(again) is type(error)
        assert (str(again), again.args) == (str(error), error.args)
        assert repr(vars(again)) == repr(vars(error))
    warning = MissingLabelWarning({"a rule": ("B",)})
    assert pickled(warning).missing == warning.missing


def named(token: Any) -> bool:
    return bool(token)


def test_a_rule_with_a_nameless_function_is_refused_by_its_name() -> None:
    rule = lawful.when(lambda word: word == "b").then("B").named("is it b")
    decoder = lawful.Decoder([rule], labels=["A", "B"])
    for value in (rule, Rules(rule), decoder, decoder.decode(lattice()), decoder.bind(1, ["b"])):
        with pytest.raises(
            RuleError, match=r"rule 'is it b' cannot be pickled: it calls <function .*<lambda>"
        ):
            pickle.dumps(value)
        assert copy.deepcopy(value) is not None  # here the function itself is at hand
    assert pickled(lawful.when(named).then("B")) == lawful.when(named).then("B")
    assert pickled(lawful.when(str.isupper).then("B")) == lawful.when(str.isupper).then("B")


def test_picklers_that_send_code_take_such_rules() -> None:
    cloudpickle = pytest.importorskip("cloudpickle")
    decoder = lawful.Decoder(lawful.when(lambda word: word == "b").then("B"), labels=["A", "B"])
    again = cloudpickle.loads(cloudpickle.dumps(decoder))
    assert again.decode(lattice()).labels == decoder.decode(lattice()).labels


def test_a_learner_in_the_middle_of_its_work_is_refused() -> None:
    learner = lawful.StructuredPerceptron().learner(X, Y)
    for trip in ROUND_TRIPS:
        with pytest.raises(lawful.InputError, match="take the model that `finish` gives"):
            trip(learner)
