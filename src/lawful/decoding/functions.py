"""Decoding in one call."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import Any

from lawful.decoding.decoder import Decoder
from lawful.decoding.result import Decoding
from lawful.labels import LabelSet
from lawful.lattice import AnyLattice
from lawful.rules.rule import Rule
from lawful.rules.ruleset import Rules

__all__ = ["decode", "kept_decoder"]


def decode(lattice: AnyLattice, rules: Rules | Rule | Iterable[Rule] = (), **options: Any) -> Decoding:
    """The best labels of one lattice under rules.

    For many lattices make a `Decoder`; its options are the options here. (The last few decoders are kept, so
    that calling this in a loop does not compile the same rules again and again.)

    Parameters
    ----------
    lattice : Lattice or GraphLattice
    rules : Rules, a rule, or an iterable of rules
    **options
        See `Decoder`.

    Examples
    --------
    >>> import lawful
    >>> lattice = lawful.Lattice([[1.0, 0.0], [1.0, 0.5]], labels=["O", "Name"], tokens=["Dear", "Ann"])
    >>> lawful.decode(lattice, lawful.when(lawful.token.is_in(["Ann"])).then("Name")).labels
    ('O', 'Name')
    """
    given = rules if isinstance(rules, Rules) else Rules(rules)
    return kept_decoder(given, lattice.labels, options).decode(lattice)


def kept_decoder(rules: Rules, labels: LabelSet, options: dict[str, Any]) -> Decoder:
    """A decoder for these rules; the same one as last time, if that is not long ago."""
    return _decoder(rules, labels, tuple(sorted(options.items())))


@lru_cache(maxsize=32)
def _decoder(rules: Rules, labels: LabelSet, options: tuple[tuple[str, Any], ...]) -> Decoder:
    return Decoder(rules, labels=labels, **dict(options))
