"""Arrays of any library as float64: numpy, torch (any float type, with or without gradient), jax, nested lists."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from lawful.errors import DtypeError, ScoreError, ShapeError
from lawful.labels import LabelSet
from lawful.lattice.arrays import Floats, float_array

__all__ = ["as_floats", "as_labels", "as_mask", "log_probabilities", "refuse_bad_scores"]


def as_floats(array: Any, name: str) -> Floats:
    """The numbers of an array, tensor or nested list as float64.

    A torch tensor is detached and brought to main memory first; half precision and bfloat16 are fine.

    Parameters
    ----------
    array : array, tensor or nested list of any shape
    name : str
        Its name in errors.

    Examples
    --------
    >>> as_floats([[1, 2]], "logits")
    array([[1., 2.]])
    """
    values = _in_memory(array)
    # The type that ml_dtypes defines, as jax uses it: numpy does not convert it by itself.
    if getattr(getattr(values, "dtype", None), "name", "") == "bfloat16":
        values = np.asarray(values).astype(np.float64)
    return float_array(values, name)


def as_mask(mask: Any, name: str, shape: tuple[int, ...]) -> npt.NDArray[np.bool_]:
    """A mask of True and False, or of ones and zeros, of a given shape.

    Examples
    --------
    >>> as_mask([1, 1, 0], "mask", (3,))
    array([ True,  True, False])
    """
    array = np.asarray(_in_memory(mask))
    if array.dtype != np.bool_ and not np.isin(array, (0, 1)).all():
        raise DtypeError(name, "True and False, or 1 and 0", f"other values (dtype {array.dtype})")
    if array.shape != shape:
        raise ShapeError(name, str(shape), array.shape)
    return array.astype(np.bool_)


def as_labels(labels: Any) -> LabelSet:
    """A label set, from itself or from names in order; a mapping from number to name, or from name to number, gives them by number.

    Examples
    --------
    >>> as_labels({1: "B-PER", 0: "O"}), as_labels({"B-PER": 1, "O": 0})
    (LabelSet(['O', 'B-PER']), LabelSet(['O', 'B-PER']))
    """
    if isinstance(labels, LabelSet):
        return labels
    if isinstance(labels, dict):  # id2label, whose keys are strings after a trip through JSON
        pairs = list(labels.items())
        if all(isinstance(number, int) for number in labels.values()):  # label2id
            pairs = [(number, name) for name, number in pairs]
        try:
            named = {int(number): name for number, name in pairs}
        except (TypeError, ValueError):
            raise DtypeError("labels", "numbers as keys and names as values", f"{labels!r:.60}") from None
        if sorted(named) != list(range(len(pairs))):
            numbers = sorted(int(number) for number, _ in pairs)
            raise DtypeError("labels", f"the numbers 0 to {len(pairs) - 1}, one for each label", f"{numbers}")
        return LabelSet(named[number] for number in range(len(named)))
    return LabelSet(labels)


def refuse_bad_scores(scores: Floats, name: str, labels: LabelSet) -> None:
    """Raise `ScoreError` for the first NaN or +inf of an array (T, K), with its position and label.

    Examples
    --------
    >>> refuse_bad_scores(np.array([[0.0, np.nan]]), "logits", LabelSet(["O", "Name"]))
    Traceback (most recent call last):
    lawful.errors.ScoreError: logits[0, 1] (label 'Name') is nan: scores are finite logs, or -inf for what is forbidden
    """
    if (scores < np.inf).all():
        return
    position, label = map(int, np.argwhere(~(scores < np.inf))[0])
    raise ScoreError(name, (position, label), float(scores[position, label]), labels[label])


def log_probabilities(scores: Floats) -> Floats:
    """Rows of log-probabilities from rows of scores (..., K). A row of -inf alone stays as it is.

    Examples
    --------
    >>> np.exp(log_probabilities(np.array([[0.0, 0.0], [-np.inf, 5.0]])))
    array([[0.5, 0.5],
           [0. , 1. ]])
    """
    peak = scores.max(axis=-1, keepdims=True)
    peak[np.isneginf(peak)] = 0.0
    shifted = scores - peak
    with np.errstate(divide="ignore"):
        total = np.log(np.exp(shifted).sum(axis=-1, keepdims=True))
    total[np.isneginf(total)] = 0.0
    normalised: Floats = shifted - total
    return normalised


def _in_memory(array: Any) -> Any:
    """A torch tensor as a numpy array, recognised by its methods so that torch is not imported; anything else unchanged."""
    if not (hasattr(array, "detach") and hasattr(array, "cpu")):
        if isinstance(array, (list, tuple)) and any(hasattr(row, "detach") for row in array):
            return [_in_memory(row) for row in array]
        return array
    tensor = array.detach().cpu()
    if tensor.is_floating_point():
        tensor = tensor.double()  # numpy has no bfloat16
    return tensor.numpy()
