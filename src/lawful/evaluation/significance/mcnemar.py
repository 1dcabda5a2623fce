"""McNemar's exact test: of the tokens that only one of two outputs has right, is it half and half?"""

from __future__ import annotations

from math import lgamma, log

import numpy as np

__all__ = ["mcnemar_test"]


def mcnemar_test(only_first: int, only_second: int) -> float:
    """The two-sided p-value, from the binomial distribution itself.

    Parameters
    ----------
    only_first, only_second : int
        How many tokens only the first, only the second output has right.

    Examples
    --------
    >>> mcnemar_test(5, 5), round(mcnemar_test(1, 9), 6)
    (1.0, 0.021484)
    """
    total, less = only_first + only_second, min(only_first, only_second)
    if only_first == only_second:
        return 1.0
    # log C(total, k) for k = 0 .. less, built up step by step from the largest, so that nothing overflows.
    top = lgamma(total + 1) - lgamma(less + 1) - lgamma(total - less + 1) - total * log(2)
    k = np.arange(less, 0, -1, dtype=np.float64)
    falls = np.concatenate([[0.0], np.cumsum(np.log(k) - np.log(total - k + 1))])
    return float(min(1.0, 2 * np.exp(top) * np.exp(falls).sum()))
