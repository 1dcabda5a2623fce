"""The chunk schemes as data: their tags, what may follow what, and where a span begins, goes on and ends.

A label such as `B-NP` is a tag, a separator and a type. Schemes differ in the letters of their tags; inside this room every
tag is spelled as in IOBES (`CANONICAL`), so that BILOU, BMES and BMEWO are IOBES in other letters.

Steps from one tag to the next are written as `BI=IE`: from one of the tags on the left to one of those on the right (`*` is
any), with the same type (`=`), another type (`!`) or any type (`.`). Both ends of a sequence count as an `O`.
"""

from __future__ import annotations

from dataclasses import dataclass, field

__all__ = ["CANONICAL", "SCHEMES", "SCHEME_NAMES", "Scheme", "Step", "same_span"]

# Letters of other schemes, and the IOBES letter that means the same.
CANONICAL = {"M": "I", "L": "E", "U": "S", "W": "S"}
TAGS = "IOBES"

Step = tuple[str, str, bool]  # a tag, the next tag, and whether both have the same type


def _steps(notation: str) -> frozenset[Step]:
    steps = set()
    for word in notation.split():
        relation = next(letter for letter in word if letter in "=!.")
        before, after = (TAGS if tags == "*" else tags for tags in word.split(relation))
        same_types = {"=": (True,), "!": (False,), ".": (True, False)}[relation]
        steps |= {(a, b, same) for a in before for b in after for same in same_types}
    return frozenset(steps)


@dataclass(frozen=True, slots=True)
class Scheme:
    """One chunk scheme.

    Attributes
    ----------
    tags : str
        The letters of its tags, as the scheme spells them.
    spelling : str
        The tags of a span: the first, an inner and the last one of a longer span, and the only one of a span of one token.
    legal : frozenset of (tag, next tag, whether the types are equal)
        The steps that a legal sequence may take. These sets hold tags spelled as in IOBES.
    begin, inside, end : frozenset of the same
        The strict reading: a span starts with a step of `begin`, goes on over steps of `inside`, and counts only if a step
        of `end` closes it. These are the tables of seqeval's strict mode, since they decide what others report.
    after_same, before_same : str
        The first (last) tag of a span that directly follows (precedes) a span of its own type, where that differs.

    Examples
    --------
    >>> SCHEMES["IOB2"].tags, SCHEMES["BILOU"].spelling
    ('IOB', 'BILU')
    >>> ("B", "I", True) in SCHEMES["IOB2"].legal, ("B", "I", False) in SCHEMES["IOB2"].legal
    (True, False)
    """

    tags: str
    spelling: str
    legal: frozenset[Step] = field(repr=False)
    begin: frozenset[Step] = field(repr=False)
    inside: frozenset[Step] = field(repr=False)
    end: frozenset[Step] = field(repr=False)
    after_same: str = ""
    before_same: str = ""

    @property
    def marks_borders(self) -> bool:
        """Whether each span shows where it begins or ends: its labels do not depend on its neighbours.

        Examples
        --------
        >>> [name for name, scheme in SCHEMES.items() if not scheme.marks_borders]
        ['IO', 'IOB1', 'IOE1']
        """
        return len(set(self.spelling)) > 1

    def split(self, label: str, separator: str = "-") -> tuple[str, str] | None:
        """The tag of a label, spelled as in IOBES, and its type; None if the label is none of this scheme.

        Examples
        --------
        >>> SCHEMES["BILOU"].split("L-PER"), SCHEMES["BILOU"].split("O"), SCHEMES["BILOU"].split("E-PER")
        (('E', 'PER'), ('O', ''), None)
        """
        tag, _, span_type = label.partition(separator)
        if len(tag) != 1 or tag not in self.tags or (tag == "O" and span_type):
            return None
        return CANONICAL.get(tag, tag), span_type


def _scheme(
    tags: str,
    spelling: str,
    *,
    legal: str,
    begin: str,
    inside: str,
    end: str,
    after: str = "",
    before: str = "",
) -> Scheme:
    return Scheme(tags, spelling, _steps(legal), _steps(begin), _steps(inside), _steps(end), after, before)


def _closed(spelling: str) -> Scheme:
    """A scheme that marks both ends of a span, in any letters."""
    return _scheme(
        spelling + "O",
        spelling,
        legal="BI=IE OES.OBS",
        begin="*.BS",
        inside="BI=IE",
        end="ES.*",
    )


_IOB2 = _scheme("IOB", "BIIB", legal="*.OB IB=I", begin="*.B", inside="BI=I", end="BI.OB BI!I")
_IOBES = _closed("BIES")

SCHEMES = {
    "IO": _scheme("IO", "IIII", legal="*.*", begin="O.I I!I", inside="I=I", end="I.O I!I"),
    "IOB1": _scheme(  # B only where a span follows another of its type
        "IOB",
        "IIII",
        after="B",
        legal="*.IO IB=B",
        begin="O.I I!I B.I IB=B",
        inside="BI=I",
        end="I!I I.OB B.O B!I B=B",
    ),
    "IOB2": _IOB2,
    "BIO": _IOB2,
    "IOE1": _scheme(  # E only where a span precedes another of its type
        "IOE",
        "IIII",
        before="E",
        legal="IO.* E=IE",
        begin="O.I I!I E.I E=E",
        inside="I=IE",
        end="I!IE I.O E=IE",
    ),
    "IOE2": _scheme("IOE", "IIEE", legal="OE.* I=IE", begin="OE.IE I!IE", inside="I=IE", end="E.*"),
    "IOBES": _IOBES,
    "BIOES": _IOBES,
    "BILOU": _closed("BILU"),
    "BMES": _closed("BMES"),
    "BMEWO": _closed("BMEW"),
}

SCHEME_NAMES = (*SCHEMES, "flat")


def same_span(before: tuple[str, str], after: tuple[str, str]) -> bool:
    """Whether two neighbouring labels, each as tag (spelled as in IOBES) and type, are in one span for a lenient reader.

    Examples
    --------
    >>> same_span(("B", "NP"), ("I", "NP")), same_span(("I", "NP"), ("B", "NP")), same_span(("I", "NP"), ("I", "VP"))
    (True, False, False)
    """
    return before[0] in "BI" and after[0] in "IE" and before[1] == after[1]
