from __future__ import annotations

import numpy as np
import pytest

from lawful.automata import CountingMachine, merge_classes


@pytest.mark.parametrize("seed", range(20))
def test_every_labelling_counts_the_same_as_before(seed: int) -> None:
    rng = np.random.default_rng(seed)
    machine = CountingMachine(rng.integers(0, 2, (2, 9)), rng.integers(0, 2, (2, 9)), rng.integers(0, 2, 2))
    table = rng.integers(0, 9, (3, 5)).astype(np.uint16)
    smaller, remapped = merge_classes(machine, table)
    columns = {(*machine.delta[:, c].tolist(), *machine.violations[:, c].tolist()) for c in range(9)}
    assert smaller.classes == len(columns)
    assert remapped.shape == table.shape
    assert remapped.dtype == np.uint16
    for _ in range(30):
        rows, labels = rng.integers(0, 3, 8), rng.integers(0, 5, 8)
        assert smaller.count(remapped[rows, labels]) == machine.count(table[rows, labels])


def test_classes_keep_their_order() -> None:
    machine = CountingMachine.from_lists([[1, 0, 1, 0], [1, 1, 1, 1]], [[0, 0, 0, 2], [0, 0, 0, 0]], [0, 0])
    smaller, table = merge_classes(machine, np.arange(4, dtype=np.uint16))
    assert table.tolist() == [0, 1, 0, 2]
    assert smaller.violations[0].tolist() == [0, 0, 2]


def test_nothing_to_merge_gives_the_same_objects() -> None:
    machine = CountingMachine.from_lists([[0, 0]], [[0, 1]], [0])
    table = np.zeros((1, 2), dtype=np.uint16)
    same_machine, same_table = merge_classes(machine, table)
    assert same_machine is machine
    assert same_table is table
