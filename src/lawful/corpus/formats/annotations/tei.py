"""References in TEI: `<bibl>` elements whose parts are the fields."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from xml.sax.saxutils import quoteattr

from lawful.corpus.formats.annotations.marked_texts import Marked, sentence_from_spans, spans_of
from lawful.corpus.sentence import Sentence
from lawful.corpus.sources import Source, text_start
from lawful.corpus.targets import Target, opened_for_writing
from lawful.corpus.texts.tokenizer import Tokenizer, TokenizerLike
from lawful.corpus.xml_blocks import ELEMENT_NAME, SentenceReader, escaped
from lawful.errors import CorpusError

__all__ = ["looks_like_tei", "read_tei", "write_tei"]

REFERENCES = ("bibl", "biblStruct")
TELLING = ("level", "unit", "type")  # the attributes that tell one title, or one scope, from another
ATTRIBUTE_OF = {"title": "level", "biblScope": "unit"}
MOST_TEXT = 1 << 20  # characters of one reference


def looks_like_tei(start: bytes) -> bool:
    """Whether the first bytes of a file are TEI.

    Examples
    --------
    >>> looks_like_tei(b'<?xml version="1.0"?><TEI xmlns="http://www.tei-c.org/ns/1.0">'), looks_like_tei(b"<a><b>")
    (True, False)
    """
    return re.search(rb"<(TEI|tei)[\s>]|<listBibl[\s>]", text_start(start)[:2000]) is not None


def read_tei(source: Source, *, tokenizer: TokenizerLike = "words", outside: str = "O") -> Iterator[Sentence]:
    """Read the references of a TEI file, one at a time; labels are IOB2.

    A reference is a `<bibl>` (or `<biblStruct>`), a field one of the elements directly in it: `title.a` for
    `<title level="a">`, `biblScope.volume` for `<biblScope unit="volume">`. What is inside a field belongs to it; text between fields has the
    label outside. White space counts as one blank.

    Parameters
    ----------
    source : path, "-" or open file
    tokenizer : Tokenizer or str
        How texts are cut, as in `read_text`; tokens are cut at the edges of fields too.
    outside : str

    Examples
    --------
    >>> import io
    >>> text = '<listBibl><bibl><author>Lee</author>, <title level="a">On rules</title>.</bibl></listBibl>'
    >>> [one] = read_tei(io.StringIO(text))
    >>> one.tokens, one.labels
    (('Lee', ',', 'On', 'rules', '.'), ('B-author', 'O', 'B-title.a', 'I-title.a', 'O'))
    """
    yield from _Reader(source, Tokenizer.of(tokenizer), outside).sentences()


class _Reader(SentenceReader):
    def __init__(self, source: Source, tokenizer: Tokenizer, outside: str) -> None:
        super().__init__(source)
        self.tokenizer, self.outside = tokenizer, outside
        self.depth = 0  # of elements inside the reference; 0 outside of all
        self.text, self.field, self.begin, self.line = "", "", 0, 0

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        name = tag.rpartition(":")[2]
        if self.depth:
            self.depth += 1
            if self.depth == 2:
                told = next((attributes[key] for key in TELLING if key in attributes), "")
                self.field, self.begin = f"{name}.{told}" if told else name, len(self.text)
            if name in ("lb", "pb"):
                self.characters(" ")
        elif name in REFERENCES:
            self.depth, self.text, self.line = 1, "", self.parser.CurrentLineNumber
            self.spans: list[Marked] = []

    def characters(self, text: str) -> None:
        if not self.depth:
            return
        joined = re.sub(r"\s+", " ", text)
        if joined.startswith(" ") and (not self.text or self.text.endswith(" ")):
            joined = joined[1:]
        self.text += joined
        if len(self.text) > MOST_TEXT:
            raise CorpusError(
                self.source, self.line, f"a reference of more than {MOST_TEXT:,} characters begins here"
            )

    def end(self, _: str) -> None:
        if not self.depth:
            return
        self.depth -= 1
        if self.depth == 1:
            inside = self.text[self.begin :]
            start = self.begin + len(inside) - len(inside.lstrip())
            end = len(self.text.rstrip())
            if start < end:
                self.spans.append((start, end, self.field))
        elif self.depth == 0 and self.text.strip():
            text = self.text.rstrip()
            self.done.append(
                sentence_from_spans(
                    text, self.spans, self.tokenizer, self.source, self.line, outside=self.outside
                )
            )


def write_tei(sentences: Iterable[Sentence], target: Target) -> int:
    r"""Write sentences as references in TEI, and return their number.

    Examples
    --------
    >>> import io
    >>> file = io.StringIO()
    >>> write_tei([Sentence(("Lee", "1999"), ("B-author", "O"))], file), file.getvalue().splitlines()[2]
    (1, '<bibl><author>Lee</author> 1999</bibl>')
    """
    count = 0
    with opened_for_writing(target) as file:
        file.write('<?xml version="1.0" encoding="UTF-8"?>\n')
        file.write('<TEI xmlns="http://www.tei-c.org/ns/1.0"><text><back><listBibl>\n')
        for sentence in sentences:
            count += 1
            text, fields = spans_of(sentence)
            position, parts = 0, []
            for field in fields:
                between = escaped(text[position : field.start], sentence, target)
                parts += [between, _element(field.name, escaped(field.text, sentence, target), sentence)]
                position = field.end
            rest = escaped(text[position:], sentence, target)
            file.write(f"<bibl>{''.join(parts)}{rest}</bibl>\n")
        file.write("</listBibl></back></text></TEI>\n")
    return count


def _element(label: str, inside: str, sentence: Sentence) -> str:
    name, _, told = label.partition(".")
    if ELEMENT_NAME.fullmatch(name) is None:
        raise CorpusError(
            sentence.source or "the text", None, f"{label!r} cannot be the name of an element of TEI"
        )
    attribute = f" {ATTRIBUTE_OF.get(name, 'type')}={quoteattr(told)}" if told else ""
    return f"<{name}{attribute}>{inside}</{name}>"
