"""Whether one output is significantly better than another: paired tests over the same sequences."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from math import lgamma, log

import numpy as np
import numpy.typing as npt

from lawful.errors import InputError
from lawful.evaluation.bootstrap import Interval, resample
from lawful.evaluation.counting import count_sequences
from lawful.evaluation.metrics import divide, measure, sides
from lawful.evaluation.numbered import Numbered, label_names
from lawful.evaluation.pairs import Labelled, pair_up
from lawful.schemes import guess_scheme
from lawful.support.numbers import check_count

__all__ = ["Comparison", "compare_numbered", "compare_outputs", "mcnemar_test", "told_p"]

_MOST_NUMBERS = 1 << 22
Counts = npt.NDArray[np.int64]


def told_p(p: float) -> str:
    """A p-value as people write it: what is smaller than a thousandth says no more than that.

    Examples
    --------
    >>> told_p(0.0421), told_p(0.5), told_p(1 / 10_001)
    ('p = 0.042', 'p = 0.500', 'p < 0.001')
    """
    return f"p = {p:.3f}" if p >= 0.001 else "p < 0.001"


@dataclass(frozen=True)
class Comparison:
    """Two outputs for the same sequences.

    Attributes
    ----------
    metric : str
    first, second : float
        Their scores.
    difference : float
        The score of the second minus that of the first.
    interval : Interval
        Holds 95 % of the differences over resampled sequences.
    p_randomization : float
        The share of random swaps of outputs between the two that give as large a difference in either direction.
    p_bootstrap : float
        The share of resampled differences that are as far from the observed one as that is from 0.
    only_first, only_second : int
        The number of tokens that only one of them labels correctly.
    p_mcnemar : float
        McNemar's exact test of these, which treats tokens as independent.
    rounds, seed : int
    """

    metric: str
    first: float
    second: float
    difference: float
    interval: Interval
    p_randomization: float
    p_bootstrap: float
    only_first: int
    only_second: int
    p_mcnemar: float
    rounds: int
    seed: int

    def to_dict(self) -> dict[str, object]:
        """All of it by name."""
        return {**asdict(self), "interval": list(self.interval)}

    def __str__(self) -> str:
        return (
            f"{self.metric.replace('_f1', '_F1').replace('_', ' ')}: {100 * self.first:.2f} against {100 * self.second:.2f}, "
            f"{100 * self.difference:+.2f} (95 %: {100 * self.interval.low:+.2f} to {100 * self.interval.high:+.2f})\n"
            f"  approximate randomization  {told_p(self.p_randomization)}  ({self.rounds:,} rounds)\n"
            f"  paired bootstrap           {told_p(self.p_bootstrap)}\n"
            f"  McNemar, tokens            {told_p(self.p_mcnemar)}  "
            f"(only the first right: {self.only_first}, only the second: {self.only_second})"
        )


def compare_outputs(
    gold: Iterable[Labelled],
    first: Iterable[Labelled],
    second: Iterable[Labelled],
    *,
    metric: str = "span_f1",
    scheme: str | None = None,
    strict: bool = False,
    outside: str | Sequence[str] = ("O",),
    rounds: int = 10_000,
    seed: int = 0,
) -> Comparison:
    """Test whether two outputs differ by more than chance.

    Parameters
    ----------
    gold, first, second : iterables of Sentence or of label lists
        The same sequences in the same order.
    metric : str
        "span_f1", "span_precision", "span_recall", "token_accuracy" or "sequence_accuracy".
    scheme, strict, outside
        As in `evaluate`.
    rounds : int
        Of randomization and of the bootstrap.
    seed : int

    Examples
    --------
    >>> gold = [["A", "B", "B"]] * 40
    >>> found = compare_outputs(gold, [["A", "B", "A"]] * 40, gold, metric="token_accuracy", rounds=999)
    >>> found.difference > 0.3, found.p_randomization, found.only_second
    (True, 0.001, 40)
    """
    check_count("rounds", rounds, least=1)
    check_count("seed", seed)
    truth = list(gold)
    pairs = [pair_up(truth, first), pair_up(truth, second)]
    if not pairs[0]:
        raise InputError("there are no sequences to compare")
    names = label_names(side for both in pairs for pair in both for side in (pair.gold, pair.predicted))
    if scheme is None:
        scheme = guess_scheme([names])
    before = Numbered(pairs[0], names, scheme, strict=strict, outside=outside)
    after = Numbered(pairs[1], names, scheme, strict=strict, outside=outside, like=before)
    return compare_numbered(before, after, metric=metric, rounds=rounds, seed=seed)


def compare_numbered(
    first: Numbered, second: Numbered, *, metric: str = "span_f1", rounds: int = 10_000, seed: int = 0
) -> Comparison:
    """The same for labels that were read already.

    Examples
    --------
    >>> from lawful.evaluation.pairs import Pair
    >>> both = [[Pair(("A", "B"), labels, None, {})] * 9 for labels in (("A", "A"), ("A", "B"))]
    >>> compare_numbered(*(Numbered(pairs, ["A", "B"], "flat") for pairs in both), rounds=99).only_second
    9
    """
    a, b = count_sequences(first), count_sequences(second)
    scores = [float(measure(metric, counts.sum(axis=0))) for counts in (a, b)]
    difference = scores[1] - scores[0]
    resampled = _resampled_differences(metric, a, b, rounds, np.random.default_rng([seed, 1]))
    low, high = np.quantile(resampled, [0.025, 0.975])
    only_first, only_second = _only_one_right(first, second)
    return Comparison(
        metric,
        scores[0],
        scores[1],
        difference,
        Interval(float(low), float(high)),
        _share(_swapped_differences(metric, a, b, rounds, np.random.default_rng([seed, 0])), difference),
        _share(resampled - difference, difference),
        only_first,
        only_second,
        mcnemar_test(only_first, only_second),
        rounds,
        seed,
    )


def mcnemar_test(only_first: int, only_second: int) -> float:
    """The two-sided p-value of McNemar's exact test, from the binomial distribution.

    Parameters
    ----------
    only_first, only_second : int
        The number of tokens that only the first, or only the second output labels correctly.

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


