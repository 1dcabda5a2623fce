from .base import (
    AnyLattice as AnyLattice,
    Block as Block,
)
from .columns import Columns as Columns
from .graph import GraphLattice as GraphLattice
from .openfst_text import (
    read_att as read_att,
    write_att as write_att,
)
from .scoring import path_score as path_score
from .segments import SegmentLattice as SegmentLattice
from .tag_lattice import TagLattice as TagLattice
from .tagger import Tagger as Tagger
from .transitions import Transitions as Transitions
from .trellis import Lattice as Lattice
