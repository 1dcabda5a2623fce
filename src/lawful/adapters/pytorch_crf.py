"""The exact lattices of a CRF layer of pytorch-crf (`torchcrf.CRF`)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from lawful.adapters.arrays import as_floats, as_mask
from lawful.adapters.logits import Labels, from_logits_batch
from lawful.errors import InputError, ShapeError
from lawful.lattice import Lattice

__all__ = ["from_pytorch_crf"]


def from_pytorch_crf(
    crf: Any,
    emissions: Any,
    mask: Any = None,
    *,
    labels: Labels | None = None,
    tokens: Sequence[Sequence[Any]] | None = None,
    contexts: Sequence[Mapping[str, Any]] | None = None,
) -> list[Lattice]:
    """The lattices of a batch, with the scores that the layer itself uses.

    Decoding without rules is `crf.decode(emissions, mask)`, and the log-partition is the layer's normaliser.

    Parameters
    ----------
    crf : torchcrf.CRF
        Or anything with `transitions (K, K)`, `start_transitions (K,)`, `end_transitions (K,)` and `batch_first`.
    emissions : tensor (T, B, K), or (B, T, K) if the layer has `batch_first`
    mask : tensor (T, B) or (B, T), optional
        1 for tokens, 0 for padding, which comes last, as the layer itself expects.
    labels : LabelSet, iterable of str, or mapping from number to name, optional
        By default "0", "1", ...
    tokens, contexts : sequence of length B, optional

    Examples
    --------
    >>> import lawful
    >>> from types import SimpleNamespace
    >>> layer = SimpleNamespace(
    ...     transitions=[[0.0, -3.0], [0.0, 0.0]], start_transitions=[0.0, 0.0], end_transitions=[0.0, 0.0], batch_first=True
    ... )
    >>> [lattice] = from_pytorch_crf(layer, np.array([[[1.0, 0.0], [0.0, 2.0]]]), labels=["O", "Name"])
    >>> lawful.decode(lattice).labels, lawful.decode(lattice, lawful.starts_with("O")).labels
    (('Name', 'Name'), ('O', 'O'))
    """
    scores = as_floats(emissions, "emissions")
    if scores.ndim != 3:
        raise ShapeError("emissions", "(T, B, K), or (B, T, K) if crf.batch_first", scores.shape)
    kept = None if mask is None else as_mask(mask, "mask", scores.shape[:2])
    if not crf.batch_first:
        scores = scores.transpose(1, 0, 2)
        kept = None if kept is None else kept.T
    if kept is not None:
        _refuse_holes(kept)
    count = as_floats(crf.transitions, "crf.transitions").shape[0]
    return from_logits_batch(
        scores,
        map(str, range(count)) if labels is None else labels,
        mask=kept,
        log_softmax=False,
        transitions=crf.transitions,
        start=crf.start_transitions,
        end=crf.end_transitions,
        tokens=tokens,
        contexts=contexts,
    )


def _refuse_holes(mask: npt.NDArray[np.bool_]) -> None:
    holes = np.argwhere(mask[:, 1:] > mask[:, :-1])
    if len(holes):
        sequence, position = map(int, holes[0])
        raise InputError(
            f"the mask of sequence {sequence + 1} is 0 at {position} and 1 again at {position + 1}: padding comes last, "
            "as torchcrf.CRF expects; remove the other rows of the emissions before the layer sees them"
        )