def _share(differences: npt.NDArray[np.float64], difference: float) -> float:
    as_large = np.count_nonzero(np.abs(differences) >= abs(difference) - 1e-12)
    return float((as_large + 1) / (len(differences) + 1))  # the observed outcome is one of them


def _swapped_differences(
    metric: str, a: Counts, b: Counts, rounds: int, generator: np.random.Generator
) -> npt.NDArray[np.float64]:
    unlike = np.any(a != b, axis=1)  # swapping equal outputs changes nothing
    gap = (b - a)[unlike].astype(np.float64)
    totals = a.sum(axis=0), b.sum(axis=0)
    block = max(1, _MOST_NUMBERS // max(1, len(gap)))
    differences = []
    for start in range(0, rounds, block):
        size = min(block, rounds - start)
        bits = np.unpackbits(
            np.frombuffer(generator.bytes(size * -(-len(gap) // 8)), dtype=np.uint8).reshape(size, -1), axis=1
        )[:, : len(gap)]
        moved = bits.astype(np.float64) @ gap
        differences.append(measure(metric, totals[1] - moved) - measure(metric, totals[0] + moved))
    return np.concatenate(differences)


def _resampled_differences(
    metric: str, a: Counts, b: Counts, rounds: int, generator: np.random.Generator
) -> npt.NDArray[np.float64]:
    read = np.hstack([sides(metric, a), sides(metric, b)])
    return np.concatenate(
        [divide(sums[:, 2:]) - divide(sums[:, :2]) for sums in resample(read, rounds, generator)]
    )


def _only_one_right(first: Numbered, second: Numbered) -> tuple[int, int]:
    a, b = (numbered.gold == numbered.predicted for numbered in (first, second))
    return int((a & ~b).sum()), int((b & ~a).sum())
