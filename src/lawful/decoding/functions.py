"""Decoding, runners-up, probabilities, samples and counts in one call each."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any, Unpack

import numpy as np

from lawful import _core
from lawful.decoding.answers.marginals import Marginals
from lawful.decoding.answers.ranking import Scored
from lawful.decoding.decoder import Decoder
from lawful.decoding.options import DecoderOptions, SearchLimits
from lawful.decoding.result import Decoding
from lawful.labels import LabelSet
from lawful.lattice import AnyLattice, Lattice
from lawful.lattice.arrays import Floats
from lawful.lattice.base import require_lattice
from lawful.rules.given_rules import RulesLike, as_rules
from lawful.rules.ruleset import Rules

__all__ = [
    "count_legal",
    "decode",
    "iterate_best",
    "kept_decoder",
    "label_probabilities",
    "log_partition",
    "marginals",
    "nbest",
    "sample",
]


def decode(lattice: AnyLattice, rules: RulesLike = (), **options: Unpack[DecoderOptions]) -> Decoding:
    """The best labels of one lattice under rules.

    For many lattices make a `Decoder`; its options are the options here. (The last few decoders are kept, so
    that calling this in a loop does not compile the same rules again and again.)

    Parameters
    ----------
    lattice : Lattice or GraphLattice
    rules : Rules, a rule, an iterable of rules, or the path of a rule file
    **options
        See `Decoder`.

    Examples
    --------
    >>> import lawful
    >>> lattice = lawful.Lattice([[1.0, 0.0], [1.0, 0.5]], labels=["O", "Name"], tokens=["Dear", "Ann"])
    >>> lawful.decode(lattice, lawful.when(lawful.token.is_in(["Ann"])).then("Name")).labels
    ('O', 'Name')
    """
    return _decoder_for(lattice, rules, options).decode(lattice)


def _decoder_for(lattice: AnyLattice, rules: RulesLike, options: Mapping[str, Any]) -> Decoder:
    labels: Any = getattr(lattice, "labels", None)
    if not isinstance(labels, LabelSet):
        require_lattice(lattice)
    return kept_decoder(rules, labels, options)


def kept_decoder(rules: RulesLike, labels: LabelSet, options: Mapping[str, Any]) -> Decoder:
    """A decoder for these rules; the same one as last time, if that is not long ago."""
    ruleset = as_rules(rules)
    given = tuple((name, value, type(value)) for name, value in sorted(options.items()))
    try:
        hash(given)
    except TypeError:  # no option that there is: the decoder says so
        return Decoder(ruleset, labels=labels, **options)
    # Rules that differ only in the labels that they declare are equal, but not every label set suits both.
    return _decoder(ruleset, ruleset.labels, labels, given)


@lru_cache(maxsize=32)
def _decoder(
    rules: Rules, declared: LabelSet | None, labels: LabelSet, options: tuple[tuple[str, Any, type], ...]
) -> Decoder:
    return Decoder(rules, labels=labels, **{name: value for name, value, _ in options})


def nbest(
    lattice: AnyLattice, rules: RulesLike = (), n: int = 5, **limits: Unpack[SearchLimits]
) -> list[Scored]:
    """The n best label sequences under rules, best first, all different; fewer if fewer are legal.

    Parameters
    ----------
    lattice : Lattice or GraphLattice
        A graph may have several paths for one label sequence (the best counts), but no cycle that rules leave open.
    rules : Rules, a rule, an iterable of rules, or the path of a rule file
        Hard ones cut, soft ones cost.
    n : int
    **limits
        `max_states` (5,000,000 if not given) and `max_memory` (1 GiB) of the product of lattice and rules,
        `timeout` (none). Beyond them: `ProductTooLargeError`.

    Examples
    --------
    >>> import lawful
    >>> lattice = lawful.Lattice([[2.0, 0.0], [0.0, 1.0], [3.0, 0.0]], labels=["A", "B"])
    >>> for labels, score in lawful.nbest(lattice, lawful.at_most_segments(1, "A"), n=3):
    ...     print(score, *labels)
    5.0 A A A
    4.0 B B A
    3.0 A B B
    """
    return _decoder_for(lattice, rules, limits).nbest(lattice, n)


def iterate_best(
    lattice: AnyLattice, rules: RulesLike = (), **limits: Unpack[SearchLimits]
) -> Iterator[Scored]:
    """All label sequences under rules, best first, all different; each is searched for when it is asked for.

    Parameters are those of `nbest`.

    Examples
    --------
    The best labelling that has some property which no rule can say:

    >>> import lawful
    >>> lattice = lawful.Lattice([[2.0, 0.0], [0.0, 1.0], [3.0, 0.0]], labels=["A", "B"])
    >>> next(answer for answer in lawful.decoding.iterate_best(lattice) if answer.labels == answer.labels[::-1] and "B" in answer.labels)
    Scored(labels=('A', 'B', 'A'), score=6.0)
    """
    return _decoder_for(lattice, rules, limits).iterate_best(lattice)


def log_partition(lattice: AnyLattice, rules: RulesLike = (), **limits: Unpack[SearchLimits]) -> float:
    """The log of the sum of exp(score) over all label sequences that obey the hard rules; -inf if none does.

    Parameters are those of `nbest`. The difference to the same without hard rules is the log-probability that the
    tagger gives to the rules.

    Examples
    --------
    >>> import lawful
    >>> lattice = lawful.Lattice([[1.0, 0.0], [1.0, 0.0]], labels=["A", "B"])
    >>> round(lawful.decoding.log_partition(lattice, lawful.forbid("B")), 9)
    2.0
    """
    return _decoder_for(lattice, rules, limits).log_partition(lattice)


def marginals(lattice: AnyLattice, rules: RulesLike = (), **limits: Unpack[SearchLimits]) -> Marginals:
    """The probabilities of labels, spans, segments and whole labellings under rules.

    Parameters are those of `nbest`. Raises `InfeasibleError` if no label sequence obeys the hard rules.

    Examples
    --------
    >>> import lawful
    >>> lattice = lawful.Lattice([[2.0, 0.0], [0.0, 1.0], [3.0, 0.0]], labels=["A", "B"])
    >>> lawful.marginals(lattice).labels[:, 0].round(2).tolist()
    [0.88, 0.27, 0.95]
    >>> lawful.marginals(lattice, lawful.at_most_segments(1, "A")).labels[:, 0].round(2).tolist()
    [0.69, 0.7, 0.88]
    """
    return _decoder_for(lattice, rules, limits).marginals(lattice)


def label_probabilities(lattice: AnyLattice) -> Floats:
    """The probability of each label at each token (T, K), without rules: what `marginals(lattice).labels` says.

    For an ordinary trellis no graph is built.

    Examples
    --------
    >>> import lawful
    >>> lattice = lawful.Lattice([[2.0, 0.0], [0.0, 1.0], [3.0, 0.0]], labels=["A", "B"])
    >>> label_probabilities(lattice)[:, 0].round(2).tolist()
    [0.88, 0.27, 0.95]
    """
    found = _core.label_probabilities(lattice.core) if type(lattice) is Lattice else None
    return marginals(lattice).labels if found is None else found.reshape(-1, len(lattice.labels))


def sample(
    lattice: AnyLattice,
    rules: RulesLike = (),
    n: int = 1,
    seed: int | np.random.Generator | None = None,
    **limits: Unpack[SearchLimits],
) -> list[tuple[str, ...]]:
    """Random labellings, each drawn with exactly its probability under the rules.

    The other parameters are those of `nbest`. Raises `InfeasibleError` if nothing is legal.

    Parameters
    ----------
    n : int
        How many; they are independent of each other.
    seed : int or numpy Generator, optional
        The same seed gives the same samples.

    Examples
    --------
    >>> import lawful
    >>> lattice = lawful.Lattice([[0.0, 0.0], [0.0, 0.0]], labels=["A", "B"])
    >>> drawn = lawful.decoding.sample(lattice, lawful.exactly(1, "A"), 1000, seed=1)
    >>> sorted(set(drawn)), 400 < drawn.count(("A", "B")) < 600
    ([('A', 'B'), ('B', 'A')], True)
    """
    return _decoder_for(lattice, rules, limits).sample(lattice, n, seed=seed)


def count_legal(lattice: AnyLattice, rules: RulesLike = (), **limits: Unpack[SearchLimits]) -> int:
    """How many label sequences the lattice and the hard rules allow: an exact whole number of any size.

    Parameters are those of `nbest`. Scores count only where they are -inf; soft rules forbid nothing.

    Examples
    --------
    >>> import lawful
    >>> lattice = lawful.Lattice([[0.0, 0.0, 0.0]] * 60, labels=["A", "B", "C"])
    >>> lawful.decoding.count_legal(lattice) == 3**60, lawful.decoding.count_legal(lattice, lawful.exactly(2, "A") & ~lawful.forbid("B"))
    (True, 510167765788529785110)
    """
    return _decoder_for(lattice, rules, limits).count_legal(lattice)
