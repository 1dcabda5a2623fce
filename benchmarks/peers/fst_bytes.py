"""OpenFst machines from arrays: the bytes of its own file format, read in one call instead of arc by arc."""

from __future__ import annotations

import struct
from typing import Any

import numpy as np
import numpy.typing as npt
import pywrapfst

__all__ = ["acceptor", "labels_of"]

Integers = npt.NDArray[np.integer[Any]]
Floats = npt.NDArray[np.floating[Any]]

MAGIC, VERSION, NO_FLAGS = 2125659606, 2, 0
HEADER = struct.Struct("<ii6si8siiQqqq")
STATE, ARC = 3, 4  # sizes in words of 4 bytes

# What OpenFst then need not find out: expanded, mutable, an acceptor without epsilons, sorted by label.
KNOWN = 0x1 | 0x2 | 0x1_0000 | 0x80_0000 | 0x200_0000 | 0x800_0000 | 0x1000_0000 | 0x4000_0000
ACYCLIC = 0x8_0000_0000 | 0x20_0000_0000 | 0x40_0000_0000  # with its states in topological order


def acceptor(
    final: Floats,
    sources: Integers,
    labels: Integers,
    weights: Floats,
    targets: Integers,
    *,
    acyclic: bool = False,
) -> pywrapfst.Fst:
    """A tropical acceptor that starts in state 0.

    Parameters
    ----------
    final : float array (S,)
        Costs of ending; infinity where that is impossible.
    sources, labels, weights, targets : arrays (A,)
        The arcs, sorted by source and then by label.
    acyclic : bool
        Whether every arc leads to a later state.
    """
    arcs = np.bincount(sources, minlength=len(final))
    states_at = STATE * np.arange(len(final)) + ARC * (np.cumsum(arcs) - arcs)
    arcs_at = STATE * (sources + 1) + ARC * np.arange(len(sources))
    words = np.zeros(STATE * len(final) + ARC * len(sources), dtype=np.int32)
    words[states_at] = final.astype(np.float32).view(np.int32)
    words[states_at + 1] = arcs  # the low half of 64 bits
    words[arcs_at] = words[arcs_at + 1] = labels
    words[arcs_at + 2] = weights.astype(np.float32).view(np.int32)
    words[arcs_at + 3] = targets
    known = KNOWN | (ACYCLIC if acyclic else 0)
    header = HEADER.pack(
        MAGIC, 6, b"vector", 8, b"standard", VERSION, NO_FLAGS, known, 0, len(final), len(sources)
    )
    return pywrapfst.Fst.read_from_string(header + words.tobytes())


def labels_of(path: pywrapfst.Fst) -> list[int]:
    """The labels along a machine that is a single path."""
    labels, state = [], path.start()
    while arcs := list(path.arcs(state)):
        labels.append(arcs[0].ilabel)
        state = arcs[0].nextstate
    return labels
