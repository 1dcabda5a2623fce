"""Parserator's XML: a collection of strings, each token inside an element that is its label."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from lawful.corpus.sentence import Sentence
from lawful.corpus.sources import MAX_TOKENS, Source, text_start
from lawful.corpus.targets import Target, opened_for_writing, target_name
from lawful.corpus.texts.alignment import place_tokens
from lawful.corpus.xml_blocks import ELEMENT_NAME, SentenceReader, escaped
from lawful.errors import CorpusError

__all__ = ["looks_like_xml", "read_xml", "write_xml"]

_MOST_TEXT = 1 << 24  # characters of one string
_ELEMENTS = ("Sequences", "Sequence")  # where nothing says what they were called


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
    several words gives as many tokens. The text of the whole is `context["text"]`, and `context["element"]` the names of
    the root and of its element, by which it is written again. A document type is refused, and with it every entity but the
    five of XML itself.

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
    >>> [found] = read_xml(io.StringIO(text))
    >>> found.tokens, found.labels, found.context
    (('12', 'Main', 'St.'), ('Number', 'Street', 'Street'), {'text': '12 Main St.', 'element': 'All/One'})
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
            context = {"text": "".join(self.text).strip(), "element": f"{self.path[0]}/{tag}"}
            self.done.append(
                Sentence(tuple(self.tokens), tuple(self.labels), {}, context, self.source, tuple(self.lines))
            )


def write_xml(
    sentences: Iterable[Sentence],
    target: Target,
    *,
    collection: str | None = None,
    string: str | None = None,
) -> int:
    r"""Write sentences as parserator's XML, as they arrive, and return their number: one element for each token.

    Parameters
    ----------
    sentences : iterable of Sentence
    target : path, "-" or open file
    collection, string : str, optional
        The names of the root and of the element of a sequence; by default those that it was read with.

    Examples
    --------
    >>> import io
    >>> file = io.StringIO()
    >>> write_xml([Sentence(("12", "Main"), ("Number", "Street"))], file), file.getvalue().splitlines()[1]
    (1, '<Sequence><Number>12</Number> <Street>Main</Street></Sequence>')
    """
    count, root = 0, ""
    with opened_for_writing(target) as file:
        for sentence in sentences:
            count += 1
            known = _elements(sentence)
            if not root:
                root = collection or known[0]
                file.write(f"<{root}>\n")
            name = string or known[1]
            file.write(f"<{name}>{_labelled(sentence, target)}</{name}>\n")
        if not root:
            root = collection or _ELEMENTS[0]
            file.write(f"<{root}>\n")
        file.write(f"</{root}>\n")
    return count


def _elements(sentence: Sentence) -> tuple[str, str]:
    """The names of the root and of the element that a sentence was read from."""
    root, _, name = str(sentence.context.get("element", "")).partition("/")
    return (root, name) if ELEMENT_NAME.fullmatch(root) and ELEMENT_NAME.fullmatch(name) else _ELEMENTS


def _labelled(sentence: Sentence, target: Target) -> str:
    """The text of a sentence with each token in an element."""
    if sentence.labels is None:
        problem = f"{sentence.location()}there are no labels, which name the elements of XML"
        raise CorpusError(target_name(target), None, problem)
    text, places = place_tokens(sentence)
    position, parts = 0, []
    for token, label, (start, end) in zip(sentence.tokens, sentence.labels, places, strict=True):
        if ELEMENT_NAME.fullmatch(label) is None:
            problem = f"{sentence.location()}{label!r} cannot be the name of an element"
            raise CorpusError(target_name(target), None, problem)
        between, inside = (escaped(part, sentence, target) for part in (text[position:start], token))
        parts.append(f"{between}<{label}>{inside}</{label}>")
        position = end
    return "".join(parts) + escaped(text[position:], sentence, target)
