import numpy as np
import pytest

from lawful.errors import (
    DtypeError,
    DuplicateLabelError,
    EmptyLabelSetError,
    EmptySequenceError,
    ScoreError,
    ShapeError,
)
from lawful.labels import LabelSet
from lawful.lattice import Lattice, Transitions

EMISSIONS = np.arange(6.0).reshape(3, 2)
STEPS = np.array([[0.0, -1.0], [-2.0, 0.5]])


def test_everything_comes_back_read_only():
    lattice = Lattice(
        EMISSIONS,
        STEPS,
        labels=["a", "b"],
        start=[1, 2],
        end=[3, 4],
        tokens=["x", "y", "z"],
        context={"verb": 1},
    )
    assert lattice.length == len(lattice) == 3
    assert lattice.labels == LabelSet(["a", "b"])
    assert lattice.tokens == ("x", "y", "z")
    for name, expected in {
        "emissions": EMISSIONS,
        "transitions": STEPS,
        "start": [1, 2],
        "end": [3, 4],
    }.items():
        array = getattr(lattice, name)
        assert np.array_equal(array, expected), name
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 7
    with pytest.raises(TypeError):
        lattice.context["verb"] = 2
    for name in ("emissions", "labels", "core", "anything"):
        with pytest.raises(AttributeError):
            setattr(lattice, name, None)


def test_later_changes_to_the_arrays_do_not_matter():
    emissions, steps, start, context = EMISSIONS.copy(), STEPS.copy(), np.zeros(2), {"verb": 1}
    lattice = Lattice(emissions, steps, start=start, context=context)
    emissions[:] = steps[:] = start[:] = 9
    context["verb"] = 9
    assert np.array_equal(lattice.emissions, EMISSIONS)
    assert np.array_equal(lattice.transitions, STEPS)
    assert np.array_equal(lattice.start, [0, 0])
    assert lattice.context["verb"] == 1


def test_defaults():
    lattice = Lattice(EMISSIONS)
    assert lattice.labels == LabelSet(["0", "1"])
    assert lattice.labels is Lattice(EMISSIONS).labels
    assert (lattice.transitions, lattice.start, lattice.end, lattice.tokens) == (None, None, None, None)
    assert not lattice.context
    assert repr(lattice) == "Lattice(3 tokens, 2 labels)"


@pytest.mark.parametrize(
    "emissions",
    [
        EMISSIONS.tolist(),
        EMISSIONS.astype(np.float32),
        EMISSIONS.astype(int),
        EMISSIONS.astype(np.uint8),
        EMISSIONS.astype(">f8"),
        np.asfortranarray(EMISSIONS),
        np.repeat(EMISSIONS, 2, axis=1)[:, ::2],
    ],
)
def test_numbers_of_any_kind_and_layout(emissions):
    lattice = Lattice(emissions)
    assert lattice.emissions.dtype == np.float64
    assert np.array_equal(lattice.emissions, EMISSIONS)


@pytest.mark.parametrize(
    "emissions",
    [EMISSIONS > 2, EMISSIONS * 1j, EMISSIONS.astype(object), EMISSIONS.astype(str), [["a", "b"]]],
)
def test_anything_else_is_refused(emissions):
    with pytest.raises(DtypeError, match="emissions must hold numbers"):
        Lattice(emissions)


def test_ragged_rows():
    with pytest.raises(DtypeError, match="rows of different lengths"):
        Lattice([[1.0], [1.0, 2.0]])


def test_mask_forbids():
    mask = np.array([[True, False], [True, True], [False, True]])
    assert np.array_equal(Lattice(EMISSIONS, mask=mask).emissions, np.where(mask, EMISSIONS, -np.inf))
    assert np.array_equal(
        Lattice(EMISSIONS, mask=mask.tolist()).emissions, np.where(mask, EMISSIONS, -np.inf)
    )
    with pytest.raises(DtypeError, match="mask must hold True and False"):
        Lattice(EMISSIONS, mask=mask.astype(int))
    with pytest.raises(ShapeError, match="mask"):
        Lattice(EMISSIONS, mask=mask[:2])


