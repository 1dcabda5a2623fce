"""The features of Loper (2008), Figure 4.13, for bio-entities."""

from __future__ import annotations

from lawful.models.features import Features, bias, kinds, length, lower, prefix, shape, suffix, window, word

__all__ = ["bio_entity_features"]


def bio_entity_features() -> Features:
    """Words around the token, its shape, affixes, and what suggests genes, proteins and numbers.

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
