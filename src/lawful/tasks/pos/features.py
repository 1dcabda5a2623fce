"""The features of Loper (2008), Figure 4.12, for part-of-speech tagging."""

from __future__ import annotations

from lawful.models.features import Features, bias, kinds, length, prefix, suffix, window, word

__all__ = ["tagging_features"]


def tagging_features() -> Features:
    """Words around the token, its length, affixes, and the kinds of characters in it.

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
