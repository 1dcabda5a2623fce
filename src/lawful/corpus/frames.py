"""PropBank's frame files: the senses of a predicate, and the roles of each."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from os import PathLike
from pathlib import Path
from typing import NamedTuple
from xml.parsers import expat

from lawful.corpus.sources import Source, name_of
from lawful.corpus.xml_blocks import feed_xml
from lawful.errors import CorpusError, MissingFileError

__all__ = ["FrameRole", "Frames", "Roleset", "read_frame_file", "read_frames"]

_ROOT = "frameset"
_DEEPEST = 32  # elements inside each other; frame files have seven
_MOST_TEXT = 1 << 16  # characters of one element


class FrameRole(NamedTuple):
    """A role of a sense: its number ("0" to "7", or "m" for modifiers), its function tag, and what it stands for.

    `links` are (resource, class, role): `("VerbNet", "leave-51.2", "theme")`.
    """

    number: str
    function: str
    description: str
    links: tuple[tuple[str, str, str], ...]


@dataclass(frozen=True)
class Roleset:
    """One sense of a predicate.

    Attributes
    ----------
    id, name : str
        `"abandon.01"`, `"leave behind"`.
    lemma : str
        Of the predicate in whose frame file it is; phrasal ones have an underscore: `"keep_up"`.
    aliases : tuple of (str, str)
        The words that have this sense, and their parts of speech: `("abandonment", "n")`.
    roles : tuple of FrameRole
    classes : tuple of str
        Its classes in VerbNet.
    """

    id: str
    name: str
    lemma: str
    aliases: tuple[tuple[str, str], ...]
    roles: tuple[FrameRole, ...]
    classes: tuple[str, ...]

    def numbers(self) -> frozenset[str]:
        """The numbers of its numbered roles."""
        return frozenset(role.number for role in self.roles if role.number.isdigit())


@dataclass(frozen=True)
class Frames:
    """The senses of many predicates, in the order of their files. An id may appear in two files, as a few of PropBank's do.

    Examples
    --------
    >>> frames = Frames((Roleset("keep.05", "maintain", "keep_up", (("keep_up", "v"),), (), ("keep-15.2",)),))
    >>> [sense.id for sense in frames.senses("keep")], frames.senses("eat")
    (['keep.05'], ())
    """

    rolesets: tuple[Roleset, ...]
    _by_word: Mapping[str, tuple[Roleset, ...]] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        by_word: dict[str, list[Roleset]] = {}
        for roleset in self.rolesets:
            verbs = [word for word, pos in roleset.aliases if pos == "v"]
            for word in {first_word(name) for name in (verbs or [roleset.lemma])}:
                by_word.setdefault(word, []).append(roleset)
        object.__setattr__(self, "_by_word", {word: tuple(senses) for word, senses in by_word.items()})

    def __len__(self) -> int:
        return len(self.rolesets)

    def verbs(self) -> list[str]:
        """All verbs that have a sense."""
        return list(self._by_word)

    def senses(self, verb: str) -> tuple[Roleset, ...]:
        """All senses of a verb, those with particles too: corpora name the verb of "keep up" `keep`."""
        return self._by_word.get(verb, ())


def first_word(name: str) -> str:
    """The verb of a name such as `keep_up`.

    Examples
    --------
    >>> first_word("keep_up"), first_word("abandon")
    ('keep', 'abandon')
    """
    return name.replace(" ", "_").split("_")[0]


def read_frames(folder: str | PathLike[str]) -> Frames:
    """Read all frame files (`*.xml`) of a folder, such as `frames` in the propbank-frames repository.

    Examples
    --------
    >>> read_frames("nowhere")
    Traceback (most recent call last):
    lawful.errors.MissingFileError: nowhere: no frame files (*.xml) in this folder; PropBank's are in the folder frames of https://github.com/propbank/propbank-frames
    """
    paths = sorted(Path(folder).glob("*.xml"))
    if not paths:
        raise MissingFileError(
            folder,
            "no frame files (*.xml) in this folder; PropBank's are in the folder frames of "
            "https://github.com/propbank/propbank-frames",
        )
    return Frames(tuple(roleset for path in paths for roleset in read_frame_file(path)))


def read_frame_file(source: Source) -> tuple[Roleset, ...]:
    """Read the senses of one frame file.

    A document type may name PropBank's DTD, which is not fetched; a file that declares entities or refers to any but the five
    of XML itself is refused.

    Examples
    --------
    >>> import io
    >>> text = '<frameset><predicate lemma="go"><roleset id="go.01"><roles><role n="1" f="PPT" descr="goer"/></roles></roleset></predicate></frameset>'
    >>> [roleset] = read_frame_file(io.StringIO(text))
    >>> roleset.id, roleset.roles
    ('go.01', (FrameRole(number='1', function='PPT', description='goer', links=()),))
    """
    reader = _Reader(name_of(source))
    for _ in feed_xml(source, reader.parser):
        pass  # the whole file is one document
    return tuple(reader.rolesets)


class _Reader:
    def __init__(self, source: str) -> None:
        self.source, self.depth, self.text = source, 0, ""
        self.lemma: str | None = None
        self.attributes: list[dict[str, str]] = []
        self.rolesets: list[Roleset] = []
        self.seen: set[str] = set()
        self.inside = False  # a roleset
        self.parser = expat.ParserCreate()
        self.parser.buffer_text = True
        self.parser.SetParamEntityParsing(expat.XML_PARAM_ENTITY_PARSING_NEVER)
        self.parser.EntityDeclHandler = self.refuse_declaration
        self.parser.SkippedEntityHandler = self.refuse_entity
        self.parser.StartElementHandler = self.start
        self.parser.EndElementHandler = self.end
        self.parser.CharacterDataHandler = self.characters

    def error(self, problem: str) -> CorpusError:
        return CorpusError(self.source, self.parser.CurrentLineNumber, problem)

    def refuse_declaration(self, name: str, *_: object) -> None:
        raise self.error(f"the entity {name!r} is declared: frame files with entities are not accepted")

    def refuse_entity(self, name: str, *_: object) -> None:
        raise self.error(f"the entity &{name}; is not one of XML's own")

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        self.depth += 1
        if self.depth == 1 and tag != _ROOT:
            raise self.error(f"expected <{_ROOT}>, PropBank's root element, found <{tag}>")
        if self.depth > _DEEPEST:
            raise self.error(f"elements are more than {_DEEPEST} deep")
        self.attributes.append(attributes)
        self.text = ""
        if tag == "predicate":
            self.lemma = self.needed(tag, "lemma")
        elif tag == "roleset":
            if self.lemma is None or self.inside:
                raise self.error("expected <roleset> inside <predicate>, and none inside another")
            self.inside = True
            self.aliases: list[tuple[str, str]] = []
            self.roles: list[FrameRole] = []
            self.classes: list[str] = []
            self.links: list[tuple[str, str, str]] = []
            if self.needed(tag, "id") in self.seen:
                raise self.error(f"the roleset {attributes['id']!r} appears twice")
            self.seen.add(attributes["id"])
        elif tag == "role":
            self.links = []

    def needed(self, tag: str, name: str) -> str:
        value = self.attributes[-1].get(name)
        if not value:
            raise self.error(f"<{tag}> has no {name!r}")
        return value

    def characters(self, text: str) -> None:
        self.text += text
        if len(self.text) > _MOST_TEXT:
            raise self.error(f"a text of more than {_MOST_TEXT:,} characters")

    def end(self, tag: str) -> None:
        self.depth -= 1
        if self.inside:
            self.end_inside(tag, self.text.strip())
        if tag == "predicate":
            self.lemma = None
        self.attributes.pop()
        self.text = ""

    def end_inside(self, tag: str, text: str) -> None:
        given = self.attributes[-1]
        if tag == "alias":
            self.aliases.append((text, given.get("pos", "")))
        elif tag == "rolelink":
            self.links.append((given.get("resource", ""), given.get("class", ""), text))
        elif tag == "role":
            number = self.needed(tag, "n").lower()
            self.roles.append(
                FrameRole(number, given.get("f", ""), given.get("descr", ""), tuple(self.links))
            )
        elif tag == "lexlink" and given.get("resource") == "VerbNet":
            self.classes.append(given.get("class", ""))
        elif tag == "roleset":
            self.inside = False
            self.rolesets.append(
                Roleset(
                    given["id"],
                    given.get("name", ""),
                    self.lemma or "",
                    tuple(self.aliases),
                    tuple(self.roles),
                    _unique(self.classes),
                )
            )


def _unique(names: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(name for name in names if name))
