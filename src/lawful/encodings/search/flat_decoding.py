"""The best labels of a whole corpus, from scores of an encoding's tags."""

from __future__ import annotations

from itertools import pairwise
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from lawful.decoding import Decoder
from lawful.encodings.composition.lattices import ComposedLattices
from lawful.encodings.encoding import Encoding
from lawful.encodings.search.encodable import EncodableCorpus
from lawful.encodings.symbols import FeatureSymbol
from lawful.labels import LabelSet
from lawful.lattice import Lattice, Transitions
from lawful.lattice.arrays import Floats

__all__ = ["TagScores", "best_labels"]


class TagScores(NamedTuple):
    """The scores of tags on all tokens of a corpus.

    Attributes
    ----------
    tags : LabelSet
        Those that the training data show.
    emissions : array (M, K)
    transitions : array (K, K)
    start, end : array (K,) or None
    """

    tags: LabelSet
    emissions: Floats
    transitions: Floats
    start: Floats | None
    end: Floats | None


def best_labels(corpus: EncodableCorpus, encoding: Encoding, scores: TagScores) -> list[list[str]]:
    """The canonical labels of each sequence whose tags score best: as `Encoded` finds them, ties included.

    What the encoding looks at is found for all tokens at once.

    Examples
    --------
    >>> import numpy as np
    >>> from lawful.encodings import identity_encoding
    >>> scores = TagScores(LabelSet(["A", "B"]), np.array([[0.0, 1.0], [2.0, 0.0]]), np.zeros((2, 2)), None, None)
    >>> best_labels(EncodableCorpus([["x", "x"]], [["A", "A"]]), identity_encoding(["A", "B"]), scores)
    [['B', 'A']]
    """
    steps = Transitions(scores.transitions, labels=scores.tags)
    looks = bool(encoding.conditions)
    said = (
        Lattice(
            scores.emissions[first:last],
            steps,
            labels=scores.tags,
            start=scores.start,
            end=scores.end,
            tokens=corpus.tokens[number] if looks else None,
        )
        for number, (first, last) in enumerate(pairwise(corpus.offsets.tolist()))
    )

    def meeting(symbol: FeatureSymbol) -> npt.NDArray[np.bool_]:
        return corpus.allowed(symbol, encoding.attributes)

    lattices = ComposedLattices(encoding, scores.tags).many(said, meeting)
    return [list(found) for found in Decoder(labels=encoding.labels).decode_batch(lattices, jobs=1).labels]
