"""The feature sets of Loper (2008): noun phrase chunking, part-of-speech tagging, bio-entities."""

from __future__ import annotations

from lawful.models.features import (
    Features,
    at,
    bias,
    column,
    join,
    kinds,
    length,
    lower,
    prefix,
    shape,
    suffix,
    window,
    word,
)

__all__ = ["bio_entity_features", "chunking_features", "tagging_features"]


def chunking_features(pos: str | int = "pos") -> Features:
    """Figure 4.3: words and parts of speech around the token, their pairs, and triples of parts of speech.

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


def tagging_features() -> Features:
    """Figure 4.12: words around the token, its length, affixes, and what characters it has.

    Examples
    --------
    >>> "suffix2=gs" in tagging_features().attributes(["dogs"])[0]
    True
    """
    return Features(
        bias(),
        window(word(), -2, 2),
        length(),
        prefix(1, 4),
        suffix(1, 4),
        kinds("starts_upper", "starts_digit", "has_upper", "has_digit", "has_hyphen", both=True),
    )


def bio_entity_features() -> Features:
    """Figure 4.13: words around the token, its shape, affixes, and signs of genes, proteins and numbers.

    Examples
    --------
    >>> "short_shape=aA" in bio_entity_features().attributes(["mRNA"])[0]
    True
    """
    return Features(
        bias(),
        window(word(), -2, 2),
        lower(),
        kinds("is_number", "is_roman", "is_dna", "is_rna", "has_hyphen", "has_upper", "has_digit", both=True),
        shape(),
        shape(short=True),
        length(),
        prefix(1, 4),
        suffix(1, 4),
    )
