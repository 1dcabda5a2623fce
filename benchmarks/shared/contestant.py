"""lawful as a contestant: prepared once, so that only decoding is timed."""

from __future__ import annotations

from collections.abc import Sequence

import lawful

__all__ = ["Contestant"]


class Contestant:
    """lawful on some lattices, with and without rules, prepared."""

    def __init__(self, lattices: Sequence[lawful.Lattice], rules: lawful.Rules) -> None:
        labels = lattices[0].labels
        self.lattices, self.rules = lattices, rules
        self.plain, self.ruled = (
            lawful.Decoder(lawful.Rules(), labels=labels),
            lawful.Decoder(rules, labels=labels),
        )
        self._plain, self._ruled = self.plain.prepare(lattices), self.ruled.prepare(lattices)

    def decode_plain(self) -> lawful.decoding.Decodings:
        """All of them without rules."""
        return self.plain.decode_batch(self._plain, jobs=1)

    def decode_ruled(self, jobs: int = 1) -> lawful.decoding.Decodings:
        """All of them with rules."""
        return self.ruled.decode_batch(self._ruled, jobs=jobs)
