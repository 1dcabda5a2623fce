"""Lattices: the scores of one sequence, as a trellis or as a general weighted graph."""

from __future__ import annotations

from bylaw.lattice.att import read_att, write_att
from bylaw.lattice.graph import GraphLattice
from bylaw.lattice.path_score import path_score
from bylaw.lattice.tagger import Tagger
from bylaw.lattice.transitions import Transitions
from bylaw.lattice.trellis import Lattice

__all__ = ["GraphLattice", "Lattice", "Tagger", "Transitions", "path_score", "read_att", "write_att"]
