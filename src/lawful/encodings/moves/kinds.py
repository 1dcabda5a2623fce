"""The moves of a search for better encodings (Loper 4.5.2 and 4.5.3)."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import asdict, dataclass, fields
from typing import Any, ClassVar

from lawful.automata.acceptor import Dfa
from lawful.encodings.encoding import Encoding
from lawful.encodings.moves.edits import Draft, require_arc
from lawful.encodings.properties import check_encoding
from lawful.errors import EncodingError

__all__ = [
    "MOVES",
    "CopyFeatureForward",
    "CopyStateForward",
    "CopyTagForward",
    "DelayOutput",
    "Move",
    "NewTag",
    "RelabelArc",
    "SpecializeFeature",
    "SpecializeTag",
    "UnrollLoop",
    "move_from_dict",
]


@dataclass(frozen=True)
class Move:
    """A small change to an encoding. Arcs are named by their index in the transducer's arcs, states by number."""

    kind: ClassVar[str]

    @abstractmethod
    def _change(self, encoding: Encoding) -> Draft:
        """The changed transducer; `EncodingError` if the move does not suit the encoding."""

    def apply(self, encoding: Encoding, valid: Dfa | None = None) -> Encoding:
        """The encoding after the move; `EncodingError` with the reason if it would be none.

        Parameters
        ----------
        encoding : Encoding
        valid : Dfa, optional
            The valid label sequences, as `check_encoding` takes them.
        """
        changed = Encoding(
            self._change(encoding).finished(),
            labels=encoding.labels,
            name=encoding.name,
            attributes=encoding.attributes,
        )
        for flaw in check_encoding(changed, valid):
            raise EncodingError(f"{self.kind} would make no encoding: {flaw.message}")
        return changed

    def to_dict(self) -> dict[str, Any]:
        """The move in JSON types."""
        values = asdict(self).items()
        own = {name: list(value) if isinstance(value, tuple) else value for name, value in values}
        return {"kind": self.kind, **own}


@dataclass(frozen=True)
class _RenameTag(Move):
    arc: int
    at: int
    fresh: ClassVar[bool]

    def _change(self, encoding: Encoding) -> Draft:
        draft = Draft.of(encoding.transducer)
        draft.require_elsewhere(str(require_arc(encoding.transducer, self.arc, self.at).output[self.at]))
        draft.rename(self.arc, self.at, fresh=self.fresh)
        return draft


class NewTag(_RenameTag):
    """One tag of one arc's output becomes a new tag.

    Examples
    --------
    Chunks that follow another chunk begin with a tag of their own:

    >>> from lawful.encodings import domain_of, scheme_encoding
    >>> iob2 = scheme_encoding("IOB1", "IOB2")
    >>> [(arc.source, arc.input, arc.output) for arc in iob2.transducer.arcs]
    [(0, 'I', ('B',)), (0, 'O', ('O',)), (1, 'B', ('B',)), (1, 'I', ('I',)), (1, 'O', ('O',))]
    >>> NewTag(2, 0).apply(iob2, domain_of(iob2)).encode(["I", "B", "O"])
    ('B', 'B~1', 'O')
    """

    kind = "new tag"
    fresh = True


class SpecializeTag(_RenameTag):
    """One tag of one arc's output gets a subscript, so that models can still see what it has in common with others.

    Examples
    --------
    >>> from lawful.encodings import domain_of, scheme_encoding
    >>> iob2 = scheme_encoding("IOB1", "IOB2")
    >>> SpecializeTag(2, 0).apply(iob2, domain_of(iob2)).encode(["I", "B", "O"])
    ('B', 'B.1', 'O')
    """

    kind = "specialize tag"
    fresh = False


@dataclass(frozen=True)
class RelabelArc(Move):
    """An arc writes other tags, as many as before, that are in use already."""

    kind = "relabel arc"
    arc: int
    output: tuple[str, ...]

    def _change(self, encoding: Encoding) -> Draft:
        arc = require_arc(encoding.transducer, self.arc)
        if len(self.output) != len(arc.output):
            raise EncodingError(
                f"the arc for {str(arc.input)!r} writes {len(arc.output)} tags, so it cannot write {len(self.output)}"
            )
        if tuple(self.output) == arc.output:
            raise EncodingError(f"the arc for {str(arc.input)!r} writes {self.output} already")
        unknown = [tag for tag in self.output if tag not in encoding.tags]
        if unknown:
            raise EncodingError(f"tag {unknown[0]!r} is not in use")
        draft = Draft.of(encoding.transducer)
        draft.arcs[self.arc] = arc._replace(output=tuple(self.output))
        return draft


@dataclass(frozen=True)
class UnrollLoop(Move):
    """The first turn of a loop becomes a step of its own, and its tag another (or a subdivision)."""

    kind = "unroll loop"
    arc: int
    fresh: bool

    def _change(self, encoding: Encoding) -> Draft:
        arc = require_arc(encoding.transducer, self.arc)
        if arc.source != arc.target:
            raise EncodingError(f"the arc for {str(arc.input)!r} is no loop")
        if not arc.output:
            raise EncodingError(f"the loop for {str(arc.input)!r} writes nothing that could be renamed")
        draft = Draft.of(encoding.transducer)
        draft.split(arc.source, lambda other: other == arc)
        draft.rename(self.arc, 0, fresh=self.fresh)
        return draft


