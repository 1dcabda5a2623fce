"""The floor of `make bench`: a plain C++ Viterbi loop, compiled when the benchmark runs, called through ctypes."""

from __future__ import annotations

import ctypes
import os
import shlex
import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

import lawful

__all__ = ["Floor", "compile_command"]

SOURCE = Path(__file__).with_name("viterbi.cpp")
FLAGS = ["-O3", "-march=native", "-std=c++20", "-shared", "-fPIC"]


class Floor:
    """The lattices of a workload as one flat array, and the loop that decodes them all in one call, in one thread.

    Parameters
    ----------
    lattices : sequence of Lattice
        With the same labels and the same transitions (or none), and no start or end scores.
    alone : bool
        Whether each position just takes its best label, which is enough where there are no transitions. Otherwise
        the Viterbi loop runs over a matrix of zeros there.
    """

    def __init__(self, lattices: Sequence[lawful.Lattice], *, alone: bool = False) -> None:
        size = len(lattices[0].labels)
        shared = lattices[0].transitions
        assert not (alone and shared is not None)
        self._decode = _library().viterbi_batch
        self._emissions = np.ascontiguousarray(np.concatenate([lattice.emissions for lattice in lattices]))
        self._offsets = np.cumsum([0, *(lattice.length for lattice in lattices)], dtype=np.int64)
        self._transitions = np.zeros((size, size)) if shared is None else np.ascontiguousarray(shared)
        self.labels = np.zeros(len(self._emissions), dtype=np.int32)
        self.scores = np.zeros(len(lattices))
        self._arguments = (
            _pointer(self._emissions),
            _pointer(self._offsets),
            ctypes.c_int64(len(lattices)),
            ctypes.c_int(size),
            None if alone else _pointer(self._transitions),
            _pointer(self.labels),
            _pointer(self.scores),
        )

    def decode(self) -> None:
        """Fill `labels`, all sequences end to end, and `scores`."""
        self._decode(*self._arguments)


def compile_command() -> list[str]:
    """The compiler and its options, without the file names."""
    compiler = shlex.split(os.environ.get("CXX", "")) or [shutil.which("c++") or "g++"]
    return [*compiler, *FLAGS]


def _pointer(array: np.ndarray[Any, Any]) -> ctypes.c_void_p:
    return ctypes.c_void_p(array.ctypes.data)


@cache
def _library() -> ctypes.CDLL:
    with tempfile.TemporaryDirectory() as folder:
        built = Path(folder) / "viterbi.so"
        subprocess.run([*compile_command(), str(SOURCE), "-o", str(built)], check=True)
        library = ctypes.CDLL(str(built))  # stays loaded when its file is gone
    library.viterbi_batch.restype = None
    return library
