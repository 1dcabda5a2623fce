"""Which answers can be explained: those that are proved best under all their rules."""

from __future__ import annotations

from lawful.decoding import Decoding, decode
from lawful.decoding.options import DecoderOptions, SearchLimits
from lawful.errors import InputError, SearchError
from lawful.lattice import AnyLattice
from lawful.rules.given_rules import RulesLike, as_rules

__all__ = ["proved_decoding"]


def proved_decoding(
    subject: AnyLattice | Decoding,
    rules: RulesLike,
    options: DecoderOptions,
) -> Decoding:
    """A decoding, or the decoding of a lattice; refused unless it is proved best under its rules."""
    if isinstance(subject, Decoding):
        # Limits are for the searches that explain; every other option was used when it was decoded.
        unfit = [name for name in options if name not in SearchLimits.__annotations__]
        others = as_rules(rules)
        if unfit or (others and others != subject.rules):
            raise InputError(
                f"a decoding brings its own {'options' if unfit else 'rules'}; to use others, pass its lattice instead"
            )
        decoding = subject
    else:
        try:
            decoding = decode(subject, rules, **options)
        except SearchError as error:  # what it advises can be had, but not be explained
            raise error.advising("call `decode` with") from None
    if decoding.fell_back:
        raise InputError(
            "this is the rule-free answer, because obeying the rules costs more than max_loss; to see what they "
            "would do, decode without max_loss"
        )
    if decoding.status != "optimal":
        raise InputError(
            f"only an answer that is proved best can be explained, and this one is {decoding.status!r}; "
            + (
                "make some of the contradictory rules soft"
                if decoding.status == "infeasible"
                else "raise the limits"
            )
        )
    return decoding
