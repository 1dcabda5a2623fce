"""The features of Loper (2008), Figure 4.3, for noun phrase chunking."""

from __future__ import annotations

from lawful.models.features import Features, at, bias, column, join, window, word

__all__ = ["chunking_features"]


def chunking_features(pos: str | int = "pos") -> Features:
    """Words and parts of speech around the token, their pairs, and triples of parts of speech.

    Parameters
    ----------
    pos : str or int
        The column with the part of speech.

    Examples
    --------
    >>> "pos[-1]|pos=DT|NN" in chunking_features().attributes(
    ...     [{"token": "the", "pos": "DT"}, {"token": "dog", "pos": "NN"}]
    ... )[1]
    True
    """
    tag = column(pos, name="pos")
    return Features(
        bias(),
        window(word(), -2, 2),
        join(word(), at(-1, word())),
        join(word(), at(1, word())),
        window(tag, -2, 2),
        window(join(tag, at(1, tag)), -2, 1),
        window(join(at(-1, tag), tag, at(1, tag)), -1, 1),
    )
