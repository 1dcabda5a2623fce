"""The hand-crafted encoding of Figures 4.1 and 4.2: chunks are proper, numeric or other, by their parts of speech.

The figure's "CC" stands for CD, and O is not split (7 tags). What a chunk is depends on its last token too, so that its first
tags wait for it; here a whole sentence is encoded at once, and tags are decoded by dropping their subscripts.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

__all__ = ["hand_crafted", "plain_labels"]

PROPER, NUMERIC, OTHER = "1", "2", "3"
NAMES, NUMBERS, NOUNS = {"NNP", "NNPS"}, {"CD"}, {"NN", "NNS"}


def hand_crafted(rows: Sequence[Mapping[str, str]], labels: Sequence[str]) -> list[str]:
    """The tags of a sentence: I and B of proper chunks are I.1 and B.1, of numeric ones I.2 and B.2, of others I.3 and B.3.

    Examples
    --------
    >>> words = [{"pos": tag} for tag in ("DT", "NNP", "CD", "VBD", "PRP")]
    >>> hand_crafted(words, ["I", "I", "B", "O", "I"])
    ['I.1', 'I.1', 'B.2', 'O', 'I.3']
    """
    tags: list[str] = []
    for start, end in _chunks(labels):
        if labels[start] == "O":
            tags += labels[start:end]
            continue
        seen = {row["pos"] for row in rows[start:end]}
        if seen & NAMES:
            kind = PROPER
        elif seen & NUMBERS and not seen & NOUNS:
            kind = NUMERIC
        else:
            kind = OTHER
        tags += [f"{label}.{kind}" for label in labels[start:end]]
    return tags


def _chunks(labels: Sequence[str]) -> list[tuple[int, int]]:
    """Chunks, and single tokens outside them, from start to end."""
    borders = [
        position
        for position, label in enumerate(labels)
        if label != "I" or position == 0 or labels[position - 1] == "O"
    ]
    return list(zip(borders, [*borders[1:], len(labels)], strict=True))


def plain_labels(tags: Sequence[str]) -> list[str]:
    """The canonical labels of tags."""
    return [tag.partition(".")[0] for tag in tags]
