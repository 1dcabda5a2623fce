"""When a span begins, goes on and ends, by scheme: what two neighbouring tags say."""

from __future__ import annotations

from typing import NamedTuple

__all__ = ["CANONICAL", "SPAN_SCHEMES", "STRICT", "StrictScheme"]


class StrictScheme(NamedTuple):
    """Pairs of tags (`*` is any), with `=` (same type), `!` (another type) or `.` (no matter) between them.

    A span is read where a pair of `begin` starts it, pairs of `inside` carry it on, and a pair of `end` closes it;
    otherwise it does not count. These are the tables of seqeval's strict mode, which decides what others report.
    """

    tags: str
    begin: str
    inside: str
    end: str


# IOBES letters that stand for those of other schemes.
CANONICAL = {"M": "I", "L": "E", "U": "S", "W": "S"}

_CLOSED = StrictScheme("IOBES", "*.B *.S", "B=I B=E I=I I=E", "S.* E.*")

STRICT = {
    "IO": StrictScheme("IO", "O.I I!I", "I=I", "I.O I!I"),
    "IOB1": StrictScheme("IOB", "O.I I!I B.I I=B B=B", "B=I I=I", "I!I I.O I.B B.O B!I B=B"),
    "IOB2": StrictScheme("IOB", "*.B", "B=I I=I", "I.O I!I I.B B.O B!I B.B"),
    "IOE1": StrictScheme("IOE", "O.I I!I E.I E=E", "I=I I=E", "I!I I.O I!E E=I E=E"),
    "IOE2": StrictScheme("IOE", "O.I O.E E.I E.E I!I I!E", "I=E I=I", "E.*"),
    "IOBES": _CLOSED,
}
_SAME = {"BIO": "IOB2", "BIOES": "IOBES", "BILOU": "IOBES", "BMES": "IOBES", "BMEWO": "IOBES"}
STRICT |= {alias: STRICT[name] for alias, name in _SAME.items()}

SPAN_SCHEMES = (*STRICT, "flat")
