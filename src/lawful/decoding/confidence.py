"""How probable the labels and the fields of an answer are, under rules too many for exact sums as well."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from lawful.decoding.decoder import Decoder
from lawful.errors import InfeasibleError, LimitError, ProbabilityError
from lawful.lattice import AnyLattice
from lawful.rules.bound_rules import BoundRules
from lawful.schemes.spans import Span, find_spans, guess_scheme, split_label

__all__ = ["Confidence", "estimate_confidence"]

MAX_STATES = 2_000  # of the exact sums: more take longer than sampling
SAMPLES = 400
LEAST_EFFECTIVE = 20.0  # samples that must be left, by their weights, once the rules have judged them


@dataclass(frozen=True)
class Confidence:
    """How probable an answer is.

    Attributes
    ----------
    labels : list of float
        For each token, the probability of its label.
    fields : list of (Span, float)
        The spans of the answer, each with the probability that exactly it is there.
    method : "exact", "sampled" or "model"
        Exact under the rules; estimated under the rules, from samples of the model weighed by what the rules say of them; or exact
        without the rules, where too few samples obey them.
    """

    labels: list[float]
    fields: list[tuple[Span, float]]
    method: str


def estimate_confidence(
    decoder: Decoder,
    lattice: AnyLattice,
    labels: Sequence[str],
    *,
    samples: int = SAMPLES,
    max_states: int = MAX_STATES,
    seed: int = 0,
) -> Confidence:
    """How probable each label and each field of an answer is, under the rules of a decoder.

    Exact where the rules allow it at little cost. Otherwise estimated: labellings are drawn from the lattice alone, and each counts
    as much as the rules let it, so that hard rules leave only those that obey.

    Parameters
    ----------
    decoder : Decoder
    lattice : Lattice or GraphLattice
    labels : sequence of str
        The answer, such as `decoder.decode(lattice).labels`.
    samples : int
        How many labellings to draw. The standard error of an estimate is at most half of 1 / sqrt(effective samples).
    max_states : int
        Up to how many states of rules and lattice together the sums are exact.
    seed : int

    Examples
    --------
    >>> import lawful
    >>> lattice = lawful.Lattice([[0.0, 0.0], [0.0, 0.0]], labels=["A", "B"])
    >>> sure = estimate_confidence(lawful.Decoder(lawful.at_least(1, "A"), labels=["A", "B"]), lattice, ["A", "B"])
    >>> sure.method, [round(p, 3) for p in sure.labels], [(span.type, round(p, 3)) for span, p in sure.fields]
    ('exact', [0.667, 0.333], [('A', 0.333), ('B', 0.333)])
    """
    names = list(lattice.labels)
    scheme = guess_scheme([names])
    spans = find_spans(labels, scheme)
    windows = [_window(span, labels, names, scheme) for span in spans]
    plain = Decoder(labels=names).marginals(lattice)
    method, marginals = ("exact", plain) if not decoder.rules else ("sampled", plain)
    if decoder.rules:
        try:
            marginals = Decoder(decoder.rules, labels=names, max_states=max_states).marginals(lattice)
            method = "exact"
        except (LimitError, ProbabilityError, InfeasibleError):
            pass
    if method == "sampled":
        drawn, weights, effective = _weighted(
            decoder.prepare([lattice])[0].rules, plain.sample(samples, seed=seed), names
        )
        if effective >= LEAST_EFFECTIVE:
            own = np.array([names.index(label) for label in labels])
            of_labels = weights @ (drawn == own)
            of_fields = [float(weights @ _fits(drawn, start, choices, names)) for start, choices in windows]
            return Confidence(
                [float(value) for value in of_labels], list(zip(spans, of_fields, strict=True)), "sampled"
            )
        method = "model"
    table = marginals.labels
    exact = [float(table[position, names.index(label)]) for position, label in enumerate(labels)]
    fields = [marginals.window(start, choices, or_end=True) for start, choices in windows]
    return Confidence(exact, list(zip(spans, fields, strict=True)), method)


Window = tuple[int, list[str | Collection[str]]]


def _window(span: Span, labels: Sequence[str], names: Sequence[str], scheme: str) -> Window:
    """The labels of a span, with what may stand before and after it for it to be exactly there."""
    inside: list[str | Collection[str]] = list(labels[span.start : span.end])
    if scheme == "flat":
        others = [name for name in names if name != span.type]
        return (span.start - 1, [others, *inside, others]) if span.start else (0, [*inside, others])
    going_on = [name for name in names if split_label(name) not in (("I", span.type), ("E", span.type))]
    return span.start, [*inside, going_on]


def _weighted(
    rules: BoundRules, samples: Sequence[Sequence[str]], names: Sequence[str]
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.float64], float]:
    """The different samples as numbers of labels, the share of each under the rules, and how many samples these are worth."""
    numbers = {name: number for number, name in enumerate(names)}
    different = {tuple(sample): 0 for sample in samples}
    for sample in samples:
        different[tuple(sample)] += 1
    drawn = np.array([[numbers[label] for label in sample] for sample in different])
    counts = np.array([rules.count(sample) for sample in different])
    once = np.array([per != "violation" for per in rules.per])
    broken = np.where(once, counts > 0, counts)
    with np.errstate(
        invalid="ignore"
    ):  # a hard rule has an infinite price, which 0 violations do not make a cost
        costs = np.where(broken > 0, broken * np.array(rules.prices), 0.0).sum(axis=1)
    times, passed = np.array(list(different.values())), np.exp(-costs)
    total = float((times * passed).sum())
    if total == 0:
        return drawn, times * passed, 0.0
    return drawn, times * passed / total, total**2 / float((times * passed**2).sum())


def _fits(
    drawn: npt.NDArray[np.int64], start: int, choices: Sequence[str | Collection[str]], names: Sequence[str]
) -> npt.NDArray[np.bool_]:
    """Which samples have such labels from a token on; what is beyond the end fits."""
    fits = np.ones(len(drawn), dtype=bool)
    for position, choice in enumerate(choices, start):
        if position < drawn.shape[1]:
            allowed = [names.index(name) for name in ([choice] if isinstance(choice, str) else choice)]
            fits &= np.isin(drawn[:, position], allowed)
    return fits
