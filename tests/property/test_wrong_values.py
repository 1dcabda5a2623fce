"""Wrong values of options get an error of ours that names the option; right ones of other libraries are taken."""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

import lawful
from lawful.decoding.decoder import DecodingOptions
from lawful.decoding.options import SolverOptions
from lawful.errors import LawfulError
from lawful.learning.learner import RuledLearner

X, Y = [["a", "b"], ["b"]], [["A", "B"], ["B"]]
RULE = lawful.at_most(1, "A")


def lattice() -> lawful.Lattice:
    return lawful.Lattice([[1.0, 0.0], [2.0, 0.0], [0.0, 1.0]], labels=["A", "B"], tokens=["a", "b", "c"])


# None of these is a value of any option, whatever its type.
WRONG = st.one_of(
    st.sampled_from(
        ["1", "", b"1", True, False, math.nan, -1, -0.5, 2**70, -(2**70), 1j, [], [1], (1,), {}, {"a": 1}]
    ),
    st.sampled_from(
        [object(), Decimal("nan"), Fraction(-1, 2), np.array([1, 2]), np.nan, np.True_, int, len, slice(3)]
    ),
    st.text(max_size=5),
    st.integers(max_value=-1),
    st.floats(max_value=-1e-300),
    st.lists(st.integers(), max_size=3),
)
NUMBERS = ["max_states", "timeout", "max_memory", "max_loss"]


def answers(work: Callable[[], Any]) -> None:
    """It works, or it raises an error of ours."""
    try:
        work()
    except LawfulError as error:
        assert str(error)


@settings(max_examples=150, deadline=None)
@given(
    name=st.sampled_from(NUMBERS),
    value=WRONG.filter(lambda value: isinstance(value, (bool, str, list, dict))),
)
def test_options_that_are_no_numbers_are_refused_by_name(name: str, value: Any) -> None:
    for make in (
        lambda: lawful.Decoder(RULE, labels=["A", "B"], **{name: value}),
        lambda: lawful.decode(lattice(), RULE, **{name: value}),
    ):
        with pytest.raises(lawful.InputError, match=f"^{name} must be a "):
            make()


@settings(max_examples=300, deadline=None)
@given(data=st.data())
def test_any_value_of_any_option_of_a_decoder_answers(data: st.DataObject) -> None:
    own = [*inspect.signature(DecodingOptions).parameters, *SolverOptions.__annotations__, "solver"]
    name = data.draw(st.sampled_from(own))
    value = data.draw(WRONG)
    solver = {"width": "beam", "per_position": "beam", "completion": "a_star", "iterations": "dual", "finish": "dual",
              "order": "relaxation", "seed": "relaxation", "at_once": "relaxation", "early_exit": "branch_and_bound"}  # fmt: skip
    options = {"solver": solver.get(name, "branch_and_bound" if name == "prune" else "auto"), name: value}
    answers(lambda: lawful.decode(lattice(), RULE, **options))  # type: ignore[arg-type]
    answers(lambda: lawful.Decoder(RULE, labels=["A", "B"], **options).decode_batch([lattice()]).labels)  # type: ignore[arg-type]


@settings(max_examples=200, deadline=None)
@given(value=WRONG)
def test_wrong_arguments_of_functions_answer(value: Any) -> None:
    decoder = lawful.Decoder(RULE, labels=["A", "B"])
    small = value if not isinstance(value, int) or abs(value) < 100 else -1
    for work in (
        lambda: lawful.nbest(lattice(), RULE, value if value is not True else -1),
        lambda: lawful.decoding.sample(lattice(), RULE, small),
        lambda: lawful.decoding.sample(lattice(), RULE, 1, value),
        lambda: lawful.explain(lattice(), RULE, runners_up=small),
        lambda: lawful.explain(lattice(), RULE, max_sets=value),
        lambda: decoder.decode_batch([lattice()], jobs=value),
        lambda: decoder.decode_batch(value),
        lambda: decoder.decode_batch([value]),
        lambda: decoder.decode(value),
        lambda: lawful.decode(value, RULE),
        lambda: lawful.Lattice(value),
        lambda: lawful.Lattice([[0.0, 1.0]], value),
        lambda: lawful.Lattice([[0.0, 1.0]], labels=value),
        lambda: lawful.Lattice([[0.0, 1.0]], start=value),
        lambda: lawful.Lattice([[0.0, 1.0]], mask=value),
        lambda: lawful.Lattice([[0.0, 1.0]], tokens=value),
        lambda: lawful.Lattice([[0.0, 1.0]], context=value),
        lambda: lawful.HMM().fit(X, Y).predict(X, jobs=value),
        lambda: lawful.HMM().fit(X, Y).predict(X, contexts=value),
    ):
        answers(work)


LEARNERS = [
    cls
    for name in dir(lawful.learning)
    if inspect.isclass(cls := getattr(lawful.learning, name)) and issubclass(cls, RuledLearner)
]
NUMERIC = {
    "gamma", "rounds", "epochs", "pool_epochs", "price_smoothing", "seed", "weight", "tolerance", "max_iterations",
    "price_penalty", "max_states",
}  # fmt: skip


@pytest.mark.parametrize("value", ["1", math.nan, -1, True, [1], 2**70, len], ids=repr)
@pytest.mark.parametrize("learner", LEARNERS)
def test_numbers_of_learners_are_refused_by_name(learner: type[Any], value: Any) -> None:
    base = lawful.HMM() if learner is lawful.learning.EM else lawful.CRF(max_iterations=2)
    rules = lawful.Rules(RULE.soft("learn"))
    parameters = inspect.signature(learner).parameters
    for name in NUMERIC & set(parameters):
        if value == 2**70 and name != "max_states":
            continue  # a number like others for all but the kernels, if a large one
        given_rules = {"rules": rules} if "rules" in parameters else {}
        more = {"strategy": "L+I"} if name == "price_smoothing" and "strategy" in parameters else {}
        with pytest.raises(lawful.InputError, match=f"{name}|smoothing must be a number"):
            learner(base, **given_rules, **more, **{name: value}).fit(X, Y)


