"""How a MEMM is trained: as a classifier of single tokens whose attributes tell the label before.

With K labels, A attributes and P attributes that fire together with the label before, a token has the ids: its own below A;
A + j after label j, A + K if it is the first; and A + K + 1 + K p + j for attribute p after label j. Weights then stand in
the order that a CRF's layout has: state features, transitions, first labels, transition features.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from lawful import _core
from lawful.lattice.arrays import Floats
from lawful.models.features.attribute_sequences import AttributeSequences
from lawful.models.linear.fitting import AttributeCorpus
from lawful.models.linear.outputs import Outputs

__all__ = ["as_chain", "with_label_before"]

Ids = npt.NDArray[np.int32]


def with_label_before(corpus: AttributeCorpus, gold: Ids, labels: int) -> AttributeSequences:
    """Every token as a sequence of its own, with the ids that tell the label before it.

    Examples
    --------
    >>> corpus = AttributeCorpus.read(None, [[["a"], ["b"]]], [None], None)
    >>> with_label_before(corpus, np.array([1, 0], dtype=np.int32), 2).attributes.tolist()  # 0: a, 1: b, 3: after 1, 4: first
    [0, 4, 1, 3]
    """
    sequences, pairs = corpus.sequences, corpus.pairs
    tokens = sequences.positions
    first = sequences.sequence_offsets[:-1]
    before = np.empty(tokens, dtype=np.int64)
    before[1:], before[first] = gold[:-1], labels
    parts: list[tuple[npt.NDArray[Any], npt.NDArray[Any], Floats | None]] = [
        (np.arange(tokens).repeat(np.diff(sequences.item_offsets)), sequences.attributes, sequences.values)
    ]
    parts.append((np.arange(tokens), sequences.size + before, None))
    size = sequences.size + labels + 1
    if pairs is not None:
        where = np.arange(tokens).repeat(np.diff(pairs.item_offsets))
        inside = before[where] < labels
        ids = size + pairs.attributes.astype(np.int64) * labels + before[where]
        parts.append((where[inside], ids[inside], None if pairs.values is None else pairs.values[inside]))
        size += pairs.size * labels
    where = np.concatenate([one for one, _, _ in parts])
    order = np.argsort(where, kind="stable")
    values = None
    if any(given is not None for _, _, given in parts):
        pieces = [np.ones(len(ids)) if given is None else given for _, ids, given in parts]
        values = np.concatenate(pieces)[order]
    return AttributeSequences(
        np.arange(tokens + 1),
        np.concatenate([[0], np.cumsum(np.bincount(where, minlength=tokens))]),
        np.concatenate([ids for _, ids, _ in parts])[order],
        values,
        size,
    )


def as_chain(layout: _core.CrfLayout, outputs: Outputs, attributes: int, pairs: int) -> _core.CrfLayout:
    """The layout of a chain whose weights stand in the order of those of such a classifier."""
    labels = layout.labels
    offsets, found = layout.state_offsets, layout.state_outputs
    edges, start, rest = (int(offsets[attributes + n]) for n in (0, labels, labels + 1))
    ids = np.arange(len(offsets) - 1).repeat(np.diff(offsets))
    nothing = np.zeros(0, dtype=np.int32)
    pair_ids = ids[rest:] - (attributes + labels + 1)
    counts = np.bincount(pair_ids // labels, minlength=pairs)
    return _core.CrfLayout(
        labels,
        outputs.offsets,
        outputs.items,
        offsets[: attributes + 1],
        found[:edges],
        (ids[edges:start] - attributes).astype(np.int32),
        found[edges:start],
        found[start:rest],
        nothing,
        np.concatenate([[0], np.cumsum(counts)]).astype(np.int64),
        (pair_ids % labels).astype(np.int32),
        found[rest:],
    )