@dataclass(frozen=True)
class DelayOutput(Move):
    """What leads into a state writes its last tag only when the state is left, where it is `tag`.

    Loops stay as they are: they write the tag that is late, and leave their own to whatever comes next.
    """

    kind = "delay output"
    state: int
    tag: str

    def _change(self, encoding: Encoding) -> Draft:
        transducer = encoding.transducer
        incoming = [arc for arc in transducer.arcs if arc.target == self.state != arc.source]
        if self.state == 0:
            raise EncodingError("nothing leads into the start that could write later")
        if not incoming or not all(arc.output for arc in incoming):
            raise EncodingError(f"not everything that leads into state {self.state} writes a tag")
        draft = Draft.of(transducer)
        for index, arc in enumerate(draft.arcs):
            if arc.source == arc.target == self.state:
                continue
            if arc.target == self.state:
                arc = arc._replace(output=arc.output[:-1])
            if arc.source == self.state:
                arc = arc._replace(output=(self.tag, *arc.output))
            draft.arcs[index] = arc
        draft.endings = [
            ending._replace(output=(self.tag, *ending.output)) if ending.state == self.state else ending
            for ending in draft.endings
        ]
        return draft


class _Copy(Move):
    """A state remembers how it was entered: it is doubled, and what leaves the second one gets tags of its own."""

    def _split(self, draft: Draft, state: int, chosen: set[int], *, fresh: bool, what: str) -> Draft:
        entering = {index for index, arc in enumerate(draft.arcs) if arc.target == state}
        if not chosen or (chosen == entering and state != 0):
            raise EncodingError(f"{what}, so there is nothing to tell apart")
        arcs = {draft.arcs[index] for index in chosen}
        originals = {arc._replace(source=0) for arc in arcs if arc.source == state}  # loops, from either copy
        second = draft.split(state, lambda arc: arc in arcs or (arc._replace(source=0) in originals))
        draft.distinguish(second, fresh=fresh)
        return draft


@dataclass(frozen=True)
class CopyTagForward(_Copy):
    """A state remembers whether a tag was written on the way into it."""

    kind = "copy tag forward"
    state: int
    tag: str
    fresh: bool

    def _change(self, encoding: Encoding) -> Draft:
        draft = Draft.of(encoding.transducer)
        chosen = {
            i for i, arc in enumerate(draft.arcs) if arc.target == self.state and self.tag in arc.output
        }
        what = f"all or none of what leads into state {self.state} writes {self.tag!r}"
        return self._split(draft, self.state, chosen, fresh=self.fresh, what=what)


@dataclass(frozen=True)
class CopyStateForward(_Copy):
    """A state remembers whether it was entered from another state."""

    kind = "copy state forward"
    state: int
    source: int
    fresh: bool

    def _change(self, encoding: Encoding) -> Draft:
        draft = Draft.of(encoding.transducer)
        chosen = {
            i for i, arc in enumerate(draft.arcs) if arc.target == self.state and arc.source == self.source
        }
        what = f"all or none of what leads into state {self.state} comes from state {self.source}"
        return self._split(draft, self.state, chosen, fresh=self.fresh, what=what)


@dataclass(frozen=True)
class CopyFeatureForward(_Copy):
    """A state remembers whether the last token had an attribute."""

    kind = "copy feature forward"
    state: int
    attribute: str
    fresh: bool

    def _change(self, encoding: Encoding) -> Draft:
        draft = Draft.of(encoding.transducer)
        entering = [i for i, arc in enumerate(draft.arcs) if arc.target == self.state]
        chosen = set(draft.condition(entering, self.attribute))
        what = f"nothing leads into state {self.state}"
        return self._split(draft, self.state, chosen, fresh=self.fresh, what=what)


@dataclass(frozen=True)
class SpecializeFeature(Move):
    """An arc is split by an attribute of the token, and its first tag gets a name of its own where the token has it."""

    kind = "specialize feature"
    arc: int
    attribute: str
    fresh: bool

    def _change(self, encoding: Encoding) -> Draft:
        if not require_arc(encoding.transducer, self.arc).output:
            raise EncodingError("the arc writes nothing that could be renamed")
        draft = Draft.of(encoding.transducer)
        draft.condition([self.arc], self.attribute)
        draft.rename(self.arc, 0, fresh=self.fresh)
        return draft


MOVES: dict[str, type[Move]] = {
    move.kind: move
    for move in (
        NewTag,
        SpecializeTag,
        RelabelArc,
        UnrollLoop,
        DelayOutput,
        CopyTagForward,
        CopyStateForward,
        CopyFeatureForward,
        SpecializeFeature,
    )
}


def move_from_dict(data: dict[str, Any]) -> Move:
    """The move that `to_dict` described.

    Examples
    --------
    >>> move_from_dict({"kind": "relabel arc", "arc": 1, "output": ["O"]})
    RelabelArc(arc=1, output=('O',))
    """
    try:
        kind = MOVES[data["kind"]]
        values = {field.name: data[field.name] for field in fields(kind)}
    except (KeyError, TypeError) as error:
        raise EncodingError(f"these data are no move ({type(error).__name__}: {error})") from None
    return kind(
        **{name: tuple(value) if isinstance(value, list) else value for name, value in values.items()}
    )