@pytest.mark.parametrize("whole", [np.int8, np.int64, np.uint32], ids=lambda kind: kind.__name__)
def test_whole_numbers_of_numpy_are_taken(whole: type[Any]) -> None:
    decoder = lawful.Decoder(RULE, labels=["A", "B"], max_states=whole(100), timeout=np.float32(5))
    assert decoder.options.max_states == 100
    assert type(decoder.options.max_states) is int
    assert len(decoder.nbest(lattice(), whole(2))) == 2
    assert len(decoder.sample(lattice(), whole(2), seed=whole(1))) == 2
    assert decoder.decode_batch([lattice()], jobs=whole(1)).statuses == ["optimal"]
    assert lawful.at_most(whole(1), "A") == RULE


@pytest.mark.parametrize(
    ("work", "told"),
    [
        (lambda: lawful.decode(lattice(), timeout="1"), "timeout must be a number above 0, got '1'"),
        (lambda: lawful.decode(lattice(), max_states=1.5), "max_states must be a whole number of 1 or more, got 1.5"),
        (lambda: lawful.decode(lattice(), max_states=True), "max_states must be a whole number of 1 or more, got True"),
        (lambda: lawful.decode(lattice(), timeout=math.nan), "timeout must be a number above 0, got nan"),
        (lambda: lawful.Decoder(labels=["A", "B"]).decode_batch([], jobs=2**40), "jobs must be a whole number of 1 or more (at most 4096)"),
        (lambda: lawful.nbest(lattice(), n=2**70), "n must be a whole number of at most"),
        (lambda: lawful.decoding.sample(lattice(), seed=-1), "seed must be a whole number of 0 or more, a numpy Generator, or None; got -1"),
        (lambda: lawful.Decoder(labels=["A", "B"]).decode_batch([1]), "expected a lattice, such as lawful.Lattice(scores, labels=...), got 1"),
        (lambda: lawful.Decoder(labels=["A", "B"]).decode_batch(lattice()), "expected a list of lattices, got Lattice(3 tokens, 2 labels)"),
        (lambda: lawful.decode("x"), "expected a lattice, such as lawful.Lattice(scores, labels=...), got 'x'"),
        (lambda: lawful.decode([[0.0, 1.0]]), "expected a lattice"),
        (lambda: lawful.decode(lattice(), solver="relaxation", order="best"), "order must be 'given', 'random', 'most_violated' or 'smallest', got 'best'"),
        (lambda: lawful.Lattice([["a"]]), "emissions must hold numbers, got dtype <U1"),
        (lambda: lawful.Lattice([[1.0], [1.0, 2.0]]), "emissions must hold numbers, got rows of different lengths"),
        (lambda: lawful.Lattice(np.array([[1, "a"]], dtype=object)), "emissions must hold numbers, got dtype object"),
        (lambda: lawful.Lattice([[1j]]), "emissions must hold numbers, got dtype complex128"),
        (lambda: lawful.Lattice([[0.0, 0.0]], [[1.0], [1.0, 2.0]]), "transitions must hold numbers, got rows of different lengths"),
        (lambda: lawful.Lattice([[0.0]], tokens=5), "tokens must hold a list of tokens, got 5"),
        (lambda: lawful.Lattice([[0.0]], context=[1]), "context must be a mapping of names to values, got [1]"),
        (lambda: lawful.LabelSet(5), "a label set must hold a list of label names, got 5"),
    ],
)  # fmt: skip
def test_the_error_names_option_and_value(work: Callable[[], Any], told: str) -> None:
    with pytest.raises(lawful.InputError) as caught:
        work()
    assert told in str(caught.value)


def test_true_is_not_taken_for_one_even_if_a_decoder_for_one_is_kept() -> None:
    lawful.decode(lattice(), RULE, timeout=1)
    with pytest.raises(lawful.InputError, match="timeout must be a number"):
        lawful.decode(lattice(), RULE, timeout=True)


def test_masked_cells_are_forbidden() -> None:
    scores = np.ma.array([[9.0, 0.0], [9.0, 0.0]], mask=[[True, False], [False, False]])
    masked = lawful.Lattice(scores, labels=["A", "B"])
    assert masked.emissions.tolist() == [[-np.inf, 0.0], [9.0, 0.0]]
    assert lawful.decode(masked).labels == ("B", "A")
    rows = lawful.Lattice(list(scores), labels=["A", "B"])
    assert rows.emissions.tolist() == masked.emissions.tolist()
    steps = np.ma.array([[0.0, 0.0], [0.0, 0.0]], mask=[[False, False], [True, False]])
    assert lawful.decode(lawful.Lattice(scores, steps, labels=["A", "B"])).labels == ("B", "B")
    with pytest.raises(lawful.InputError, match="mask must hold True and False, got a masked array"):
        lawful.Lattice([[0.0]], mask=np.ma.array([[True]], mask=[[True]]))


def test_tensors_that_numpy_cannot_read_are_refused_by_name() -> None:
    class Elsewhere:
        def __array__(self, *_: Any, **__: Any) -> Any:
            raise TypeError("can't convert a device tensor to numpy")

    with pytest.raises(
        lawful.InputError, match="emissions must hold numbers, got Elsewhere: can't convert a device tensor"
    ):
        lawful.Lattice(Elsewhere())  # type: ignore[arg-type]