@pytest.mark.parametrize("value", [np.nan, np.inf])
@pytest.mark.parametrize(
    ("array", "index", "place"),
    [
        ("emissions", (2, 1), r"emissions\[2, 1\] \(label 'b'\)"),
        ("transitions", (1, 0), r"transitions\[1, 0\] \(label 'b -> a'\)"),
        ("start", (1,), r"start\[1\] \(label 'b'\)"),
        ("end", (0,), r"end\[0\] \(label 'a'\)"),
    ],
)
def test_illegal_scores_are_named(value, array, index, place):
    arrays = {
        "emissions": EMISSIONS.copy(),
        "transitions": STEPS.copy(),
        "start": np.zeros(2),
        "end": np.zeros(2),
    }
    arrays[array][index] = value
    with pytest.raises(ScoreError, match=place) as caught:
        Lattice(**arrays, labels=["a", "b"])
    assert caught.value.array == array
    assert caught.value.index == index


def test_an_illegal_score_in_one_step_of_many():
    steps = np.zeros((2, 2, 2))
    steps[1, 0, 1] = np.nan
    with pytest.raises(ScoreError, match=r"transitions\[1, 0, 1\] \(label 'a -> b'\)"):
        Lattice(EMISSIONS, steps, labels=["a", "b"])


def test_minus_infinity_is_welcome():
    assert Lattice([[-np.inf, 0.0]], start=[-np.inf, 0.0]).emissions[0, 0] == -np.inf


@pytest.mark.parametrize(
    ("arguments", "array"),
    [
        ({"emissions": np.zeros(3)}, "emissions"),
        ({"emissions": np.float64(3)}, "emissions"),
        ({"labels": ["a"]}, "emissions"),
        ({"transitions": np.zeros(4)}, "transitions"),
        ({"transitions": np.zeros((2, 3))}, "transitions"),
        ({"transitions": np.zeros((3, 3))}, "transitions"),
        ({"transitions": np.zeros((3, 2, 2))}, "transitions"),
        ({"transitions": np.zeros((1, 2, 2))}, "transitions"),
        ({"transitions": Transitions(np.zeros((3, 3)))}, "transitions"),
        ({"start": np.zeros(3)}, "start"),
        ({"end": np.zeros((2, 1))}, "end"),
        ({"tokens": ["x", "y"]}, "tokens"),
    ],
)
def test_wrong_shapes_are_named(arguments, array):
    with pytest.raises(ShapeError) as caught:
        Lattice(**{"emissions": EMISSIONS, **arguments})
    assert caught.value.array == array


def test_nothing_to_label():
    for emissions in ([], np.zeros((0, 2))):
        with pytest.raises(EmptySequenceError):
            Lattice(emissions)
    with pytest.raises(EmptyLabelSetError):
        Lattice(np.zeros((2, 0)))
    with pytest.raises(EmptyLabelSetError):
        Transitions(np.zeros((0, 0)))
    with pytest.raises(DuplicateLabelError):
        Lattice(EMISSIONS, labels=["a", "a"])


def test_shared_transitions():
    shared = Transitions(STEPS)
    first, second = Lattice(EMISSIONS, shared), Lattice(EMISSIONS[:1], shared)
    assert np.array_equal(first.transitions, second.transitions)
    assert shared.labels == 2
    assert repr(shared) == "Transitions(1 x 2 x 2)"
    with pytest.raises(ScoreError, match=r"transitions\[0, 1\] \(label '0 -> 1'\)"):
        Transitions([[0.0, np.nan], [0.0, 0.0]])


def test_one_matrix_a_step():
    steps = np.arange(8.0).reshape(2, 2, 2)
    assert np.array_equal(Lattice(EMISSIONS, steps).transitions, steps)
    assert Lattice(EMISSIONS[:1], np.zeros((0, 2, 2))).transitions is None
