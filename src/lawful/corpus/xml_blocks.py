"""XML, read one block after another and written with what it can hold; what is not XML is an error of ours that names the line."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Iterator
from xml.parsers import expat
from xml.sax.saxutils import escape

from lawful.corpus.sentence import Sentence
from lawful.corpus.sources import Source, name_of, opened_for_reading
from lawful.corpus.targets import Target, target_name
from lawful.errors import CorpusError

__all__ = ["ELEMENT_NAME", "SentenceReader", "escaped", "feed_xml"]

ELEMENT_NAME = re.compile(r"[^\W\d][\w.-]*")

_BLOCK = 1 << 16
_LONGEST = 1 << 20  # bytes of a tag: expat reads an unfinished one again with every block
_NOT_IN_XML = re.compile("[^\t\n\r -\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def feed_xml(source: Source, parser: expat.XMLParserType) -> Iterator[None]:
    """Parse a file in blocks, and stop after each, so that the caller can hand on what its handlers made.

    Examples
    --------
    >>> import io
    >>> list(feed_xml(io.StringIO("<a>"), expat.ParserCreate()))
    Traceback (most recent call last):
    lawful.errors.CorpusError: the text, line 1: not XML: no element found
    """
    name = name_of(source)
    fed = 0
    with opened_for_reading(source) as file:
        try:
            while piece := file.read(_BLOCK):
                parser.Parse(piece, False)  # noqa: FBT003 - expat's own signature
                fed += len(piece)
                if fed - parser.CurrentByteIndex > _LONGEST:
                    problem = f"a tag, comment or declaration of more than {_LONGEST:,} bytes"
                    raise CorpusError(name, parser.CurrentLineNumber, problem)
                yield
            parser.Parse(b"", True)  # noqa: FBT003
        except expat.ExpatError as error:
            problem = f"not XML: {expat.ErrorString(error.code)}"
            raise CorpusError(name, error.lineno, problem) from None
        except UnicodeDecodeError as error:
            problem = f"not {error.encoding}: {error.reason}"
            raise CorpusError(name, parser.CurrentLineNumber, problem) from None
        except CorpusError:
            raise
        except (
            LookupError,
            ValueError,
        ) as error:  # an encoding that Python does not know, or expat cannot use
            raise CorpusError(name, parser.CurrentLineNumber, f"not XML that can be read: {error}") from None
    yield


def escaped(text: str, sentence: Sentence, target: Target) -> str:
    r"""A text of a sentence as it stands in XML, which cannot hold control characters, not even escaped.

    Examples
    --------
    >>> escaped("R & D", Sentence(()), "a.xml")
    'R &amp; D'
    >>> escaped("a\x01", Sentence(()), "a.xml")
    Traceback (most recent call last):
    lawful.errors.CorpusError: a.xml: '\x01' in 'a\x01' cannot stand in XML; write JSONL instead
    """
    found = _NOT_IN_XML.search(text)
    if found is not None:
        problem = (
            f"{sentence.location()}{found[0]!r} in {text[:40]!r} cannot stand in XML; write JSONL instead"
        )
        raise CorpusError(target_name(target), None, problem)
    return escape(text)


class SentenceReader(ABC):
    """Makes sentences of the elements of an XML file; its formats say what to do with a tag and with text.

    A document type is refused, and with it every entity but the five of XML itself: they can grow without end.

    Examples
    --------
    >>> import io
    >>> class Words(SentenceReader):
    ...     def start(self, tag, attributes): ...
    ...     def end(self, tag): ...
    ...     def characters(self, text):
    ...         self.done.append(Sentence(tuple(text.split())))
    >>> file = io.StringIO("<a>in <b>Bonn</b></a>")
    >>> [one.tokens for one in Words(file).sentences()]
    [('in',), ('Bonn',)]
    """

    def __init__(self, source: Source) -> None:
        self.file, self.source = source, name_of(source)
        self.done: list[Sentence] = []
        self.parser = expat.ParserCreate()
        self.parser.buffer_text = True
        self.parser.StartDoctypeDeclHandler = self._refuse
        self.parser.StartElementHandler = self.start
        self.parser.EndElementHandler = self.end
        self.parser.CharacterDataHandler = self.characters

    def sentences(self) -> Iterator[Sentence]:
        """The sentences of the file, as soon as each is read."""
        for _ in feed_xml(self.file, self.parser):
            yield from self.done
            self.done.clear()

    def error(self, problem: str) -> CorpusError:
        """An error at the line that is being read."""
        return CorpusError(self.source, self.parser.CurrentLineNumber, problem)

    def _refuse(self, *_: object) -> None:
        raise self.error("a document type (DOCTYPE) is not accepted: remove it")

    @abstractmethod
    def start(self, tag: str, attributes: dict[str, str]) -> None:
        """An element begins."""

    @abstractmethod
    def end(self, tag: str) -> None:
        """An element ends."""

    @abstractmethod
    def characters(self, text: str) -> None:
        """Text of the innermost element."""
