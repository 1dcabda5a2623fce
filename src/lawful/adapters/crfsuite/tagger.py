"""Models of CRFsuite (python-crfsuite, sklearn-crfsuite) as taggers: their own scores, bit for bit."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from itertools import accumulate
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from lawful.adapters.crfsuite.items import AttributeReader, items_of
from lawful.adapters.crfsuite.model_file import CrfsuiteWeights, read_weights
from lawful.adapters.crfsuite.probe import ProbedTagger
from lawful.errors import EmptySequenceError, FileError, InputError
from lawful.labels import LabelSet
from lawful.lattice import Lattice, Transitions

__all__ = ["CrfsuiteTagger", "from_crfsuite"]


class CrfsuiteTagger:
    """A CRFsuite model whose weights lawful has read. Frozen; safe to use from many threads.

    Scores are added in CRFsuite's order, so that they are the same to the last bit. A step between labels for which
    the model has no feature scores 0; it is not forbidden.

    Parameters
    ----------
    weights : CrfsuiteWeights

    Examples
    --------
    See `from_crfsuite`.
    """

    def __init__(self, weights: CrfsuiteWeights) -> None:
        self.weights = weights
        self._labels = LabelSet(weights.labels)
        self._steps = Transitions(weights.transitions, labels=self._labels)
        self._reader = AttributeReader(weights.attributes)

    @classmethod
    def read(cls, path: str | os.PathLike[str]) -> CrfsuiteTagger:
        """Read a model file."""
        try:
            data = Path(path).read_bytes()
        except OSError as error:
            raise FileError.of(path, "opened", error) from error
        return cls(read_weights(data, path))

    @property
    def labels(self) -> LabelSet:
        """The labels, in the model's order."""
        return self._labels

    def lattice(self, items: Sequence[Any], /, *, tokens: Sequence[Any] | None = None) -> Lattice:
        """The scores of one sequence.

        Parameters
        ----------
        items : list of items, or pycrfsuite.ItemSequence
            An item is a list of attributes or a dict, as in python-crfsuite.
        tokens : sequence, optional
            The tokens that rules see; by default the items themselves.
        """
        return self.lattices([items], tokens=None if tokens is None else [tokens])[0]

    def lattices(
        self, sequences: Iterable[Sequence[Any]], *, tokens: Iterable[Sequence[Any]] | None = None
    ) -> list[Lattice]:
        """The scores of many sequences, computed together."""
        listed = [items_of(sequence) for sequence in sequences]
        seen = listed if tokens is None else list(tokens)
        if len(seen) != len(listed):
            raise InputError(f"there are {len(listed)} sequences of items, but {len(seen)} of tokens")
        if not all(map(len, listed)):
            raise EmptySequenceError(f"sequence {[len(items) for items in listed].index(0) + 1}")
        emissions = self._emissions([item for items in listed for item in items])
        ends = list(accumulate(map(len, listed)))
        return [
            self.lattice_of(emissions[end - len(items) : end], tokens=words)
            for end, items, words in zip(ends, listed, seen, strict=True)
        ]

    def lattice_of(
        self, emissions: npt.NDArray[np.float64], /, *, tokens: Sequence[Any] | None = None
    ) -> Lattice:
        """The lattice of one sequence whose emissions (T, K) are known."""
        return Lattice(emissions, self._steps, labels=self._labels, tokens=tokens)

    def _emissions(self, items: Sequence[Any]) -> npt.NDArray[np.float64]:
        """The scores (M, K) of all labels for M items."""
        numbers, values, counts = self._reader.read(items)
        weights, k = self.weights, len(self._labels)
        attributes = np.array(numbers, dtype=np.int64)
        first = weights.row_starts[attributes]
        sizes = weights.row_starts[attributes + 1] - first
        ends = np.cumsum(sizes)
        total = int(ends[-1]) if len(ends) else 0
        features = np.repeat(first - (ends - sizes), sizes) + np.arange(total)
        rows = np.repeat(np.repeat(np.arange(len(items)), counts), sizes)
        scores = weights.weights[features] * np.repeat(np.array(values, dtype=np.float64), sizes)
        # bincount adds in order, as CRFsuite does; reduceat and matrix products would round differently.
        cells = np.bincount(rows * k + weights.targets[features], weights=scores, minlength=len(items) * k)
        # Without any feature, bincount gives integers.
        return cells.reshape(len(items), k).astype(np.float64, copy=False)

    def __repr__(self) -> str:
        return f"CrfsuiteTagger({len(self._labels)} labels, {len(self.weights.attributes)} attributes)"


def from_crfsuite(model: Any) -> CrfsuiteTagger | ProbedTagger:
    """A model of CRFsuite as a tagger, for any rules.

    Parameters
    ----------
    model : path, bytes, sklearn_crfsuite.CRF, or pycrfsuite.Tagger
        A model file or its bytes; a fitted `CRF`, whose file is read; or an open `Tagger`. A `Tagger` does not
        expose its weights, so scores are derived from its probabilities (see `ProbedTagger`): slower, and shifted by a
        constant. Prefer the path if you have it.

    Returns
    -------
    CrfsuiteTagger or ProbedTagger
        Without rules it labels as `Tagger.tag` does.

    Raises
    ------
    ForeignFileError, TruncatedFileError, DamagedFileError, NewerFormatError
        If the file is not an intact model of a known version.

    Examples
    --------
    >>> import lawful, pycrfsuite
    >>> trainer = pycrfsuite.Trainer(verbose=False)
    >>> trainer.append([["the"], ["cat"], ["sleeps"]], ["D", "N", "V"])
    >>> trainer.append([["a"], ["cat"]], ["D", "N"])
    >>> trainer.train("animals.crfsuite")
    >>> tagger = lawful.from_crfsuite("animals.crfsuite")
    >>> tagger
    CrfsuiteTagger(3 labels, 4 attributes)
    >>> lawful.Decoder(lawful.ends_with("N"), tagger=tagger).predict([[["the"], ["cat"], ["sleeps"]]])
    [['D', 'N', 'N']]
    """
    if isinstance(model, (bytes, bytearray, memoryview)):
        return CrfsuiteTagger(read_weights(bytes(model), "model in memory"))
    if isinstance(model, (str, os.PathLike)):
        return CrfsuiteTagger.read(model)
    file = getattr(model, "modelfile", None)
    if file is not None:  # sklearn_crfsuite.CRF
        if getattr(file, "name", None) is None or not Path(file.name).is_file():
            raise InputError(f"this {type(model).__name__} has no model file: fit it first")
        return CrfsuiteTagger.read(file.name)
    if all(hasattr(model, name) for name in ("labels", "set", "marginal", "probability")):
        return ProbedTagger(model)
    raise InputError(
        "from_crfsuite takes the path or the bytes of a model, a sklearn_crfsuite.CRF or a pycrfsuite.Tagger, got "
        f"{type(model).__name__}"
    )
