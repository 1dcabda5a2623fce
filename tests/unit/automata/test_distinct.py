"""Numbering rows, beside numpy's unique."""

from __future__ import annotations

import numpy as np
import pytest

from lawful.automata.operations.minimization import number_rows


@pytest.mark.parametrize("seed", range(20))
def test_rows_are_numbered_as_numpy_tells_them_apart(seed: int) -> None:
    rng = np.random.default_rng(seed)
    table = rng.integers(0, 3, size=rng.integers(1, 9, size=2)).astype([np.int32, np.uint16, bool][seed % 3])
    if seed % 2:
        table = table.T  # not contiguous
    number, first = number_rows(table)
    unique, there, inverse = np.unique(table, axis=0, return_index=True, return_inverse=True)
    assert first.tolist() == sorted(there.tolist())
    np.testing.assert_array_equal(table[first][number], table)
    assert len(unique) == len(first) and len(set(zip(number, inverse.reshape(-1), strict=True))) == len(first)


def test_no_rows_have_no_numbers() -> None:
    number, first = number_rows(np.zeros((0, 3), dtype=np.int32))
    assert len(number) == len(first) == 0
