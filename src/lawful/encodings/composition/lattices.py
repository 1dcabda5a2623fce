"""Scores of tags as scores of canonical labels: a lattice of tags, composed with an encoding."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice

import numpy as np
import numpy.typing as npt

from lawful.automata.transducers.synchronization import synchronize
from lawful.automata.transducers.transducer import Transducer, TransducerArc
from lawful.automata.transducers.trimming import trim_transducer
from lawful.encodings.composition.conditions import Conditions
from lawful.encodings.composition.graphs import ComposedGraphs
from lawful.encodings.encoding import Encoding
from lawful.encodings.symbols import FeatureSymbol, label_of
from lawful.errors import EncodingError, MachineError
from lawful.labels import LabelSet
from lawful.lattice import AnyLattice, Columns, GraphLattice, Lattice, TagLattice

__all__ = ["MOST_COLUMNS", "ComposedLattices", "ComposedTrellises"]

Bools = npt.NDArray[np.bool_]
Meeting = Callable[[FeatureSymbol], Bools]

# A trellis of more columns takes 16 MB for its steps alone: then a graph of those that exist is smaller.
MOST_COLUMNS = 1024
AT_ONCE = 256  # sequences whose tokens are looked at together


class ComposedLattices:
    """Makes lattices over canonical labels from lattices over the tags of an encoding.

    A path reads the labels of one sequence, one per token, and has the score of its tags. Every solver, n-best lists, marginals
    and explanations work on it, under rules about canonical labels. It is a trellis that the compiled engine takes, unless
    the encoding is so large that a graph is better, or is no encoding at all.

    Parameters
    ----------
    encoding : Encoding
    tags : LabelSet
        The labels of the lattices to come; tags that they lack never occur.
    as_graph : bool
        Make graphs in any case.

    Examples
    --------
    >>> import lawful
    >>> from lawful.encodings import scheme_encoding
    >>> encoding = scheme_encoding("IOB1", "IOE2")
    >>> composed = ComposedLattices(encoding, lawful.LabelSet(["I", "O", "E"]))
    >>> tags = lawful.Lattice([[2.0, 0.0, 1.0], [0.0, 0.0, 1.0]], labels=["I", "O", "E"])
    >>> lawful.decode(composed(tags)).labels, lawful.decode(composed(tags), lawful.at_most(1, "I")).labels
    (('I', 'I'), ('I', 'B'))
    """

    def __init__(self, encoding: Encoding, tags: LabelSet, *, as_graph: bool = False) -> None:
        self.encoding, self.tags = encoding, tags
        unknown = [tag for tag in tags if tag not in encoding.tags]
        if unknown:
            raise EncodingError(
                f"the lattices have the label {unknown[0]!r}, which is none of the tags {list(encoding.tags)}"
            )
        self._compose: ComposedTrellises | ComposedGraphs
        try:
            self._compose = ComposedGraphs(encoding, tags) if as_graph else ComposedTrellises(encoding, tags)
        except MachineError:
            self._compose = ComposedGraphs(encoding, tags)

    def __call__(self, lattice: AnyLattice) -> TagLattice | GraphLattice:
        """The lattice over canonical labels."""
        return self._compose(_trellis(lattice))

    def many(
        self, lattices: Iterable[AnyLattice], meeting: Meeting | None = None
    ) -> Iterator[TagLattice | GraphLattice]:
        """The lattices over canonical labels of many sequences; quicker than one by one.

        `meeting` says which of all their tokens (M,) meet a symbol's conditions, where that is known already.
        """
        trellises = map(_trellis, lattices)
        return (
            self._compose.many(trellises, meeting)
            if isinstance(self._compose, ComposedTrellises)
            else map(self._compose, trellises)
        )


def _trellis(lattice: AnyLattice) -> Lattice:
    if isinstance(lattice, Lattice):
        return lattice
    raise EncodingError("only lattices that are trellises can be composed with an encoding")


class ComposedTrellises:
    """Makes trellises over canonical labels from trellises over the tags of an encoding.

    A column is a tag in one of its meanings: the label that it stands for, and what the encoding remembers of it. Where an
    encoding only subdivides labels, the columns are the tags. Where it writes tags late, what it will write is guessed, and
    the steps between columns keep only guesses that come true.

    Raises `MachineError` if that would take more than `MOST_COLUMNS` columns.
    """

    def __init__(self, encoding: Encoding, tags: LabelSet) -> None:
        self.encoding = encoding
        machine = synchronize(encoding.transducer, limit=MOST_COLUMNS)
        known = [arc for arc in machine.arcs if str(arc.output[0]) in tags]
        machine = trim_transducer(Transducer(known, machine.endings))
        # Where an arc comes from is the business of steps.
        columns = list(dict.fromkeys(arc._replace(source=0) for arc in machine.arcs))
        if not columns:
            raise EncodingError(
                f"the tags {list(tags)} stand for nothing in {encoding.name or 'this encoding'}"
            )
        if len(columns) > MOST_COLUMNS:
            raise MachineError(f"a trellis would have {len(columns)} columns, more than {MOST_COLUMNS}")
        # In the order of the labels, as `Columns` puts them.
        columns.sort(key=lambda arc: encoding.labels.index(label_of(arc.input)))
        self.columns = _columns_of(machine, columns, encoding.labels, tags)
        read = dict.fromkeys(arc.input for arc in columns)
        self.symbols = [symbol for symbol in read if isinstance(symbol, FeatureSymbol)]
        self._conditions = Conditions(encoding, self.symbols)
        self._reading = [
            np.array([arc.input == symbol for arc in columns], dtype=np.bool_) for symbol in self.symbols
        ]

    def __call__(self, trellis: Lattice) -> TagLattice:
        """The lattice over canonical labels."""
        return next(self.many([trellis]))

    def many(self, trellises: Iterable[Lattice], meeting: Meeting | None = None) -> Iterator[TagLattice]:
        """The lattices of many sequences: what the encoding looks at is looked for in many of them at once, if it is not known."""
        if meeting is not None or not self.symbols:
            known = [] if meeting is None else [meeting(symbol) for symbol in self.symbols]
            yield from self._masked(trellises, self.mask(known))
            return
        rest = iter(trellises)
        while some := list(islice(rest, AT_ONCE)):
            yield from self._masked(
                some, self.mask(self._conditions.meeting([trellis.tokens for trellis in some]))
            )

    def _masked(self, trellises: Iterable[Lattice], mask: Bools | None) -> Iterator[TagLattice]:
        end = 0
        for trellis in trellises:
            start, end = end, end + trellis.length
            yield TagLattice(trellis, self.columns, None if mask is None else mask[start:end])

    def mask(self, fits: Sequence[Bools]) -> Bools | None:
        """The columns (T, C) whose conditions each token meets, from the tokens (T,) that meet each of `symbols`; None if there are none."""
        if not self.symbols:
            return None
        mask = np.ones((len(fits[0]), len(self.columns)), dtype=np.bool_)
        for meeting, reading in zip(fits, self._reading, strict=True):
            mask[np.ix_(~meeting, reading)] = False
        return mask


def _columns_of(
    machine: Transducer, columns: Sequence[TransducerArc], labels: LabelSet, tags: LabelSet
) -> Columns:
    leaving: dict[int, set[TransducerArc]] = {}
    for arc in machine.arcs:
        leaving.setdefault(arc.source, set()).add(arc._replace(source=0))
    follows = {state: np.array([column in arcs for column in columns]) for state, arcs in leaving.items()}
    nothing = np.zeros(len(columns), dtype=np.bool_)
    return Columns(
        [(str(arc.output[0]), label_of(arc.input)) for arc in columns],
        tags=tags,
        labels=labels,
        steps=np.array([follows.get(arc.target, nothing) for arc in columns]),
        first=follows[0],
        last=np.array([arc.target in machine.endings_of for arc in columns]),
    )
