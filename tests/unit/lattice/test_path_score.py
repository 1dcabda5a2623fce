import numpy as np
import pytest

from lawful.errors import ShapeError, UnknownLabelError
from lawful.lattice import GraphLattice, Lattice, path_score

LATTICE = Lattice(
    [[1.0, 2.0], [4.0, 8.0]],
    [[16.0, 32.0], [64.0, 128.0]],
    start=[256.0, 512.0],
    end=[1024.0, -np.inf],
    labels=["a", "b"],
)


def test_by_hand():
    assert path_score(LATTICE, ["b", "a"]) == 2 + 4 + 64 + 512 + 1024
    assert path_score(LATTICE, [0, 0]) == 1 + 4 + 16 + 256 + 1024
    assert path_score(LATTICE, np.array([0, 1])) == -np.inf


def test_one_matrix_a_step():
    lattice = Lattice(np.zeros((3, 2)), [[[1.0, 2.0], [3.0, 4.0]], [[10.0, 20.0], [30.0, 40.0]]])
    assert path_score(lattice, [0, 1, 0]) == 2 + 30


def test_a_single_token():
    assert path_score(Lattice([[3.0, 4.0]], np.ones((2, 2))), ["1"]) == 4.0


@pytest.mark.parametrize("lattice", [LATTICE, GraphLattice.from_lattice(LATTICE)])
def test_unknown_labels(lattice):
    for labels in (["a", "c"], [0, 2], [-1, 0]):
        with pytest.raises(UnknownLabelError):
            path_score(lattice, labels)


def test_the_length_must_fit():
    with pytest.raises(ShapeError, match=r"labels must have shape \(2,\)"):
        path_score(LATTICE, ["a"])
    assert path_score(GraphLattice.from_lattice(LATTICE), ["a"]) == -np.inf
