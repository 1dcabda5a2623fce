"""Parserator's XML: a collection of strings, each token inside an element that is its label."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from xml.sax.saxutils import escape

from lawful.corpus.sentence import Sentence
from lawful.corpus.sources import MAX_TOKENS, Source, text_start
from lawful.corpus.targets import Target, opened_for_writing, target_name
from lawful.corpus.texts.alignment import place_tokens
from lawful.corpus.xml_blocks import SentenceReader
from lawful.errors import CorpusError

__all__ = ["looks_like_xml", "read_xml", "write_xml"]

_NAME = re.compile(r"[A-Za-z_][\w.-]*")
_MOST_TEXT = 1 << 24  # characters of one string


def looks_like_xml(start: bytes) -> bool:
    """Whether the first bytes of a file are XML. Columns may begin with a tag too, but not with one inside another.

    Examples
    --------
    >>> looks_like_xml(b"<All><One>"), looks_like_xml(b"<s> X")
    (True, False)
    """
    return re.match(rb"<(\?xml|!--|\w+>\s*<\w)", text_start(start)) is not None


def read_xml(
    source: Source, *, outside: str | None = None, max_tokens: int = MAX_TOKENS
) -> Iterator[Sentence]:
    """Read sentences from parserator's XML, one at a time.

    The elements below the root are the sequences, the elements below them the labelled tokens; an element with
    several words gives as many tokens. The text of the whole is `context["text"]`. A document type is refused,
    and with it every entity but the five of XML itself.

    Parameters
    ----------
    source : path, "-" or open file
    outside : str, optional
        The label of text that no element labels; such text is an error if not given.
    max_tokens : int

    Examples
    --------
    >>> import io
    >>> text = "<All><One><Number>12</Number> <Street>Main St.</Street></One></All>"
    >>> [(found.tokens, found.labels, found.context) for found in read_xml(io.StringIO(text))]
    [(('12', 'Main', 'St.'), ('Number', 'Street', 'Street'), {'text': '12 Main St.'})]
    """
    yield from _Reader(source, max_tokens, outside).sentences()


class _Reader(SentenceReader):
    def __init__(self, source: Source, max_tokens: int, outside: str | None) -> None:
        super().__init__(source)
        self.max_tokens, self.outside = max_tokens, outside
        self.path: list[str] = []

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        self.path.append(tag)
        if len(self.path) == 2:
            self.tokens: list[str] = []
            self.labels: list[str] = []
            self.lines: list[int] = []
            self.text: list[str] = []
            self.size = 0
            self.inside: list[str] = []
        elif len(self.path) == 3:
            self.take(self.outside or "")
        elif len(self.path) > 3:
            raise self.error(f"<{tag}> inside <{self.path[2]}>: tokens are labelled by one element each")

    def characters(self, text: str) -> None:
        if len(self.path) == 3 or (len(self.path) == 2 and self.outside is not None):
            self.inside.append(text)
        elif text.strip():
            where = f"<{self.path[-1]}>" if self.path else "the document"
            hint = "; pass outside='O' to label such text" if len(self.path) == 2 else ""
            raise self.error(f"text {text.strip()[:40]!r} in {where} has no label{hint}")
        if len(self.path) >= 2:
            self.text.append(text)
            self.size += len(text)
            if self.size > _MOST_TEXT:
                raise self.error(f"a string of more than {_MOST_TEXT:,} characters")

    def take(self, label: str) -> None:
        """Make tokens of the text since the last element began or ended."""
        words = "".join(self.inside).split()
        self.inside = []
        self.tokens += words
        self.labels += [label] * len(words)
        self.lines += [self.parser.CurrentLineNumber] * len(words)
        if len(self.tokens) > self.max_tokens:
            raise self.error(f"a sequence of more than max_tokens={self.max_tokens:,} tokens; raise it")

    def end(self, tag: str) -> None:
        self.path.pop()
        if len(self.path) == 2:
            self.take(tag)
        elif len(self.path) == 1:
            self.take(self.outside or "")
            if not self.tokens:
                return
            text = "".join(self.text).strip()
            self.done.append(
                Sentence(
                    tuple(self.tokens), tuple(self.labels), {}, {"text": text}, self.source, tuple(self.lines)
                )
            )


def write_xml(
    sentences: Iterable[Sentence], target: Target, *, collection: str = "Collection", string: str = "String"
) -> int:
    r"""Write sentences as parserator's XML, as they arrive, and return their number: one element for each token.

    Parameters
    ----------
    sentences : iterable of Sentence
    target : path, "-" or open file
    collection, string : str
        The names of the root and of the element of a sequence.

    Examples
    --------
    >>> import io
    >>> file = io.StringIO()
    >>> write_xml([Sentence(("12", "Main"), ("Number", "Street"))], file), file.getvalue().splitlines()[1]
    (1, '<String><Number>12</Number> <Street>Main</Street></String>')
    """
    count = 0
    with opened_for_writing(target) as file:
        file.write(f"<{collection}>\n")
        for sentence in sentences:
            count += 1
            text, places = place_tokens(sentence)
            position, parts = 0, []
            for token, label, (start, end) in zip(
                sentence.tokens, sentence.labels or (), places, strict=True
            ):
                if _NAME.fullmatch(label) is None:
                    raise CorpusError(
                        target_name(target),
                        None,
                        f"{sentence.location()}{label!r} cannot be the name of an element",
                    )
                parts.append(f"{escape(text[position:start])}<{label}>{escape(token)}</{label}>")
                position = end
            file.write(f"<{string}>{''.join(parts)}</{string}>\n")
        file.write(f"</{collection}>\n")
    return count
