"""The binary format of CRFsuite's models (version 100, first-order chains), read in full precision.

A header of twelve words names the offsets of five chunks: FEAT (the features: kind, source, target, weight), two
databases of names (labels, attributes), and LFRF and AFRF, which list the features of each label and attribute.
The text dump that CRFsuite offers instead rounds weights to six decimals, and breaks at attributes with newlines.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from lawful.adapters.crfsuite.checked_bytes import WORD, CheckedBytes, Integers
from lawful.adapters.crfsuite.names import read_names
from lawful.errors import ForeignFileError, ModelFileError, NewerFormatError, TruncatedFileError

__all__ = ["MOST_LABELS", "CrfsuiteWeights", "read_weights"]

HEADER = 12 * WORD
CHUNK_HEADER = 3 * WORD
VERSION = 100
MOST_LABELS = 10_000  # a (K, K) matrix of transitions has 800 MB then
STATE, TRANSITION = 0, 1
FEATURE = np.dtype([("kind", "<u4"), ("source", "<u4"), ("target", "<u4"), ("weight", "<f8")])


@dataclass(frozen=True, eq=False)
class CrfsuiteWeights:
    """The weights of a CRFsuite model, bit for bit.

    Attributes
    ----------
    labels : tuple of K str
    attributes : tuple of A str
    transitions : float64 array (K, K)
        0 where the model has no feature: such a step is not forbidden.
    row_starts : int64 array (A+1,)
        The state features of attribute a are `row_starts[a]` to `row_starts[a + 1] - 1`.
    targets : int64 array (F,)
        The label of each state feature.
    weights : float64 array (F,)
    """

    labels: tuple[str, ...]
    attributes: tuple[str, ...]
    transitions: npt.NDArray[np.float64]
    row_starts: Integers
    targets: Integers
    weights: npt.NDArray[np.float64]


def read_weights(content: bytes, path: object = "model") -> CrfsuiteWeights:
    """The weights of a model file from its bytes.

    Parameters
    ----------
    content : bytes
        The whole file.
    path : object
        The name of the file in errors.

    Examples
    --------
    >>> read_weights(b"PK not a model")
    Traceback (most recent call last):
    lawful.errors.ForeignFileError: model: not a CRFsuite model: it starts with b'PK n', not with b'lCRF'
    """
    data = CheckedBytes(content, path)
    label_count, attribute_count, *offsets = _header(data)
    features_at, labels_at, attributes_at, label_lists_at, attribute_lists_at = offsets
    labels = read_names(data, labels_at, label_count, "label")
    attributes = read_names(data, attributes_at, attribute_count, "attribute")
    features = _features(data, features_at)
    for name, column, most in (
        ("target", features["target"], label_count),
        ("source", features["source"][features["kind"] == STATE], attribute_count),
        ("source", features["source"][features["kind"] == TRANSITION], label_count),
    ):
        if column.size and column.max() >= most:
            raise data.damaged(
                f"a feature has {name} {int(column.max())}, but there are only {most} of those"
            )
    _, steps, _ = _lists(data, label_lists_at, b"LFRF", label_count, features, TRANSITION)
    row_starts, states, _ = _lists(data, attribute_lists_at, b"AFRF", attribute_count, features, STATE)
    transitions = np.zeros((label_count, label_count))
    transitions[features["source"][steps], features["target"][steps]] = features["weight"][steps]
    return CrfsuiteWeights(
        tuple(labels),
        tuple(attributes),
        transitions,
        row_starts,
        features["target"][states].astype(np.int64),
        features["weight"][states].astype(np.float64),
    )


def _header(data: CheckedBytes) -> list[int]:
    """Numbers of labels and attributes, and the offsets of the five chunks."""
    content, path = data.data, data.path
    if content[:4] != b"lCRF":
        if content and b"lCRF".startswith(content):
            raise TruncatedFileError(
                path, f"only {len(content)} bytes of a CRFsuite model: copy or download it again"
            )
        raise ForeignFileError(
            path, f"not a CRFsuite model: it starts with {content[:4]!r}, not with b'lCRF'"
        )
    if len(content) < HEADER:
        raise TruncatedFileError(
            path, f"{len(content)} bytes, but the header of a CRFsuite model has {HEADER}"
        )
    size = data.word(4, "the size")
    if content[8:12] != b"FOMC":
        raise ForeignFileError(path, f"a CRFsuite model of kind {content[8:12]!r}; only b'FOMC' is known")
    version = data.word(12, "the version")
    if version > VERSION:
        raise NewerFormatError(path, version, VERSION)
    if version < VERSION:
        raise ForeignFileError(path, f"version {version} of CRFsuite's format; only {VERSION} is known")
    if len(content) < size:
        raise TruncatedFileError(path, f"{len(content)} of {size} bytes are there: copy or download it again")
    if len(content) > size:
        raise data.damaged(f"{len(content)} bytes, but its header says {size}: copy or download it again")
    labels = data.word(20, "the number of labels")  # the number of features before it is always 0
    if not labels:
        raise data.damaged("it has no labels")
    if labels > MOST_LABELS:
        raise ModelFileError(path, f"{labels} labels; lawful reads CRFsuite models with up to {MOST_LABELS}")
    return [labels, *(data.word(offset, "an offset in the header") for offset in range(24, HEADER, WORD))]


def _features(data: CheckedBytes, offset: int) -> npt.NDArray[np.void]:
    end = data.chunk(offset, b"FEAT", CHUNK_HEADER)
    count = data.word(offset + 8, "the number of features")
    if offset + CHUNK_HEADER + FEATURE.itemsize * count > end:
        raise data.damaged(f"{count} features do not fit into their chunk")
    features = np.frombuffer(data.data, dtype=FEATURE, count=count, offset=offset + CHUNK_HEADER)
    if not np.isfinite(features["weight"]).all():
        wrong = int(np.flatnonzero(~np.isfinite(features["weight"]))[0])
        raise data.damaged(f"the weight of feature {wrong} is {features['weight'][wrong]}")
    if count and features["kind"].max() > TRANSITION:
        raise data.damaged(f"a feature of kind {int(features['kind'].max())}; only 0 and 1 are known")
    return features


def _lists(
    data: CheckedBytes, offset: int, name: bytes, owners: int, features: npt.NDArray[np.void], kind: int
) -> tuple[Integers, Integers, Integers]:
    """The features of each owner (label or attribute): starts (N+1,), feature numbers (F,), owners (F,)."""
    what = f"a list of chunk {name.decode()}"
    end = data.chunk(offset, name, CHUNK_HEADER)
    # Two more than there are labels: CRFsuite reserves a start and an end, which it never uses.
    listed = data.word(offset + 8, what)
    if listed < owners or offset + CHUNK_HEADER + WORD * listed > end:
        raise data.damaged(
            f"chunk {name.decode()} has {listed} lists, but {owners} are needed, or it is too short"
        )
    starts_of_lists = data.row(offset + CHUNK_HEADER, owners, what)
    if owners and (starts_of_lists.min() < offset + CHUNK_HEADER or starts_of_lists.max() + WORD > end):
        raise data.damaged(f"{what} is outside its chunk")
    sizes = data.words_at(starts_of_lists, what)
    if owners and (starts_of_lists + WORD + WORD * sizes).max() > end:
        raise data.damaged(f"{what} is longer than its chunk")
    if sizes.sum() > len(features):
        raise data.damaged(
            f"chunk {name.decode()} lists {sizes.sum()} features; there are only {len(features)}"
        )
    starts = np.concatenate([[0], np.cumsum(sizes)])
    owner = np.repeat(np.arange(owners), sizes)
    inside = np.arange(starts[-1]) - starts[owner]
    numbers = data.words_at(starts_of_lists[owner] + WORD + WORD * inside, what)
    if numbers.size and numbers.max() >= len(features):
        raise data.damaged(f"{what} names feature {numbers.max()}; there are only {len(features)}")
    if (features["kind"][numbers] != kind).any() or (features["source"][numbers] != owner).any():
        raise data.damaged(f"{what} names a feature of something else")
    return starts, numbers, owner
