"""The general operations that all moves are made of (Loper 4.5.1): on arcs and endings, without any check."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import count

from lawful.automata.transducers.transducer import Ending, Transducer, TransducerArc
from lawful.encodings.symbols import FeatureSymbol, label_of
from lawful.errors import EncodingError

__all__ = ["Draft", "base_of", "require_arc"]


def base_of(tag: str) -> str:
    """A tag without its subscripts.

    Examples
    --------
    >>> base_of("I.2.1"), base_of("B-NP.1"), base_of("I~1"), base_of("A.B")
    ('I', 'B-NP', 'I~1', 'A.B')
    """
    head, dot, last = tag.rpartition(".")
    return base_of(head) if dot and head and last.isdigit() else tag


@dataclass
class Draft:
    """A transducer that is being changed.

    Examples
    --------
    >>> draft = Draft.of(Transducer([(0, "a", 0, ("A",)), (0, "b", 0, ("A",))], [(0,)]))
    >>> draft.new_tag("A"), draft.subdivided("A")
    ('A~1', 'A.1')
    """

    arcs: list[TransducerArc]
    endings: list[Ending]

    @classmethod
    def of(cls, transducer: Transducer) -> Draft:
        """The parts of a transducer, to be changed."""
        return cls(list(transducer.arcs), list(transducer.endings))

    def finished(self) -> Transducer:
        """The changed transducer."""
        return Transducer(self.arcs, self.endings)

    # --- tags ----------------------------------------------------------------------------------------------

    def tags(self) -> Iterator[str]:
        """Every tag that is written, as often as it stands somewhere."""
        for output in [*(arc.output for arc in self.arcs), *(ending.output for ending in self.endings)]:
            yield from map(str, output)

    def require_elsewhere(self, tag: str) -> None:
        """Refuse to split a tag, subdivisions included, that stands in one place only: it would merely be renamed."""
        if sum(base_of(other) == base_of(tag) for other in self.tags()) < 2:
            raise EncodingError(
                f"tag {tag!r} is written in one place only, so another name for it changes nothing"
            )

    def new_tag(self, tag: str) -> str:
        """A tag that is not in use, and has nothing in common with others but its name."""
        used = {base_of(other) for other in self.tags()}
        stem = base_of(tag).partition("~")[0]
        return next(name for number in count(1) if (name := f"{stem}~{number}") not in used)

    def subdivided(self, tag: str) -> str:
        """The tag with one more subscript, the first that is free."""
        used = set(self.tags())
        taken = {other for other in used if other.startswith(f"{tag}.")}
        return next(
            name
            for number in count(1)
            if (name := f"{tag}.{number}") not in used and not any(o.startswith(f"{name}.") for o in taken)
        )

    def rename(self, index: int, at: int, *, fresh: bool) -> None:
        """Give one symbol of an arc's output a new tag (`fresh`), or a subdivision of its own."""
        arc = self.arcs[index]
        tag = str(arc.output[at])
        other = self.new_tag(tag) if fresh else self.subdivided(tag)
        self.arcs[index] = arc._replace(output=(*arc.output[:at], other, *arc.output[at + 1 :]))

    # --- states --------------------------------------------------------------------------------------------

    def split(self, state: int, redirected: Callable[[TransducerArc], bool]) -> int:
        """Double a state; the incoming arcs that are `redirected`, its own loops included, lead to the second one."""
        second = 1 + max([0, *(s for arc in self.arcs for s in (arc.source, arc.target))])
        second = max(second, *(ending.state + 1 for ending in self.endings))
        self.arcs += [arc._replace(source=second) for arc in self.arcs if arc.source == state]
        self.arcs = [
            arc._replace(target=second) if arc.target == state and redirected(arc) else arc
            for arc in self.arcs
        ]
        self.endings += [ending._replace(state=second) for ending in self.endings if ending.state == state]
        return second

    def distinguish(self, state: int, *, fresh: bool) -> None:
        """Give the first tag of every outgoing arc of a state a name of its own."""
        for index, arc in enumerate(self.arcs):
            if arc.source == state and arc.output:
                self.rename(index, 0, fresh=fresh)

    # --- conditions on tokens ------------------------------------------------------------------------------

    def condition(self, indices: Iterable[int], attribute: str) -> list[int]:
        """Split arcs by an attribute of the token; the indices of those that require it."""
        required: list[int] = []
        for index in sorted(indices):
            arc = self.arcs[index]
            symbol = arc.input if isinstance(arc.input, FeatureSymbol) else FeatureSymbol(label_of(arc.input))
            label, has, lacks = symbol
            if attribute in (*has, *lacks):
                raise EncodingError(f"the arc for {str(arc.input)!r} looks at {attribute!r} already")
            self.arcs[index] = arc._replace(input=FeatureSymbol.of(label, (*has, attribute), lacks))
            self.arcs.append(arc._replace(input=FeatureSymbol.of(label, has, (*lacks, attribute))))
            required.append(index)
        return required


def require_arc(transducer: Transducer, index: int, at: int | None = None) -> TransducerArc:
    """An arc by its index, and that it writes a symbol `at` that index of its output.

    Examples
    --------
    >>> require_arc(Transducer([(0, "a", 0, ("A",))], [(0,)]), 0, 1)
    Traceback (most recent call last):
    lawful.errors.EncodingError: the arc for 'a' writes 1 tags, so there is none at 1
    """
    if not 0 <= index < len(transducer.arcs):
        raise EncodingError(f"there is no arc {index}; there are {len(transducer.arcs)}")
    arc = transducer.arcs[index]
    if at is not None and not 0 <= at < len(arc.output):
        raise EncodingError(
            f"the arc for {str(arc.input)!r} writes {len(arc.output)} tags, so there is none at {at}"
        )
    return arc
